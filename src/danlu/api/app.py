"""The HTTP face: thin routes over the control side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse

from danlu import __version__
from danlu.api.errors import add_error_handlers
from danlu.api.limits import BodyLimit
from danlu.api.routes import accounts, events, jobs, logs, nodes, server, users
from danlu.control.access import Access
from danlu.control.control import Control
from danlu.wire.server import Problem

PREFIX = "/api/v1"
CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"
PAGE = Path(__file__).parent / "page"
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 409, 413, 422, 429, 503)
}


def make_app(control: Control, access: Access, stop: Callable[[bool], None]) -> FastAPI:
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
    app.state.stop = stop
    for room in (accounts, users, jobs, logs, events, nodes, server):
        app.include_router(room.router, prefix=PREFIX, responses=ERRORS)
    app.add_middleware(BodyLimit)
    add_error_handlers(app)

    @app.get("/", include_in_schema=False)
    async def front_page() -> FileResponse:
        headers = {
            "Content-Security-Policy": CONTENT_POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        return FileResponse(PAGE / "index.html", headers=headers)

    @app.get("/page/{name}", include_in_schema=False)
    async def page_part(name: str) -> FileResponse:
        return FileResponse(PAGE / ("page.css" if name == "page.css" else "page.js"))

    return app
