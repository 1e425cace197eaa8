"""The HTTP face: thin routes over the control side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse

from danlu import __version__
from danlu.api.answers import Answers, QuickAnswers
from danlu.api.errors import add_error_handlers
from danlu.api.limits import BodyLimit
from danlu.api.log_sharing import SharedLogs
from danlu.api.proxy import Front
from danlu.api.routes import accounts, calls, events, jobs, logs, nodes, server, users
from danlu.control.access import Access
from danlu.control.control import Control
from danlu.wire.server import Problem

PREFIX = "/api/v1"
CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
PAGE = Path(__file__).parent / "page"
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 409, 413, 422, 429, 503)
}


def make_app(
    control: Control, access: Access, stop: Callable[[bool], None], front: Front | None = None
) -> FastAPI:
    """The application. `stop(stop_jobs)` is called when somebody asks the server to stop."""
    app = FastAPI(
        title="Danlu",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
        telemetry=None,
    )
    app.state.control = control
    app.state.access = access
    app.state.answers = Answers(control)
    app.state.shared_logs = SharedLogs()
    app.state.stop = stop
    app.state.front = front or Front()
    # In the order of how often they are asked for: each is looked through until one fits.
    for room in (jobs, logs, nodes, server, events, calls, accounts, users):
        app.include_router(room.router, prefix=PREFIX, responses=ERRORS)
    app.add_middleware(BodyLimit)
    app.add_middleware(QuickAnswers, answers=app.state.answers, access=access)
    add_error_handlers(app)

    @app.get("/", include_in_schema=False)
    async def front_page() -> FileResponse:
        headers = {"Content-Security-Policy": CONTENT_POLICY, "Cache-Control": "no-cache"}
        return FileResponse(PAGE / "index.html", headers=headers)

    @app.get("/page/{name}", include_in_schema=False)
    async def page_part(name: str) -> FileResponse:
        part = PAGE / ("page.css" if name == "page.css" else "page.js")
        return FileResponse(part, headers={"Cache-Control": "no-cache"})

    return app
