"""HTTP connections that may not dawdle."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from danlu.api.errors import problem_response
from danlu.api.sender import is_known
from danlu.launch.door.connections import ConnectionSlot

HEADERS_S = 30.0
"""Within this time of connecting, or of its first byte, the headers of a request must be there."""
LONGEST_HEADERS = 64 * 1024
BODY_CHECK_S = 30.0
LEAST_BODY = 16 * 1024
"""So much of an unfinished body has to come within each such time, or its end."""
STALL_S = 30.0
"""So long a stranger may leave an answer unread."""

_CYCLE = "danlu_cycle"
"""Under this name a request's state has uvicorn's own object of the request and its answer."""
LARGE = 64 * 1024
"""Pieces of an answer of this size are not worth copying."""


class PromptHttp(HttpToolsProtocol):
    """uvicorn closes connections that are idle between requests. This one also those that never finish the
    headers or the body of a request, or never read their answer: a few thousand of them would keep all other
    clients out. `seat` is their place among all connections."""

    seat: ConnectionSlot
    _deadline: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _body_bytes = 0
    _body_checked = 0
    _reads_head = True

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.app = cast(Any, _sending_without_copies(cast(ASGIApp, self.app), self))

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.seat.send_away = self.give_way
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        if self._reads_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._reads_head and self._head_bytes > LONGEST_HEADERS and not self.transport.is_closing():
            self._refuse(431, "headers_too_large", limit_kb=LONGEST_HEADERS // 1024)
        elif self._is_idle() and self._deadline is None and self.timeout_keep_alive_task is None:
            # An empty line between two requests ends uvicorn's own waiting, and begins nothing.
            self._expect_headers()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reads_head = True
        self.seat.wait()
        self._expect_headers()

    def on_headers_complete(self) -> None:
        self._reads_head, self._head_bytes = False, 0
        self._expect_body()
        super().on_headers_complete()
        # The application begins at the next turn of the event loop, or later where requests are pipelined.
        self.scope["state"][_CYCLE] = self.cycle

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if is_known(cast(Scope, self.cycle.scope)):
            self.seat.sign_in()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_waiting()
        if self._is_idle():
            self.seat.rest()
        else:
            self.seat.work()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if not self.pipeline and not self.cycle.more_body:
            self.seat.rest()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if not self.seat.signed_in:
            self._stall = self.loop.call_later(STALL_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forget_stall()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._forget_stall()
        self.seat.leave()
        super().connection_lost(exc)

    def give_way(self) -> None:
        """Another connection needs the place."""
        asked = self._head_bytes > 0 or not self._reads_head
        if asked and (self.cycle is None or not self.cycle.response_started):
            self._refuse(503, "too_many_connections")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "bad_request", reason=msg)

    def _is_idle(self) -> bool:
        """Nothing is being answered. The rest of a body may still come that no route wanted to read."""
        return self.cycle is None or self.cycle.response_complete

    def _refuse(self, status: int, code: str, **facts: Any) -> None:
        self.transport.write(refusal_bytes(status, code, **facts))
        self.transport.close()

    def _expect_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS_S, self.transport.abort)

    def _expect_body(self) -> None:
        """Look from time to time whether it still comes."""
        self._stop_waiting()
        self._body_bytes = self._body_checked = 0
        self._deadline = self.loop.call_later(BODY_CHECK_S, self._check_body)

    def _check_body(self) -> None:
        self._deadline = self.loop.call_later(BODY_CHECK_S, self._check_body)
        came, self._body_checked = self._body_bytes - self._body_checked, self._body_bytes
        # As long as we do not read on, the sender cannot send.
        held_up = self.flow.read_paused or self.cycle.waiting_for_100_continue
        if came >= LEAST_BODY or held_up:
            return
        if self.cycle.response_started:
            self.transport.close()
        else:
            self._refuse(408, "body_too_slow", seconds=round(BODY_CHECK_S))

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None


def refusal_bytes(status: int, code: str, **facts: Any) -> bytes:
    """A whole answer, for clients whose language is not known."""
    answer = problem_response("en", status, code, **facts)
    head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode(), b"connection: close"]
    head += [name + b": " + value for name, value in answer.raw_headers]
    return b"\r\n".join([*head, b"", bytes(answer.body)])


def _sending_without_copies(app: ASGIApp, connection: PromptHttp) -> ASGIApp:
    """uvicorn copies every piece of a streamed answer to put its length before it. A log that grows by tens
    of megabytes a second goes to many at a time: they all get the same bytes, and none a copy."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        cycle: RequestResponseCycle = scope["state"].pop(_CYCLE)
        is_head = scope["method"] == "HEAD"

        async def send_lean(message: Message) -> None:
            if message["type"] == "http.response.start" and is_known(scope):
                connection.seat.sign_in()
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
