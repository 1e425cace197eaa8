"""Serves the API of an installation until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
import time
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from danlu.agent.open_files import most_open_files
from danlu.api.app import make_app
from danlu.api.front_door import FrontDoor
from danlu.control.control import Control
from danlu.control.identity.access import Access
from danlu.core.errors import Unavailable
from danlu.launch.door.certificate import Certificate, load_into, make_context
from danlu.launch.door.certificate_renewal import keep_fresh
from danlu.launch.door.connections import Limits
from danlu.launch.door.forwarded_request import Entrance, Trust
from danlu.launch.door.http_protocol import PromptHttp
from danlu.launch.door.http_server import HttpServer
from danlu.launch.door.reachability import Encryption, Reachability
from danlu.launch.locations import note_jobs_left
from danlu.launch.serve.installation import Installation
from danlu.launch.serve.probes import Probes, Readiness
from danlu.launch.serve.stepping_back import refusing

log = logging.getLogger(__name__)

GRACE_S = 3
IDLE_S = 30
"""How long a connection may be idle between two requests. A client on a busy machine may take seconds to read
an answer and send the next request, and must not find the door closed in between."""


class ApiServer:
    """One uvicorn server over one installation; where several servers share a database, over one as long as
    this is the one that leads, and else over what there is `meanwhile`."""

    def __init__(
        self,
        installation: Installation | None,
        listener: socket.socket,
        reach: Reachability,
        on_new_certificate: Callable[[Certificate], None],
        meanwhile: ASGIApp | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._control: Control | None = None
        self._readiness: Readiness | None = None
        self._trust: Trust | None = None
        self._front = reach.front
        self._meanwhile = meanwhile
        self._inside = meanwhile
        self._listener = listener
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stop_jobs = False
        self._encryption: Encryption | None = reach.encryption
        self._context: ssl.SSLContext | None = None
        self._certificate = reach.encryption.certificate if reach.encryption else None
        self._on_new_certificate = on_new_certificate
        if installation is not None:
            inside = self.make_inside(installation.control, installation.access)
            self.admit(installation, inside)
        inside_door = Probes(self._answer, lambda: self._readiness, self._stop.is_set)
        door: ASGIApp = FrontDoor(inside_door, reach.front)
        if meanwhile is not None:
            door = Entrance(door, inside_door, lambda: self._trust, time.time)
        config = uvicorn.Config(
            door,
            http=PromptHttp,
            ws="none",
            # Who may be believed is ours to say, and so is what they may be believed.
            proxy_headers=False,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=GRACE_S,
            timeout_keep_alive=IDLE_S,
            server_header=False,
        )
        if self._encryption is not None:
            context = self._context = make_context()
            load_into(context, self._encryption.certificate)
            config.ssl_context_factory = lambda *_: context
        self._http = HttpServer(config, limits or Limits.within(most_open_files()), reach.front.trusts)

    def make_inside(self, control: Control, access: Access) -> Starlette:
        """The application of an installation."""
        return make_app(control, access, self.stop, self._front, self._fingerprint)

    def admit(self, installation: Installation, inside: ASGIApp, trust: Trust | None = None) -> None:
        """Serve this installation from now on, also to whom `trust` lets in."""
        self._control, self._inside, self._trust = installation.control, inside, trust
        self._readiness = Readiness(installation.control)

    def refuse(self, refusal: Unavailable) -> None:
        """Serve nothing but this any more."""
        if self._control is not None:
            self._control.bus.close()
        self._inside, self._readiness = refusing(refusal), None

    def dismiss(self) -> None:
        """Serve it no longer. Clients that follow something there have to ask again."""
        if self._control is not None:
            self._control.bus.close()
        self._control, self._trust, self._inside = None, None, self._meanwhile
        self._readiness = None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._inside is not None:
            await self._inside(scope, receive, send)

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
        serving = asyncio.create_task(self._http.serve([self._listener]))
        await self._http.ready.wait()
        await when_ready()
        stopping = asyncio.create_task(self._stop.wait())
        refreshing = asyncio.create_task(self._keep_certificate_fresh())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        if self._stop_jobs and self._control is not None:
            await self._stop_with_jobs(self._control)
        if self._control is not None:
            self._control.bus.close()
        self._http.should_exit = True
        await serving
        stopping.cancel()
        refreshing.cancel()

    async def _keep_certificate_fresh(self) -> None:
        if self._encryption is not None and self._context is not None:
            await keep_fresh(self._encryption, self._context, self._take_certificate)

    def _take_certificate(self, fresh: Certificate) -> None:
        self._certificate = fresh
        self._on_new_certificate(fresh)

    def _fingerprint(self) -> str | None:
        return self._certificate.fingerprint if self._certificate is not None else None

    async def _stop_with_jobs(self, control: Control) -> None:
        stopping = asyncio.create_task(control.stop_jobs())
        hurry = asyncio.create_task(self._hurry.wait())
        await asyncio.wait([stopping, hurry], return_when=asyncio.FIRST_COMPLETED)
        for task in (stopping, hurry):
            task.cancel()
        for result in await asyncio.gather(stopping, hurry, return_exceptions=True):
            if isinstance(result, Exception):
                log.error("could not stop the jobs", exc_info=result)
        try:
            note_jobs_left(control.settings.data, await control.count_living())
        except Exception:
            # The command that waits hears that nothing is known.
            log.exception("could not say how many jobs are left")
