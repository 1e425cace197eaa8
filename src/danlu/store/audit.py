"""Reading the audit log, and the one way that anything leaves it: its age."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select

from danlu.core.audit import AuditEntry
from danlu.core.events import EventKind
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.settings import write_setting

_A = schema.audit.c
_KEPT_FROM = "audit_kept_from"
_OF_SETTINGS = _A.action.in_([EventKind.SETTINGS_CHANGED.value, EventKind.SCHEDULING_CHANGED.value])
LATEST = 1e15
"""A moment behind every other."""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What is not given narrows nothing. `action` is a whole action or its first word (`user`); `target` is a
    name, a number, or a kind of things."""

    actor: str | None = None
    action: str | None = None
    target: str | None = None
    since: float | None = None
    until: float | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        found: list[ColumnElement[bool]] = []
        if self.actor is not None:
            found.append(_A.actor == self.actor)
        if self.action is not None:
            beginning = _A.action.startswith(f"{self.action}.", autoescape=True)
            found.append(or_(_A.action == self.action, beginning))
        if self.target is not None:
            found.append(or_(_A.target == self.target, _A.target_kind == self.target))
        if self.since is not None:
            found.append(_A.at >= self.since)
        if self.until is not None:
            found.append(_A.at < self.until)
        return found


def list_entries(
    connection: Connection, wanted: AuditFilter, limit: int, before_id: int | None = None
) -> list[AuditEntry]:
    """The newest first; with `before_id` those that are older than that one."""
    older = [] if before_id is None else [_A.id < before_id]
    rows = select(schema.audit).where(*wanted.conditions(), *older).order_by(_A.id.desc()).limit(limit)
    return [_entry(row) for row in connection.execute(rows)]


def list_setting_changes(
    connection: Connection, limit: int, before_id: int | None = None
) -> list[AuditEntry]:
    """What was changed of the settings, the newest first."""
    older = [] if before_id is None else [_A.id < before_id]
    rows = select(schema.audit).where(_OF_SETTINGS, *older).order_by(_A.id.desc()).limit(limit)
    return [_entry(row) for row in connection.execute(rows)]


def get_setting_change(connection: Connection, number: int) -> AuditEntry | None:
    row = connection.execute(select(schema.audit).where(_OF_SETTINGS, _A.id == number)).one_or_none()
    return _entry(row) if row else None


def list_actions(connection: Connection) -> Sequence[str]:
    """Which actions there are entries of, by name."""
    return connection.execute(select(_A.action).distinct().order_by(_A.action)).scalars().all()


def prune_audit(tx: Transaction, before: float) -> None:
    """Remove the entries older than `before`. That is an entry itself."""
    count = tx.connection.execute(select(func.count()).where(_A.at < before)).scalar_one()
    if count:
        write_setting(tx, _KEPT_FROM, before)
        tx.connection.execute(delete(schema.audit).where(_A.at < before))
        tx.record(EventKind.AUDIT_PRUNED, entries=count, older_than=before)


def empty_audit(connection: Connection) -> None:
    """Only of a database that was never in use, and is to be filled with the rows of another."""
    connection.execute(delete(schema.settings).where(schema.settings.c.key == _KEPT_FROM))
    connection.execute(insert(schema.settings).values(key=_KEPT_FROM, value=LATEST))
    connection.execute(delete(schema.audit))


def _entry(row: Row[Any]) -> AuditEntry:
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=row.actor,
        via=row.via,
        address=row.address,
        action=row.action,
        target_kind=row.target_kind,
        target=row.target,
        before=row.before,
        after=row.after,
        details=row.details,
    )
