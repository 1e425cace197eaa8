"""The HTTP face: thin routes over the control side."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from fastapi import FastAPI

from danlu import __version__
from danlu.api.answers import Answers, QuickAnswers
from danlu.api.errors import add_error_handlers
from danlu.api.limits import BodyLimit
from danlu.api.logs.log_sharing import SharedLogs
from danlu.api.proxy import Front
from danlu.api.router import PREFIX
from danlu.api.routes import (
    accounts,
    audit,
    bulk_actions,
    calls,
    doctor,
    events,
    examples,
    folders,
    forms,
    groups,
    installations,
    jobs,
    live,
    locks,
    log_download,
    logs,
    members,
    nodes,
    notices,
    server,
    server_log,
    settings,
    usage,
    users,
)
from danlu.api.streams.live_streams import LiveStreams
from danlu.api.streams.open_streams import OpenStreams
from danlu.api.streams.readings_feed import ReadingsFeed
from danlu.api.web import serve_web
from danlu.control.control import Control
from danlu.control.identity.access import Access


def make_app(
    control: Control,
    access: Access,
    stop: Callable[[bool], None],
    front: Front | None = None,
    fingerprint: Callable[[], str | None] = lambda: None,
) -> FastAPI:
    """The application. `stop(stop_jobs)` is called when an admin asks the server to stop; `fingerprint` says
    that of the key which the server has now."""
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
    app.state.readings = ReadingsFeed(control)
    app.state.live_streams = LiveStreams()
    app.state.server_id = secrets.token_hex(8)
    app.state.since = time.time()
    app.state.stop = stop
    app.state.front = front or Front()
    app.state.fingerprint = fingerprint
    # In the order of how often they are asked for: each is looked through until one fits.
    for room in (
        jobs,
        logs,
        # Before `nodes`: its paths are more special.
        installations,
        nodes,
        doctor,
        server,
        events,
        live,
        forms,
        usage,
        calls,
        bulk_actions,
        folders,
        log_download,
        locks,
        examples,
        members,
        accounts,
        users,
        groups,
        server_log,
        settings,
        audit,
        notices,
    ):
        app.router.routes.extend(room.router.routes)
    app.add_middleware(BodyLimit, access=access, control=control)
    app.add_middleware(QuickAnswers, answers=app.state.answers, access=access)
    app.add_middleware(OpenStreams, access=access, control=control)
    add_error_handlers(app)
    serve_web(app)
    return app
