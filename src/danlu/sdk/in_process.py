"""Requests straight into an ASGI application, without a socket: for tests of the SDK and of programs that
use it. `danlu.testing` puts a whole installation behind it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from concurrent.futures import CancelledError
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from danlu.sdk.connecting.transport import Broken, Reply, Request

T = TypeVar("T")
Message = MutableMapping[str, Any]
App = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]

_MOST_PIECES = 16
"""So many pieces of a stream wait for their reader; then the application waits."""


class InProcess:
    """A transport into the application that `open_app` opens. That, and everything of it, lives in a thread
    with an event loop of its own until `close`."""

    def __init__(self, open_app: Callable[[], AbstractAsyncContextManager[App]]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="danlu in process", daemon=True)
        self._thread.start()
        self._exchanges: set[_Exchange] = set()
        self._context = open_app()
        try:
            self._app = self._run(self._context.__aenter__())
        except BaseException:
            self._stop()
            raise

    def send(self, request: Request) -> Reply:
        stream = self.open(request)
        try:
            pieces = []
            while piece := stream.read_some():
                pieces.append(piece)
            return Reply(stream.status, stream.headers, b"".join(pieces))
        finally:
            stream.close()

    def open(self, request: Request) -> _Stream:
        if self._loop.is_closed():
            raise Broken("the application was closed", delivered=False)
        exchange = _Exchange(self._app, request)
        self._exchanges.add(exchange)
        try:
            self._run(exchange.begin())
        except BaseException:
            self._exchanges.discard(exchange)
            raise
        return _Stream(self, exchange)

    def close(self) -> None:
        if self._loop.is_closed():
            return
        try:
            for exchange in list(self._exchanges):
                self._run(exchange.end())
            self._run(self._context.__aexit__(None, None, None))
        finally:
            self._stop()

    def read(self, exchange: _Exchange) -> bytes:
        return self._run(exchange.next())

    def leave(self, exchange: _Exchange) -> None:
        self._exchanges.discard(exchange)
        if not self._loop.is_closed():
            self._run(exchange.end())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except (CancelledError, RuntimeError) as fault:
            work.close()
            raise Broken("the application was closed", delivered=True) from fault

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Stream:
    def __init__(self, transport: InProcess, exchange: _Exchange) -> None:
        self._transport = transport
        self._exchange = exchange
        self.status = exchange.status
        self.headers = exchange.headers

    def read_some(self) -> bytes:
        return self._transport.read(self._exchange)

    def close(self) -> None:
        self._transport.leave(self._exchange)


class _Exchange:
    """One request and its answer, on the application's side of the fence."""

    def __init__(self, app: App, request: Request) -> None:
        self._app = app
        self._request = request
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue(_MOST_PIECES)
        self._begun = asyncio.Event()
        self._gone = asyncio.Event()
        self._asked = False
        self._task: asyncio.Task[None] | None = None
        self.status = 0
        self.headers: dict[str, str] = {}

    async def begin(self) -> None:
        """Return once the head of the answer is there. Raises Broken when none ever comes."""
        self._task = asyncio.create_task(self._serve())
        await self._begun.wait()
        if not self.status:
            raise Broken("the application gave no answer", delivered=True)

    async def next(self) -> bytes:
        return await self._pieces.get()

    async def end(self) -> None:
        """The client is gone."""
        self._gone.set()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        # The client may still be reading.
        while not self._pieces.empty():
            self._pieces.get_nowait()
        self._pieces.put_nowait(b"")

    async def _serve(self) -> None:
        # Whatever it raises, it has answered with an error first, or with nothing at all.
        with contextlib.suppress(Exception):
            await self._app(self._scope(), self._receive, self._send)
        self._begun.set()
        await self._pieces.put(b"")

    def _scope(self) -> dict[str, Any]:
        parts = urlsplit(self._request.url)
        headers = [
            (name.lower().encode(), value.encode("latin-1")) for name, value in self._request.headers.items()
        ]
        headers.append((b"host", parts.netloc.encode()))
        if self._request.body is not None:
            headers.append((b"content-length", str(len(self._request.body)).encode()))
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": self._request.method,
            "scheme": parts.scheme,
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 0),
            "server": (parts.hostname, parts.port),
        }

    async def _receive(self) -> Message:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": self._request.body or b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            self.headers = {
                name.decode().lower(): value.decode("latin-1") for name, value in message["headers"]
            }
            self._begun.set()
        elif message.get("body"):
            await self._pieces.put(bytes(message["body"]))
