"""What every request passes on its way in and every answer on its way out."""

from __future__ import annotations

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.api.proxy import Arrival, Front, arrive
from danlu.core.origin import Origin, Via, acting_from
from danlu.wording.catalogue import language_of_header

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ALWAYS: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
UNLESS_SAID: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=15552000")


class FrontDoor:
    """Refuses what was meant for another host or sent by another site's page; the rest goes in as its sender
    sees it. Stands around the whole application, so that no answer leaves without its security headers."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self._app = app
        self._front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _fold(scope["headers"])
        peer = scope["client"][0] if scope["client"] else ""
        arrival = arrive(self._front, peer, scope["scheme"], headers, scope["path"])
        inside = self._choose(arrival, scope["method"], headers)
        came = acting_from.set(Origin(Via.SIGN_IN, arrival.client))
        try:
            await inside(_as_seen(scope, arrival), receive, self._sealed(send, arrival.scheme))
        finally:
            acting_from.reset(came)

    def _choose(self, arrival: Arrival, method: str, headers: dict[bytes, bytes]) -> ASGIApp:
        language = language_of_header(headers.get(b"accept-language", b"").decode("latin-1"))
        if arrival.host and not self._front.answers_to(arrival.host):
            return problem_response(language, 421, "wrong_host", host=arrival.host)
        origin = headers.get(b"origin", b"").decode("latin-1")
        if method not in SAFE_METHODS and origin:
            own = self._front.is_own_origin(origin, arrival.scheme, arrival.host)
            if not own:
                return problem_response(language, 403, "foreign_origin", origin=origin)
        if arrival.root_path and arrival.path == arrival.root_path:
            return RedirectResponse(f"{arrival.root_path}/", 308)
        return self._app

    def _sealed(self, send: Send, scheme: str) -> Send:
        strict = (STRICT_TRANSPORT,) if self._front.strict_transport and scheme == "https" else ()

        async def send_sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name for name, _ in message["headers"]}
                missing = [pair for pair in UNLESS_SAID if pair[0] not in said]
                message["headers"] = [*message["headers"], *ALWAYS, *missing, *strict]
            await send(message)

        return send_sealed


def _fold(pairs: list[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """One value per header. A second Host makes a name that no host has, instead of a choice between two."""
    folded: dict[bytes, bytes] = {}
    for name, value in pairs:
        folded[name] = folded[name] + b", " + value if name in folded else value
    return folded


def _as_seen(scope: Scope, arrival: Arrival) -> Scope:
    """The scope as if there were no proxy in between."""
    host = arrival.host.encode("latin-1")
    headers = scope["headers"]
    if (b"host", host) not in headers:
        headers = [(b"host", host), *(pair for pair in headers if pair[0] != b"host")]
    port = scope["client"][1] if scope["client"] else 0
    return {
        **scope,
        "client": (arrival.client, port),
        "scheme": arrival.scheme,
        "root_path": arrival.root_path,
        "path": arrival.path,
        "headers": headers,
    }
