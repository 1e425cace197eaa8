"""Listens for what happens to jobs and hands it, worded, to every channel."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from danlu.core.events import Event
from danlu.notify.delivery import Delivery
from danlu.notify.notification import LISTENED, notification_of
from danlu.wording.catalogue import Language

log = logging.getLogger(__name__)

PAGE = 500
RETRY_S = 1.0


class EventQueue(Protocol):
    """A bounded queue of the event bus, of the kinds in `LISTENED`."""

    closed: bool
    """No more will come."""

    async def next(self) -> list[Event]: ...

    def take_overrun(self) -> bool: ...


class History(Protocol):
    """What happened, for a listener that was overrun."""

    async def known(self) -> tuple[int, int]:
        """The newest event, and the newest that was removed."""

    async def after(self, seen: int, limit: int) -> tuple[list[Event], int]:
        """The next events behind the one seen, and the newest that was removed by then."""


class Notifier:
    """People are told what happens while the server runs. Made only where there is a channel."""

    def __init__(
        self,
        news: EventQueue,
        history: History,
        deliveries: Sequence[Delivery],
        language_of: Callable[[str], Language] = lambda _: "en",
    ) -> None:
        self._news = news
        self._history = history
        self._deliveries = tuple(deliveries)
        self._language_of = language_of
        self._seen = 0

    async def run(self) -> None:
        """Until cancelled. What is in the queues of the channels when the bus closes is still sent."""
        self._seen, _ = await self._history.known()
        async with asyncio.TaskGroup() as group:
            for delivery in self._deliveries:
                group.create_task(delivery.run())
            while not self._news.closed:
                self._tell(await self._news.next())
                if self._news.take_overrun():
                    await self._catch_up()

    async def _catch_up(self) -> None:
        """Look up what was missed. A database that does not answer is asked again."""
        while True:
            try:
                page, _ = await self._history.after(self._seen, PAGE)
            except Exception:
                log.exception("could not look up which notifications were missed")
                await asyncio.sleep(RETRY_S)
                continue
            if not page:
                return
            self._tell(page)

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.id <= self._seen:
                continue
            self._seen = event.id
            notification = notification_of(event, self._language_of) if event.kind in LISTENED else None
            if notification is not None:
                for delivery in self._deliveries:
                    delivery.put(notification)
