"""Spreads committed events to everybody who listens, without asking the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from danlu.core.events import Event

LONGEST_BACKLOG = 10_000


class Subscription:
    """The events since the subscription began.

    A listener too slow for them is `overrun` and must look for itself; `closed` means no more will come.
    """

    def __init__(self, closed: bool) -> None:
        self._events: list[Event] = []
        self._news = asyncio.Event()
        self.overrun = False
        self.closed = False
        if closed:
            self.close()

    def put(self, events: list[Event]) -> None:
        if len(self._events) + len(events) > LONGEST_BACKLOG:
            self.overrun = True
            self._events.clear()
        else:
            self._events += events
        self._news.set()

    def nudge(self) -> None:
        """Have `next` return, though nothing happened: there is something else to look at."""
        self._news.set()

    def close(self) -> None:
        self.closed = True
        self._news.set()

    async def next(self) -> list[Event]:
        """All that happened since the last call; empty only when nudged, overrun or closed."""
        await self._news.wait()
        if not self.closed:
            self._news.clear()
        events, self._events = self._events, []
        return events


class EventBus:
    def __init__(self) -> None:
        self._subscriptions: set[Subscription] = set()
        self._first: list[Callable[[list[Event]], None]] = []
        self._closed = False

    def close(self) -> None:
        """The server stops: every open stream ends by itself."""
        self._closed = True
        for subscription in self._subscriptions:
            subscription.close()

    def tell_first(self, listener: Callable[[list[Event]], None]) -> None:
        """Have `listener` called with all events before anybody else hears of them."""
        self._first.append(listener)

    def publish(self, events: list[Event]) -> None:
        for listener in self._first:
            listener(events)
        for subscription in self._subscriptions:
            subscription.put(events)

    @contextmanager
    def subscribe(self) -> Iterator[Subscription]:
        subscription = Subscription(self._closed)
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)
