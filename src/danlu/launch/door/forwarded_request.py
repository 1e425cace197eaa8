"""What a server that stands by says about a request that it passes on, and how the leader believes it.

The leader sees the standby's address, not the sender's, and it never made the local token of the standby's
data folder. So the standby says who asks and how they see it, sealed with a secret that only the servers of
the installation know: it is in their database.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.api.sender import is_known, note_known
from danlu.codec import decode, encode
from danlu.wording.catalogue import language_of_header

HEADER = b"x-danlu-passed-on"
NOT_LEADING = b"x-danlu-not-leading"
"""Of an answer: nothing was done."""
KNOWN = b"x-danlu-known"
"""Of an answer: who asked has shown who they are."""
SKEW_S = 300.0

Vouch = Callable[[str], Awaitable[str]]
"""The token of the user who started another server, by their name."""


@dataclass(frozen=True, slots=True)
class ForwardedRequest:
    """A request as its sender sees it. `starter` is who started the standby, when the sender is one who can
    read its data folder."""

    client: str
    scheme: str
    host: str
    root_path: str
    starter: str | None = None


def seal(secret: str, passed: ForwardedRequest, method: str, target: str, now: float) -> bytes:
    """The value of the header. `target` is the path as it is sent on, with its query."""
    said = json.dumps({**encode(passed), "at": now}).encode()
    return urlsafe_b64encode(said) + b"." + _sign(secret, said, method, target)


def unseal(secret: str, header: bytes, method: str, target: str, now: float) -> ForwardedRequest | None:
    """None for what no server of ours has said just now. Without a secret there is no such server."""
    if not secret:
        return None
    encoded, _, signature = header.partition(b".")
    try:
        said = urlsafe_b64decode(encoded)
    except ValueError:
        return None
    if not hmac.compare_digest(_sign(secret, said, method, target), signature):
        return None
    facts = json.loads(said)
    return decode(ForwardedRequest, facts, trusted=True) if abs(now - facts["at"]) <= SKEW_S else None


def _sign(secret: str, said: bytes, method: str, target: str) -> bytes:
    message = b"\n".join((method.encode(), target.encode(), said))
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest().encode()


@dataclass(frozen=True, slots=True)
class Trust:
    """What a leader needs to take requests from the others."""

    secret: str
    vouch: Vouch


class Entrance:
    """Takes in what another server has passed on, which has seen to it that it was meant for us; everything
    else goes through the front door."""

    def __init__(
        self,
        front_door: ASGIApp,
        inside: ASGIApp,
        trust: Callable[[], Trust | None],
        clock: Callable[[], float],
    ) -> None:
        self._front_door = front_door
        self._inside = inside
        self._trust = trust
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or (header := _header(scope)) is None:
            await self._front_door(scope, receive, send)
            return
        trust = self._trust()
        if trust is None:
            # Passed on to the leader that we were a moment ago: to pass it on again might go on for ever.
            refusal = _refuse(scope, 503, "no_leader")
            refusal.headers[NOT_LEADING.decode()] = "1"
            await refusal(scope, receive, send)
            return
        passed = unseal(trust.secret, header, scope["method"], target_of(scope), self._clock())
        if passed is None:
            await _refuse(scope, 403, "not_passed_on")(scope, receive, send)
            return
        token = await trust.vouch(passed.starter) if passed.starter else None
        inside = _as_sent(scope, passed, token)

        async def send_told(message: Message) -> None:
            if message["type"] == "http.response.start" and is_known(inside):
                message["headers"] = [*message["headers"], (KNOWN, b"1")]
            await send(message)

        # The connection is that of a server of ours, for which user it may ask.
        note_known(scope)
        await self._inside(inside, receive, send_told)


def target_of(scope: Scope) -> str:
    """The path and query of a request as they were sent."""
    path: bytes = scope["raw_path"]
    query: bytes = scope["query_string"]
    return (path + b"?" + query if query else path).decode("latin-1")


def _header(scope: Scope) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == HEADER), None)


def _refuse(scope: Scope, status: int, code: str) -> Response:
    said = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return problem_response(language_of_header(said.decode("latin-1")), status, code)


def _as_sent(scope: Scope, passed: ForwardedRequest, token: str | None) -> Scope:
    replaced = {b"host", HEADER, *((b"authorization",) if token else ())}
    headers = [pair for pair in scope["headers"] if pair[0] not in replaced]
    headers.append((b"host", passed.host.encode("latin-1")))
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    return {
        **scope,
        "client": (passed.client, 0),
        "scheme": passed.scheme,
        "root_path": passed.root_path,
        "path": passed.root_path + scope["path"],
        "headers": headers,
        # The user who asks has yet to show who they are.
        "state": {},
    }
