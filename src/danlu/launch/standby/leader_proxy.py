"""What a server does with a request while it stands by: it passes it on to the one that leads."""

from __future__ import annotations

import asyncio
import hmac
import logging
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import httpcore
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.api.front_door import ALWAYS, SAFE_METHODS, STRICT_TRANSPORT
from danlu.api.sender import note_known
from danlu.core.errors import Unavailable
from danlu.launch.door.forwarded_request import HEADER, KNOWN, NOT_LEADING, ForwardedRequest, seal
from danlu.sdk.connecting.pinning import NoFingerprint, fingerprint_of, same_fingerprint
from danlu.wording.catalogue import language_of_header

log = logging.getLogger(__name__)

CONNECT_S = 3.0
HOLD_S = 20.0
"""How long a request waits for the next leader before it is refused."""
MOST_HELD = 500
MOMENT_S = 1.0
KEPT_BODY = 256 << 10
IDLE_S = 2.0
"""Let go of a quiet connection before the leader does: else a request may meet its end."""

_HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer"
    b" transfer-encoding upgrade".split()
)
_NOT_SENT = _HOP_BY_HOP | {b"host", b"expect", HEADER}
_OF_THE_DOOR = frozenset(name for name, _ in (*ALWAYS, STRICT_TRANSPORT))
"""Our own front door says these, once."""
_NOT_RETURNED = _HOP_BY_HOP | {b"date", b"server", NOT_LEADING, KNOWN} | _OF_THE_DOOR
_KEPT_HERE = "/api/v1/server/stop"
_KEYED = ("/api/v1/jobs", "/api/v1/jobs/batch")
"""What an idempotency key makes safe to repeat."""
_SAFE = "/:@!$&'()*+,;=~"


@dataclass(eq=False)
class LeaderConnection:
    """Where requests go. `url` begins at the leader's root; `secret` seals what is said about them."""

    url: str
    fingerprint: str | None
    secret: str
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Another server leads now: a request that still waits for this one waits in vain."""
    is_reached: bool = True
    """Whether it was there when it was last asked."""

    def __post_init__(self) -> None:
        self.connections = httpcore.AsyncConnectionPool(
            ssl_context=_unquestioning() if self.fingerprint else None,
            max_connections=None,
            keepalive_expiry=IDLE_S,
            network_backend=_PinnedBackend(self.fingerprint) if self.fingerprint else None,
        )

    async def close(self) -> None:
        # A request may still be letting go of a connection.
        with suppress(Exception):
            await self.connections.aclose()


class LeaderProxy:
    """An application that answers as the leader does. `lead` tells it which server that is, None for none;
    `refuse` why none can be asked, as far as this server knows."""

    def __init__(self, local_secret: str, starter: str, clock: Callable[[], float] = time.time) -> None:
        self._local = f"Bearer {local_secret}".encode()
        self._starter = starter
        self._clock = clock
        self._leader: LeaderConnection | None = None
        self._here: ASGIApp | None = None
        self._refusal: Unavailable | None = None
        self._changed = asyncio.Event()
        self._held = 0
        self._closing: set[asyncio.Task[None]] = set()

    def lead(self, leader: LeaderConnection | None, here: ASGIApp | None = None) -> None:
        """Requests go to `leader` from now on; to none, or, where this server leads itself, to the
        application `here`."""
        before, self._leader, self._here = self._leader, leader, here
        self._refusal = None
        if before is not None:
            before.over.set()
            closing = asyncio.create_task(before.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        self._wake()

    def refuse(self, refusal: Unavailable | None) -> None:
        """Answer everything with this, at once, until a server leads: waiting would be in vain. With None,
        requests wait again."""
        if refusal is not None and (self._leader is not None or self._here is not None):
            self.lead(None)
        self._refusal = refusal
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if path == _KEPT_HERE and self._is_local(scope):
            # Meant for this very server, by who stands before it; stopping the leader is another thing.
            await _refuse(scope, 409, "standing_by")(scope, receive, send)
            return
        deadline = time.monotonic() + HOLD_S
        sent = _Sent(scope, receive)
        await sent.read_small()
        tried: LeaderConnection | None = None
        while True:
            leader = await self._next_leader(tried, deadline)
            if leader is None and self._here is not None:
                await self._here(scope, sent.receive, send)
                return
            if leader is None:
                refusal = self._refusal or self._explain(tried)
                await _refuse(scope, 503, refusal.code, wait_s=1, **refusal.facts)(scope, receive, send)
                return
            if await _Passing(sent, send, leader).run(self._request(scope, path, leader)):
                return
            tried = leader

    def _explain(self, tried: LeaderConnection | None) -> Unavailable:
        """Why no leader could be asked. One that goes on leading is there, but not for us."""
        if tried is not None and tried is self._leader and not tried.is_reached:
            return Unavailable("leader_unreachable", url=tried.url)
        return Unavailable("no_leader")

    async def _next_leader(self, tried: LeaderConnection | None, deadline: float) -> LeaderConnection | None:
        """The leader to pass a request on to; None when it is too late. One that could just not be reached
        gets a moment."""
        if self._here is not None or (self._leader is not tried and self._leader is not None):
            return self._leader
        if self._held >= MOST_HELD or self._refusal is not None:
            return None
        self._held += 1
        try:
            while (left_s := deadline - time.monotonic()) > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left_s, MOMENT_S)):
                        await self._changed.wait()
                if self._leader is not None or self._here is not None or self._refusal is not None:
                    return self._leader
        finally:
            self._held -= 1
        return None

    def _is_local(self, scope: Scope) -> bool:
        said = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        return hmac.compare_digest(said, self._local)

    def _request(
        self, scope: Scope, path: str, leader: LeaderConnection
    ) -> tuple[str, list[tuple[bytes, bytes]]]:
        """The target and the headers with which a request goes on."""
        query = scope["query_string"].decode("latin-1")
        target = quote(path, safe=_SAFE) + (f"?{query}" if query else "")
        pairs: list[tuple[bytes, bytes]] = scope["headers"]
        host = next((value for name, value in pairs if name == b"host"), b"").decode("latin-1")
        starter = self._starter if self._is_local(scope) else None
        client = scope["client"][0] if scope["client"] else ""
        passed = ForwardedRequest(client, scope["scheme"], host, scope.get("root_path", ""), starter)
        dropped = _NOT_SENT | ({b"authorization"} if starter else frozenset())
        headers = [(b"host", urlsplit(leader.url).netloc.encode())]
        headers += [pair for pair in pairs if pair[0] not in dropped]
        headers.append((HEADER, seal(leader.secret, passed, scope["method"], target, self._clock())))
        if any(name == b"transfer-encoding" for name, _ in pairs):
            headers.append((b"transfer-encoding", b"chunked"))
        return target, headers


class _Sent:
    """What a client sent. A small body is kept: it can be passed on a second time, when the first server
    turns out not to lead."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self._receive = receive
        self._kept: bytes | None = None
        self._read_all = asyncio.Event()
        self._again: bytes | None = None

    async def read_small(self) -> None:
        """Raises BrokenOff."""
        headers = dict(self.scope["headers"])
        length = headers.get(b"content-length", b"0")
        if b"transfer-encoding" in headers or not length.isdigit() or int(length) > KEPT_BODY:
            return
        self._kept = b"".join([piece async for piece in self._pieces()])
        self._again = self._kept

    @property
    def may_repeat(self) -> bool:
        return self._kept is not None

    @property
    def is_harmless(self) -> bool:
        """It changes nothing, or not a second time, so that it may be asked again."""
        path = self.scope["path"].removeprefix(self.scope.get("root_path", ""))
        is_keyed = path in _KEYED and any(name == b"idempotency-key" for name, _ in self.scope["headers"])
        return self.may_repeat and (self.scope["method"] in SAFE_METHODS or is_keyed)

    def body(self) -> AsyncIterator[bytes] | bytes:
        return self._pieces() if self._kept is None else self._kept

    async def receive(self) -> Message:
        """As if nothing had been read yet."""
        if self._again is not None:
            body, self._again = self._again, None
            return {"type": "http.request", "body": body, "more_body": False}
        return await self._receive()

    async def sender_left(self) -> None:
        await self._read_all.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _pieces(self) -> AsyncIterator[bytes]:
        more = True
        while more:
            message: Message = await self._receive()
            if message["type"] == "http.disconnect":
                raise BrokenOff
            more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]
        self._read_all.set()


class _Passing:
    """One request on its way through."""

    def __init__(self, sent: _Sent, send: Send, leader: LeaderConnection) -> None:
        self._sent = sent
        self._send = send
        self._leader = leader
        self._begun = False

    async def run(self, request: tuple[str, list[tuple[bytes, bytes]]]) -> bool:
        """Pass it on; False when that server could not be reached or does not lead, and nothing is lost."""
        exchange = asyncio.create_task(self._exchange(*request))
        leaving = asyncio.create_task(self._sent.sender_left())
        over = asyncio.create_task(self._leader.over.wait())
        tasks = (exchange, leaving, over)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        outcome = results[0]
        if outcome is None or (exchange.cancelled() and not leaving.cancelled()):
            return True
        self._leader.is_reached = not isinstance(outcome, httpcore.ConnectError | httpcore.ConnectTimeout)
        if not self._leader.is_reached or isinstance(outcome, NotLeading):
            return False
        if not self._begun and self._sent.is_harmless:
            return False
        if self._begun:
            # What was begun cannot be ended well: that the rest is missing must not look like its end.
            raise BrokenOff
        # It may have been done: who asked has to look.
        log.warning("the leader went away with a request: %s", type(outcome).__name__)
        refusal = _refuse(self._sent.scope, 503, "leader_lost")
        await refusal(self._sent.scope, self._sent.receive, self._send)
        return True

    async def _exchange(self, target: str, headers: list[tuple[bytes, bytes]]) -> None:
        parts = urlsplit(self._leader.url)
        request = httpcore.Request(
            self._sent.scope["method"],
            httpcore.URL(scheme=parts.scheme, host=parts.hostname or "", port=parts.port, target=target),
            headers=headers,
            content=self._sent.body(),
            extensions={"timeout": {"connect": CONNECT_S}},
        )
        response = await self._leader.connections.handle_async_request(request)
        try:
            returned = [(name.lower(), value) for name, value in response.headers]
            if any(name == NOT_LEADING for name, _ in returned) and self._sent.may_repeat:
                raise NotLeading
            if any(name == KNOWN for name, _ in returned):
                note_known(self._sent.scope)
            returned = [pair for pair in returned if pair[0] not in _NOT_RETURNED]
            self._begun = True
            await self._send({"type": "http.response.start", "status": response.status, "headers": returned})
            async for piece in response.aiter_stream():
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await response.aclose()


class NotLeading(Exception):
    """Whom we took for the leader says that it is not, and did nothing."""


class BrokenOff(Exception):
    """One of the two sides went away in the middle."""


class _PinnedBackend(httpcore.AsyncNetworkBackend):
    """Connections to the holder of one key, whatever its certificate says."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return _PinnedStream(stream, self._fingerprint)

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class _PinnedStream(httpcore.AsyncNetworkStream):
    """Nothing is said over it before its other side has proved itself in `start_tls`."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, fingerprint: str) -> None:
        self._stream = stream
        self._fingerprint = fingerprint

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        certificate = stream.get_extra_info("ssl_object").getpeercert(binary_form=True)
        try:
            proved = same_fingerprint(fingerprint_of(certificate or b""), self._fingerprint)
        except NoFingerprint:
            proved = False
        if not proved:
            await stream.aclose()
            log.error("the server at the leader's address has another key")
            raise httpcore.ConnectError("another key")
        return stream

    async def aclose(self) -> None:
        await self._stream.aclose()


def _unquestioning() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _refuse(scope: Scope, status: int, code: str, **facts: Any) -> ASGIApp:
    said = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return problem_response(language_of_header(said.decode("latin-1")), status, code, **facts)
