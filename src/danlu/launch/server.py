"""Serves the API of an installation until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn

from danlu.api.app import make_app
from danlu.control.control import Control
from danlu.launch.installation import Installation

log = logging.getLogger(__name__)

GRACE_S = 3


class Server:
    """One uvicorn server over one installation."""

    def __init__(self, installation: Installation, listener: socket.socket) -> None:
        self._control: Control = installation.control
        self._listener = listener
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stop_jobs = False
        app = make_app(installation.control, installation.access, self.stop)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=GRACE_S,
            server_header=False,
        )
        self._uvicorn = _Uvicorn(config)

    def stop(self, stop_jobs: bool = False) -> None:
        """Stop soon. Asked again, do not wait for the jobs any longer: the next start goes on with them."""
        if self._stop.is_set():
            self._hurry.set()
        self._stop_jobs = self._stop_jobs or stop_jobs
        self._stop.set()

    async def run(self, when_ready: Callable[[], Awaitable[None]]) -> None:
        """Serve until `stop`, SIGTERM or SIGINT. With `stop_jobs` the API answers until the jobs are gone."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        serving = asyncio.create_task(self._uvicorn.serve([self._listener]))
        await self._uvicorn.ready.wait()
        await when_ready()
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        if self._stop_jobs:
            await self._stop_with_jobs()
        self._control.hub.close()
        self._uvicorn.should_exit = True
        await serving
        stopping.cancel()

    async def _stop_with_jobs(self) -> None:
        stopping = asyncio.create_task(self._control.stop_jobs())
        hurry = asyncio.create_task(self._hurry.wait())
        await asyncio.wait([stopping, hurry], return_when=asyncio.FIRST_COMPLETED)
        for task in (stopping, hurry):
            task.cancel()
        for result in await asyncio.gather(stopping, hurry, return_exceptions=True):
            if isinstance(result, Exception):
                log.error("could not stop the jobs", exc_info=result)


class _Uvicorn(uvicorn.Server):
    """uvicorn that says when it is ready, and leaves it to us what a signal means."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
