"""Looks whether the disk of the data folder is full, and tells all users."""

from __future__ import annotations

import asyncio
import logging

from danlu.core.errors import Unavailable
from danlu.core.events import EventKind
from danlu.store.engine.database import Database, Transaction

log = logging.getLogger(__name__)

PAUSE_S = 2.0


class DiskWatch:
    """A look costs a few microseconds, and the database nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._told = False

    async def run(self) -> None:
        while True:
            try:
                await self._look()
            except Unavailable as problem:
                # Not even the reserve is left. What is in memory works on.
                log.error("the disk of the data folder is full: %s", problem.facts.get("reason"))
            except Exception:
                log.exception("could not see whether the disk has room")
            await asyncio.sleep(PAUSE_S)

    async def _look(self) -> None:
        is_full = await asyncio.to_thread(self._database.look_at_disk)
        if is_full == self._told:
            return

        def write(tx: Transaction) -> None:
            tx.record(EventKind.DISK_CHANGED, full=is_full)

        await self._database.write(write)
        self._told = is_full
        if is_full:
            log.error("the disk of the data folder is full: no jobs are taken or started until there is room")
        else:
            log.warning("the disk of the data folder has room again")
