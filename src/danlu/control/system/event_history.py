"""What happened, as far back as events are kept."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.control.identity.rights import find_visible_job
from danlu.core.events import Event, EventKind
from danlu.store.engine.database import Database
from danlu.store.events import events_after, events_of_job, latest_of_kind
from danlu.store.pruning import events_known


@dataclass(frozen=True, slots=True)
class EventHistory:
    database: Database

    async def known(self) -> tuple[int, int]:
        """The newest event, and the newest that was removed: who has seen that one has missed none."""
        return await self.database.read(events_known)

    async def after(self, seen: int, limit: int) -> tuple[list[Event], int]:
        """The next events behind the one seen, and the newest that was removed by then."""

        def read(connection: Connection) -> tuple[list[Event], int]:
            return events_after(connection, seen, limit), events_known(connection)[1]

        return await self.database.read(read)

    async def of_job(self, job_id: int) -> list[Event]:
        """Every user may see them. Raises NotFound."""

        def read(connection: Connection) -> list[Event]:
            find_visible_job(connection, job_id)
            return events_of_job(connection, job_id)

        return await self.database.read(read)

    async def latest(self, kind: EventKind, limit: int) -> list[Event]:
        """The latest of a kind, the newest first."""
        return await self.database.read(lambda connection: latest_of_kind(connection, kind, limit))
