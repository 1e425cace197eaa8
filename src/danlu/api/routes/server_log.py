"""The server's own log: for administrators, and for members where the setting says so."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le
from fastapi import Depends, Header, Query
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.streams.server_log_following import (
    ServerLogFollower,
    check_may_read,
    frame_server_log,
    show_entry,
)
from danlu.api.streams.sse import stream
from danlu.control.system.server_log import Wanted
from danlu.core.user import User
from danlu.wire.fields import ShortText
from danlu.wire.server_log import LogLevel, ServerLogPage

router = make_router("server", "/server/log")


async def reader_of_the_log(user: TheUser, control: TheControl) -> User:
    await check_may_read(control, user)
    return user


TheReader = Annotated[User, Depends(reader_of_the_log)]


@router.get("")
async def read_server_log(
    reader: TheReader,
    control: TheControl,
    level: LogLevel = "info",
    text: ShortText = "",
    limit: Annotated[int, Ge(1), Le(5000)] = 500,
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> ServerLogPage:
    """The latest entries of a level and above, the oldest first; with `before` those before that id."""
    wanted = Wanted(level, text, with_trace=reader.is_admin)
    entries, more = control.server_log.page(wanted, before, limit)
    return ServerLogPage(
        entries=[show_entry(entry, wanted) for entry in entries], next=entries[0].id if more else None
    )


@router.get(
    "/follow",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def follow_server_log(
    reader: TheReader,
    control: TheControl,
    level: LogLevel = "info",
    text: ShortText = "",
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    last_seen: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**62)] = None,
) -> StreamingResponse:
    """An `entry` event for each entry from now on, or from the one behind `after` (or Last-Event-ID)."""
    seen = last_seen if last_seen is not None else after
    wanted = Wanted(level, text, with_trace=reader.is_admin)
    return stream(frame_server_log(ServerLogFollower(control, reader, wanted).follow(seen)))
