"""HTTP connections that may not dawdle."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn._types import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEADERS_S = 30.0
"""Within this time of connecting, or of its first byte, the headers of a request must be there."""


LARGE = 64 * 1024
"""Pieces of an answer of this size are not worth copying."""


class PromptHttp(HttpToolsProtocol):
    """uvicorn closes connections that are idle between requests; this one also those that never finish the
    headers of a request, of which a few thousand would keep everybody else out."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_headers()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_headers()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        super()._start_asgi_task(cycle, _sending_without_copies(app, cycle))

    def _expect_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _sending_without_copies(app: ASGI3Application, cycle: RequestResponseCycle) -> ASGI3Application:
    """uvicorn copies every piece of a streamed answer to put its length before it. A log that grows by tens
    of megabytes a second goes to many at a time: they all get the same bytes, and none a copy."""
    is_head = cycle.scope["method"] == "HEAD"

    async def run(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        async def send_lean(message: ASGISendEvent) -> None:
            streams = cycle.chunked_encoding and not cycle.response_complete and not is_head
            if message["type"] == "http.response.body" and streams and message.get("more_body"):
                body = message.get("body", b"")
                if len(body) >= LARGE:
                    if cycle.flow.write_paused and not cycle.disconnected:
                        await cycle.flow.drain()
                    if not cycle.disconnected:
                        cycle.transport.writelines((b"%x\r\n" % len(body), body, b"\r\n"))
                    return
            await send(message)

        await app(scope, receive, send_lean)

    return run
