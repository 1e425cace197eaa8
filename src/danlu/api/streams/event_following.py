"""Following what happens: from any event on, and what the nodes are doing beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from danlu import __version__
from danlu.api.streams.readings_feed import ReadingsFeed
from danlu.control.control import Control
from danlu.control.event_bus import Subscription
from danlu.core.events import Event, shown_to
from danlu.core.user import User

PAGE = 500


@dataclass(frozen=True, slots=True)
class Hello:
    """Everything behind the event `after` is told from now on; `reset`: but not all that was before."""

    after: int
    reset: bool


EventNews = Hello | list[Event] | bytes | None
"""Bytes: readings, as JSON. None: it was quiet for long."""


def show_hello(hello: Hello, server_id: str) -> dict[str, Any]:
    return {"after": hello.after, "server": server_id, "version": __version__, "reset": hello.reset}


@dataclass(frozen=True, slots=True)
class EventFollower:
    """One who follows the events, and the readings if there is a feed of them."""

    user: User
    control: Control
    feed: ReadingsFeed | None

    async def follow(self, seen: int | None) -> AsyncIterator[EventNews]:
        async with AsyncExitStack() as stack:
            news = stack.enter_context(self.control.bus.subscribe())
            if self.feed is not None:
                await stack.enter_async_context(self.feed.listen(news.nudge))
            newest, pruned = await self.control.event_history.known()
            # One who has seen more than there is comes from before a restore.
            reset = seen is not None and not pruned <= seen <= newest
            seen = newest if seen is None else min(seen, newest)
            yield Hello(seen, reset)
            shown = 0
            behind = True
            while not news.closed:
                if behind:
                    behind = False
                    async for last, missed in self._read_missed(seen, pruned):
                        seen = last
                        yield missed
                if self.feed is not None and self.feed.version > shown:
                    readings, shown = self.feed.json_after(shown), self.feed.version
                    yield readings
                events = await self._wait(news)
                if events is None:
                    yield None
                    continue
                behind = news.take_overrun()
                if told := self._choose(event for event in events if event.id > seen):
                    yield told
                seen = max([seen, *(event.id for event in events)])

    async def _wait(self, news: Subscription) -> list[Event] | None:
        """The next events; None when it was quiet for long."""
        try:
            async with asyncio.timeout(self.control.settings.heartbeat_s):
                return await news.next()
        except TimeoutError:
            return None

    async def _read_missed(self, seen: int, pruned: int) -> AsyncIterator[tuple[int, EventNews]]:
        """What happened behind the event seen, each with the last event that is told by then. Where
        more was removed meanwhile than up to `pruned`, that is said first."""

        while True:
            page, removed = await self.control.event_history.after(seen, PAGE)
            if removed > max(seen, pruned):
                pruned = removed
                yield seen, Hello(seen, reset=True)
            if not page:
                return
            seen = page[-1].id
            if told := self._choose(page):
                yield seen, told

    def _choose(self, events: Iterable[Event]) -> list[Event]:
        """Those that are for who follows."""
        return [shown for event in events if (shown := shown_to(self.user, event)) is not None]
