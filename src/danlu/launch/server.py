"""Serves the API of an installation until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn

from danlu.api.app import make_app
from danlu.api.front_door import FrontDoor
from danlu.control.control import Control
from danlu.launch.certificate import Certificate, load_into, make_context
from danlu.launch.http_protocol import PromptHttp
from danlu.launch.installation import Installation
from danlu.launch.reach import Encryption, Reach
from danlu.launch.tls_keeping import keep_fresh

log = logging.getLogger(__name__)

GRACE_S = 3


class Server:
    """One uvicorn server over one installation."""

    def __init__(
        self,
        installation: Installation,
        listener: socket.socket,
        reach: Reach,
        on_new_certificate: Callable[[Certificate], None],
    ) -> None:
        self._control: Control = installation.control
        self._listener = listener
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stop_jobs = False
        self._encryption: Encryption | None = reach.encryption
        self._context: ssl.SSLContext | None = None
        self._on_new_certificate = on_new_certificate
        app = make_app(installation.control, installation.access, self.stop, reach.front)
        config = uvicorn.Config(
            FrontDoor(app, reach.front),
            http=PromptHttp,
            # Who may be believed is ours to say, and so is what they may be believed.
            proxy_headers=False,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=GRACE_S,
            server_header=False,
        )
        if self._encryption is not None:
            context = self._context = make_context()
            load_into(context, self._encryption.certificate)
            config.ssl_context_factory = lambda *_: context
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
        refreshing = asyncio.create_task(self._keep_certificate_fresh())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        if self._stop_jobs:
            await self._stop_with_jobs()
        self._control.hub.close()
        self._uvicorn.should_exit = True
        await serving
        stopping.cancel()
        refreshing.cancel()

    async def _keep_certificate_fresh(self) -> None:
        if self._encryption is not None and self._context is not None:
            await keep_fresh(self._encryption, self._context, self._on_new_certificate)

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
