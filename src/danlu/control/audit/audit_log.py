"""Who did what, for administrators to look through. What is written there, the store writes by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from danlu.control.identity.rights import check_admin
from danlu.core.audit import AuditEntry
from danlu.core.user import User
from danlu.store.audit import AuditFilter, list_actions, list_entries
from danlu.store.engine.database import Database
from danlu.wire.audit import AuditQuery

PIECE = 500


@dataclass(frozen=True, slots=True)
class AuditLog:
    database: Database

    async def read(
        self, admin: User, query: AuditQuery, limit: int, before_id: int | None = None
    ) -> list[AuditEntry]:
        """The newest first; with `before_id` those that are older than that one."""
        check_admin(admin)
        read = partial(list_entries, wanted=AuditFilter(**asdict(query)), limit=limit, before_id=before_id)
        return await self.database.read(read)

    async def actions(self, admin: User) -> Sequence[str]:
        """Those that there are entries of."""
        check_admin(admin)
        return await self.database.read(list_actions)

    async def walk(self, admin: User, query: AuditQuery) -> AsyncIterator[list[AuditEntry]]:
        """All entries in pieces, the newest first."""
        before_id: int | None = None
        while piece := await self.read(admin, query, PIECE, before_id):
            yield piece
            before_id = piece[-1].id
