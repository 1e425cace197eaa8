"""The HTTP server behind the door."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from danlu.launch.door.acceptor import Acceptor
from danlu.launch.door.connections import Connections, Limits
from danlu.launch.door.http_protocol import PromptHttp


class HttpServer(uvicorn.Server):
    """uvicorn that says when it is ready, and leaves it to us who may connect and what a signal means."""

    def __init__(
        self,
        config: uvicorn.Config,
        limits: Limits | None = None,
        trusts: Callable[[str], bool] = lambda _: False,
    ) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.seats = Connections(limits or Limits())
        self._trusts = trusts
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        context = self.config.ssl if self.config.is_ssl else None
        for listener in sockets or []:
            acceptor = Acceptor(listener, self.seats, self._make_protocol, context, self._trusts)
            acceptor.start()
            self._acceptors.append(acceptor)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)

    def _make_protocol(self) -> PromptHttp:
        loop = asyncio.get_running_loop()
        return PromptHttp(self.config, self.server_state, self.lifespan.state, loop)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
