"""Removes what is old from the database, every hour and in pieces; and what was erased, from its log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from danlu.control.event_bus import EventBus
from danlu.core.events import Event, EventKind
from danlu.core.states import JobState
from danlu.store.audit import prune_audit
from danlu.store.engine.database import Database
from danlu.store.engine.engines import fold_log
from danlu.store.pruning import prune_access, prune_events, prune_usage
from danlu.store.settings import read_general

log = logging.getLogger(__name__)

DAY_S = 86_400.0
EVERY_S = 3600.0
BETWEEN_PIECES_S = 0.05
"""Others write in between."""
GATHER_S = 5.0
"""Who deletes one job often deletes more."""


class Pruning:
    def __init__(self, database: Database, bus: EventBus, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._news = bus.listen({EventKind.SETTINGS_CHANGED, EventKind.STATE}, only=_is_news)

    async def run(self) -> None:
        while True:
            try:
                await self.prune()
            except Exception:
                log.exception("could not remove what is old")
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._news.next()
                    await asyncio.sleep(GATHER_S)
            self._news.take()

    async def prune(self) -> None:
        general = await self._database.read(read_general)
        if general.audit_days:
            await self._database.write(
                partial(prune_audit, before=self._clock() - general.audit_days * DAY_S)
            )
        if days := general.events_days:
            before = self._clock() - days * DAY_S
            await self._database.write(partial(prune_access, before=before))
            place: int | None = 0
            while place is not None:
                place = await self._database.write(partial(prune_events, before=before, after_id=place))
                await asyncio.sleep(BETWEEN_PIECES_S if place is not None else 0)
            has_more = True
            while has_more:
                has_more = await self._database.write(partial(prune_usage, before=before))
                await asyncio.sleep(BETWEEN_PIECES_S if has_more else 0)
        await asyncio.to_thread(fold_log, self._database.location)


def _is_news(event: Event) -> bool:
    """A job was deleted, or another time to keep events was set."""
    if event.kind is EventKind.SETTINGS_CHANGED:
        return not {"events_days", "audit_days"}.isdisjoint(event.data["after"])
    return event.kind is EventKind.STATE and event.data.get("after") == JobState.DELETED.value
