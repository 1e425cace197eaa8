"""One call of the API: the address, the token, the language, the tries, the errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import urlencode

from danlu.sdk.errors import ApiError, NotDanlu, Unreachable
from danlu.sdk.patience import Patience
from danlu.sdk.transport import Broken, Reply, ReplyStream, Request, Transport

if TYPE_CHECKING:
    from danlu.sdk.connection import Locate, Server

T = TypeVar("T")
PREFIX = "/api/v1"
LONG_SILENCE_S = 3600.0
Query = Mapping[str, str | int | bool | None]


class Api:
    """Plumbing shared by the resources of a client.

    A server that never answered is reported at once. One that answered before and is gone now is waited
    for, up to `patience_s`, as long as trying again cannot do a thing twice."""

    def __init__(
        self,
        locate: Locate,
        transport: Transport,
        *,
        language: str = "en",
        patience_s: float = 15.0,
        on_break: Callable[[str], None] | None = None,
    ) -> None:
        self._locate = locate
        self._transport = transport
        self._language = language
        self._patience_s = patience_s
        self._on_break = on_break
        self._answered = False

    @property
    def server(self) -> Server:
        return self._locate()

    def close(self) -> None:
        self._transport.close()

    def get(self, kind: type[T], path: str, query: Query | None = None) -> T:
        from danlu.wire.decode import decode

        return decode(kind, self.get_json(path, query))

    def get_json(self, path: str, query: Query | None = None) -> Any:
        """Parsed JSON exactly as the server sent it."""
        return self._json(self.call("GET", path, query=query))

    def ask(
        self, kind: type[T], method: str, path: str, *, body: Any = None, query: Query | None = None
    ) -> T:
        """Change something, and get what became of it."""
        from danlu.wire.decode import decode, encode

        return decode(kind, self._json(self.call(method, path, query=query, body=encode(body))))

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = False,
    ) -> Reply:
        """The answer to a request that was not refused. Raises ApiError, Unreachable, NotDanlu."""
        repeatable = repeatable or method == "GET"
        patience = Patience(self._patience_s)
        while True:
            server = self._locate()
            request = self._request(
                server,
                method,
                path,
                query=query,
                headers=headers,
                body=body,
                content=content,
                repeatable=repeatable,
            )
            try:
                reply = self._transport.send(request)
            except Broken as broken:
                self._answered = self._answered or broken.delivered
                harmless = repeatable or not broken.delivered
                if not (harmless and self._answered):
                    raise Unreachable(server.url, broken.reason) from broken
                self._wait(patience, server, broken.reason)
                continue
            self._answered = True
            if reply.status >= 400:
                self._refuse(server, reply.status, reply.body)
            return reply

    def upload(self, kind: type[T], path: str, content: bytes) -> T:
        """Hand in bytes whose storing twice does no more than storing once."""
        from danlu.wire.decode import decode

        return decode(kind, self._json(self.call("POST", path, content=content, repeatable=True)))

    def download(self, method: str, path: str, *, body: Any = None) -> Iterator[bytes]:
        """A large answer as it comes, perhaps after a long silence. Raises ApiError, NotDanlu, Unreachable
        (also when it breaks off)."""
        server = self._locate()
        asking = self._request(server, method, path, query=None, headers=None, body=body)
        try:
            stream = self._transport.open(replace(asking, answer_timeout_s=LONG_SILENCE_S))
            try:
                if stream.status >= 400:
                    self._refuse(server, stream.status, _read_all(stream))
                while piece := stream.read_some():
                    yield piece
            finally:
                stream.close()
        except Broken as broken:
            raise Unreachable(server.url, broken.reason) from broken

    def json_call(self, method: str, path: str, **options: Any) -> Any:
        return self._json(self.call(method, path, **options))

    def patience(self) -> Patience:
        return Patience(self._patience_s)

    def wait(self, patience: Patience, reason: str) -> None:
        """Sleep before trying a stream again. Raises Unreachable when the time is up, or when the server
        never answered at all."""
        server = self._locate()
        if not self._answered:
            raise Unreachable(server.url, reason)
        self._wait(patience, server, reason)

    @contextmanager
    def open(
        self, path: str, query: Query | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[ReplyStream]:
        """A stream of events. Raises Broken, ApiError, NotDanlu."""
        server = self._locate()
        accepting = {**(headers or {}), "Accept": "text/event-stream"}
        stream = self._transport.open(self._request(server, "GET", path, query=query, headers=accepting))
        try:
            self._answered = True
            if stream.status >= 400:
                self._refuse(server, stream.status, _read_all(stream))
            yield stream
        finally:
            stream.close()

    def _wait(self, patience: Patience, server: Server, reason: str) -> None:
        if self._on_break is not None:
            self._on_break(reason)
        if not patience.pause():
            raise Unreachable(server.url, reason)

    def _request(
        self,
        server: Server,
        method: str,
        path: str,
        *,
        query: Query | None,
        headers: Mapping[str, str] | None,
        body: Any = None,
        content: bytes | None = None,
        repeatable: bool = False,
    ) -> Request:
        said = {"Accept": "application/json", "Accept-Language": self._language, **(headers or {})}
        if server.token:
            said["Authorization"] = f"Bearer {server.token}"
        if content is not None:
            said["Content-Type"] = "application/octet-stream"
        elif body is not None:
            said["Content-Type"] = "application/json"
            content = json.dumps(body, allow_nan=False).encode()
        url = server.url + PREFIX + path
        if pairs := _pairs(query):
            url += "?" + urlencode(pairs)
        return Request(method, url, said, content, repeatable, server.fingerprint)

    def _json(self, reply: Reply) -> Any:
        try:
            return json.loads(reply.body)
        except ValueError as fault:
            raise NotDanlu(self._locate().url, reply.status) from fault

    def _refuse(self, server: Server, status: int, body: bytes) -> NoReturn:
        from danlu.wire.decode import decode
        from danlu.wire.server import Problem

        try:
            problem = decode(Problem, json.loads(body))
        except (ValueError, TypeError) as fault:
            raise NotDanlu(server.url, status) from fault
        raise ApiError(problem, status)


def _pairs(query: Query | None) -> list[tuple[str, str]]:
    said = ((name, value) for name, value in (query or {}).items() if value is not None)
    return [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in said]


def _read_all(stream: ReplyStream) -> bytes:
    pieces = []
    while piece := stream.read_some():
        pieces.append(piece)
    return b"".join(pieces)
