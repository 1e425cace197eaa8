"""Requests are answered by what a server leads while it leads; who waits when that is lost is told so."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.wording.catalogue import language_of_header


class WhileLeading:
    """An application around that of an installation. What hangs in there, on a database that does not answer,
    say, is not waited for once `lose` was called."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside
        self._under_way: dict[asyncio.Task[object], _Answering] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        if task is None or scope["type"] != "http":
            await self._inside(scope, receive, send)
            return
        answering = self._under_way[task] = _Answering(send)
        try:
            await self._inside(scope, receive, answering.send)
        except asyncio.CancelledError:
            if not answering.is_lost:
                raise
            task.uncancel()
        finally:
            del self._under_way[task]
        if answering.is_lost and not answering.has_begun:
            said = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
            language = language_of_header(said.decode("latin-1"))
            # It may have been done: who asked has to look.
            await problem_response(language, 503, "leader_lost")(scope, receive, send)

    def lose(self) -> None:
        """This server leads no more. An answer that has begun is not cut short."""
        for task, answering in self._under_way.items():
            if not answering.has_begun:
                answering.is_lost = True
                task.cancel()


class _Answering:
    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False
        self.is_lost = False

    async def send(self, message: Message) -> None:
        self.has_begun = True
        await self._send(message)
