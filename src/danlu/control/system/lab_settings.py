"""The settings of the lab, and those of its scheduling: read by all, changed by administrators."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import cast

from sqlalchemy import Connection

from danlu.control.identity.rights import check_admin
from danlu.control.running.staging import check_stage_folder
from danlu.control.system.setting_undo import undo_change
from danlu.core.audit import AuditEntry
from danlu.core.lab_settings import General, SettingChange
from danlu.core.user import User
from danlu.store.audit import list_setting_changes
from danlu.store.engine.database import Database, Transaction
from danlu.store.settings import (
    change_general,
    change_scheduling,
    read_changes,
    read_general,
    read_pause,
    read_scheduling,
)
from danlu.wire.server import Ordering, Scheduling, SchedulingEdit
from danlu.wire.settings import SettingsEdit, SettingsUndo

AT_ONCE = 100
"""More changes than others make in the moment between a write and a read."""


@dataclass(frozen=True, slots=True)
class LabSettings:
    database: Database

    async def read(self) -> General:
        return await self.database.read(read_general)

    async def read_with_changes(self, admin: User) -> tuple[General, dict[str, SettingChange]]:
        """The settings, and who changed which of them last."""
        check_admin(admin)
        return await self.database.read(lambda c: (read_general(c), read_changes(c)))

    async def edit(self, admin: User, edit: SettingsEdit) -> General:
        """Only what is given changes."""
        check_admin(admin)
        check_stage_folder(edit.stage_folder)
        return await self.database.write(lambda tx: change_general(tx, admin.name, **asdict(edit)))

    async def history(self, admin: User, limit: int, before_id: int | None = None) -> list[AuditEntry]:
        """The changes of all settings, the newest first, as far back as the audit log is kept."""
        check_admin(admin)
        return await self.database.read(lambda c: list_setting_changes(c, limit, before_id))

    async def undo(self, admin: User, wanted: SettingsUndo) -> AuditEntry:
        """Take a change back, which is a change of its own: that one. Raises NotFound, Conflict."""
        check_admin(admin)

        def write(tx: Transaction) -> int:
            return undo_change(tx, admin.name, wanted.change, force=wanted.force)

        undone = await self.database.write(write)
        changes = await self.database.read(lambda c: list_setting_changes(c, AT_ONCE))
        return next(change for change in changes if (change.details or {}).get("undoes") == undone)

    async def read_scheduling(self) -> Scheduling:
        return await self.database.read(_show_scheduling)

    async def edit_scheduling(self, admin: User, edit: SchedulingEdit) -> Scheduling:
        """Pause, resume, or change the policy."""
        check_admin(admin)

        def write(tx: Transaction) -> Scheduling:
            change_scheduling(tx, admin.name, policy=edit.policy, paused=edit.paused)
            return _show_scheduling(tx.connection)

        return await self.database.write(write)


def _show_scheduling(connection: Connection) -> Scheduling:
    current = read_scheduling(connection)
    pause = read_pause(connection) if current.paused else None
    return Scheduling(
        policy=cast("Ordering", current.policy),
        paused=current.paused,
        paused_at=pause.at if pause else None,
        paused_by=pause.by if pause else None,
    )
