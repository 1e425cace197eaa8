"""One connection for all that a browser follows in all its tabs."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheIdentity, TheUser
from danlu.api.errors import TheLanguage
from danlu.api.router import make_router
from danlu.api.streams.live_records import LiveSources
from danlu.api.streams.live_streams import LiveStream, LiveStreams
from danlu.api.streams.sse import stream
from danlu.control.control import Control
from danlu.wire.live import LiveChange, LiveStart

router = make_router("live", "/live")

MEDIA_TYPE = "application/octet-stream"


@router.post("", response_class=StreamingResponse, responses={200: {"content": {MEDIA_TYPE: {}}}})
async def open_live(
    request: Request,
    start: LiveStart,
    identity: TheIdentity,
    user: TheUser,
    control: TheControl,
    language: TheLanguage,
) -> StreamingResponse:
    """Events, readings, logs of jobs and the server's log in one stream of records: lines of JSON, and behind
    that of a `chunk` its `length` bytes. The first names the `stream`; each other has the `channel` that it
    is of. A channel that may not be followed is `refused`, which ends that one alone."""
    state = request.app.state
    sources = LiveSources(control, user, state.shared_logs, state.readings, state.server_id)
    opened = LiveStream(identity.secret_hash, sources.follow, language, start.channels)
    return stream(_tell(state.live_streams, opened, control), MEDIA_TYPE)


@router.post("/{stream}/channels", status_code=204)
async def change_live(
    request: Request, stream: str, change: LiveChange, identity: TheIdentity, _user: TheUser
) -> Response:
    """Open and close channels of a stream, for the session that opened it."""
    streams: LiveStreams = request.app.state.live_streams
    streams.find(stream, identity.secret_hash).change(change)
    return Response(status_code=204)


async def _tell(streams: LiveStreams, opened: LiveStream, control: Control) -> AsyncIterator[bytes]:
    with streams.keep(opened):
        async for told in opened.records(control.bus, control.settings.heartbeat_s):
            yield told
