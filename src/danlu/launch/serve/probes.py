"""What a monitor or load balancer asks the server: `/health`, whether the process answers at all, and
`/ready`, whether it can do its work just now. They need not sign in, and nothing is told but why not."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.control.control import Control
from danlu.core.errors import DanluError, Unavailable
from danlu.store.engine.database import touch
from danlu.wire.units import show_memory
from danlu.wording.catalogue import language_of_header

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""The database has so long to answer."""
FRESH_S = 2.0
"""So long an answer is given again: any client may ask, and each look is a write."""
LEAST_FREE = 16 << 20

PATHS = frozenset({"/health", "/ready"})


class Readiness:
    """Whether an installation can read and write."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._looked: tuple[float, Unavailable | None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def check(self) -> None:
        """Raises Unavailable."""
        async with self._one_at_a_time:
            if self._looked is None or time.monotonic() - self._looked[0] > FRESH_S:
                self._looked = (time.monotonic(), await self._look())
        problem = self._looked[1]
        if problem is not None:
            raise problem

    async def _look(self) -> Unavailable | None:
        try:
            async with asyncio.timeout(LOOK_S):
                await self._check_disk()
                await self._control.database.read(lambda connection: connection.exec_driver_sql("SELECT 1"))
                await self._control.database.write(touch)
        except Unavailable as problem:
            return problem
        except TimeoutError:
            return Unavailable("database_silent", seconds=round(LOOK_S))
        except Exception:
            log.exception("could not find out whether the server is ready")
            return Unavailable("storage_failed", reason="see the server's log")
        return None

    async def _check_disk(self) -> None:
        data = self._control.settings.data
        free = (await asyncio.to_thread(shutil.disk_usage, data)).free
        if self._control.database.is_disk_full or free < LEAST_FREE:
            raise Unavailable("disk_full", reason=f"{data} ({show_memory(free >> 20)})")


class Probes:
    """Answers the two questions, and passes on everything else. `readiness` is that of the installation which
    is served now, None for a server that stands by: it is ready when the leader that it passes everything on
    to says so."""

    def __init__(
        self,
        app: ASGIApp,
        readiness: Callable[[], Readiness | None],
        is_stopping: Callable[[], bool],
    ) -> None:
        self._app = app
        self._readiness = readiness
        self._is_stopping = is_stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "http" else ""
        if path not in PATHS:
            await self._app(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        language = language_of_header(said)
        if scope["method"] not in ("GET", "HEAD"):
            refusal = problem_response(language, 405, "wrong_method", path=path, method=scope["method"])
            refusal.headers["Allow"] = "GET, HEAD"
            await refusal(scope, receive, send)
        elif path == "/health":
            await _answer("ok")(scope, receive, send)
        else:
            try:
                response = await self._ask(scope, receive, send)
            except DanluError as problem:
                response = problem_response(
                    language, problem.status, problem.code, **{"wait_s": round(FRESH_S), **problem.facts}
                )
            if response is not None:
                await response(scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        """The answer, unless it was given already. Raises Unavailable."""
        if self._is_stopping():
            raise Unavailable("stopping")
        readiness = self._readiness()
        if readiness is not None:
            await readiness.check()
            return _answer("ready")
        await _ask_in_time(self._app, scope, receive, send)
        return None


def _answer(status: str) -> Response:
    return JSONResponse({"status": status}, headers={"Cache-Control": "no-store"})


async def _ask_in_time(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Let the leader answer. Raises Unavailable when it does not begin to within a few seconds."""
    begun = False

    async def send_and_note(message: Message) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        async with asyncio.timeout(LOOK_S):
            await app(scope, receive, send_and_note)
    except TimeoutError:
        if not begun:
            raise Unavailable("no_leader") from None
