"""What the jobs of a user take where they say nothing."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.codec import encode_said
from danlu.control.jobs.drafts import read_defaults
from danlu.control.jobs.specs import apply_edit, check_defaults
from danlu.core.user import User
from danlu.store.engine.database import Database, Transaction
from danlu.store.users import change_user
from danlu.wire.jobs import JobEdit, JobFields


@dataclass(frozen=True, slots=True)
class JobDefaults:
    database: Database

    async def read(self, user: User) -> JobFields:
        return await self.database.read(lambda connection: read_defaults(connection, user))

    async def edit(self, user: User, edit: JobEdit) -> JobFields:
        """The defaults after the edit. Raises Invalid for what no job could have."""

        def write(tx: Transaction) -> JobFields:
            defaults = apply_edit(read_defaults(tx.connection, user), edit)
            check_defaults(defaults)
            change_user(tx, user.name, user.name, defaults=encode_said(defaults))
            return defaults

        return await self.database.write(write)
