"""The stream of everything that happens, resumable from any event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

from fastapi import Header, Query, Request
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection

from danlu import __version__
from danlu.api.auth import TheControl, TheUser
from danlu.api.readings_feed import ReadingsFeed
from danlu.api.router import make_router
from danlu.api.sse import HEARTBEAT, frame, stream
from danlu.api.views import show_event
from danlu.control.control import Control
from danlu.control.hub import Subscription
from danlu.core.events import Event, may_see
from danlu.core.user import User
from danlu.store.events import events_after
from danlu.store.pruning import events_known
from danlu.wire.nodes import Readings

router = make_router("events")

PAGE = 500
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
    follower = _Follower(user, control, state.readings if readings else None, state.server_id)
    return stream(follower.follow(last_seen if last_seen is not None else after))


@dataclass(frozen=True, slots=True)
class _Follower:
    """One who follows the events, and the readings if there is a feed of them."""

    user: User
    control: Control
    feed: ReadingsFeed | None
    server_id: str

    async def follow(self, seen: int | None) -> AsyncIterator[bytes]:
        async with AsyncExitStack() as stack:
            news = stack.enter_context(self.control.hub.subscribe())
            if self.feed is not None:
                await stack.enter_async_context(self.feed.listen(news.nudge))
            newest, pruned = await self.control.database.read(events_known)
            # One who has seen more than there is comes from before a restore.
            reset = seen is not None and not pruned <= seen <= newest
            seen = newest if seen is None else min(seen, newest)
            yield self._hello(seen, reset)
            shown = 0
            behind = True
            while not news.closed:
                if behind:
                    # Before reading: what overruns us while we read must not go unnoticed.
                    behind = news.overrun = False
                    async for last, missed in self._read_missed(seen, pruned):
                        seen = last
                        yield missed
                if self.feed is not None and self.feed.version > shown:
                    readings, shown = self.feed.frame_after(shown), self.feed.version
                    yield readings
                events = await self._wait(news)
                if events is None:
                    # A page cannot see comments, and wants to tell a quiet server from a dead connection.
                    yield HEARTBEAT if self.feed is None else PING
                    continue
                behind = news.overrun
                for told in self._frames(event for event in events if event.id > seen):
                    yield told
                seen = max([seen, *(event.id for event in events)])

    async def _wait(self, news: Subscription) -> list[Event] | None:
        """The next events; None when it was quiet for long."""
        try:
            async with asyncio.timeout(self.control.settings.heartbeat_s):
                return await news.next()
        except TimeoutError:
            return None

    async def _read_missed(self, seen: int, pruned: int) -> AsyncIterator[tuple[int, bytes]]:
        """Frames of what happened behind the event seen, each with the last event that is told by then. Where
        more was removed meanwhile than up to `pruned`, that is said first."""

        def read(connection: Connection, seen: int) -> tuple[list[Event], int]:
            return events_after(connection, seen, PAGE), events_known(connection)[1]

        while True:
            page, removed = await self.control.database.read(partial(read, seen=seen))
            if removed > max(seen, pruned):
                pruned = removed
                yield seen, self._hello(seen, reset=True)
            if not page:
                return
            seen = page[-1].id
            if told := b"".join(self._frames(page)):
                yield seen, told

    def _frames(self, events: Iterable[Event]) -> Iterator[bytes]:
        """Of those that are for who follows."""
        for event in events:
            if may_see(self.user, event):
                yield frame(event.kind.value, asdict(show_event(event)), event.id)

    def _hello(self, seen: int, reset: bool) -> bytes:
        told = {"after": seen, "server": self.server_id, "version": __version__, "reset": reset}
        return frame("hello", told, seen)
