"""The stream of everything that happens, resumable from any event."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Header, Query, Request
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.streams.event_following import EventFollower, EventNews, Hello, show_hello
from danlu.api.streams.sse import HEARTBEAT, frame, stream
from danlu.api.views.event_views import show_event
from danlu.codec import encode
from danlu.wire.nodes.node import Readings

router = make_router("events")

PING = frame("ping", {})


class EventStream(StreamingResponse):
    """For the API's description alone; `stream` makes the answer."""

    media_type = "text/event-stream"


@router.get(
    "/events",
    response_class=EventStream,
    responses={200: {"model": Readings, "description": "Events; the schema is the data of `readings`."}},
)
async def follow_events(
    request: Request,
    user: TheUser,
    control: TheControl,
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    last_seen: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**62)] = None,
    readings: bool = False,
) -> StreamingResponse:
    """Every event from now on, or from the one behind `after` (or Last-Event-ID). Where some behind that one
    were removed for their age, the first event, `hello`, says `"reset": true`: ask for everything afresh.
    What happens to accounts is told to their users and to administrators.

    With `readings` also what the nodes are doing, as events `readings` without an id: the first tells of all
    nodes, the others of those that changed.
    """
    state = request.app.state
    follower = EventFollower(user, control, state.readings if readings else None)
    told = follower.follow(last_seen if last_seen is not None else after)
    # A page cannot see comments, and wants to tell a quiet server from a dead connection.
    return stream(_frame(told, state.server_id, PING if readings else HEARTBEAT))


async def _frame(told: AsyncIterator[EventNews], server_id: str, quiet: bytes) -> AsyncIterator[bytes]:
    async for news in told:
        if news is None:
            yield quiet
        elif isinstance(news, Hello):
            yield frame("hello", show_hello(news, server_id), news.after)
        elif isinstance(news, bytes):
            yield b"event: readings\ndata: %b\n\n" % news
        else:
            yield b"".join(frame(event.kind.value, encode(show_event(event)), event.id) for event in news)
