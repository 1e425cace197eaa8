"""Taking back a change of settings: what it set is as it was before, unless it was changed again since."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from danlu.codec import BadValue, decode
from danlu.core.audit import AuditEntry
from danlu.core.errors import Conflict, NotFound
from danlu.core.events import EventKind
from danlu.store.audit import get_setting_change, list_setting_changes
from danlu.store.engine.database import Transaction
from danlu.store.settings import change_general, change_scheduling, read_general, read_scheduling
from danlu.wire.server import SchedulingEdit
from danlu.wire.settings import SettingsEdit


def undo_change(tx: Transaction, actor: str, number: int | None, *, force: bool) -> int:
    """Set back what the change of that number, or the newest, has set; its number. Raises NotFound,
    Conflict."""
    change = _find(tx, number)
    is_scheduling = change.action == EventKind.SCHEDULING_CHANGED
    current = asdict(read_scheduling(tx.connection) if is_scheduling else read_general(tx.connection))
    set_by_it: dict[str, Any] = change.after or {}
    if gone := [name for name in set_by_it if name not in current]:
        raise Conflict("setting_gone", name=gone[0])
    since = [name for name, value in set_by_it.items() if current[name] != value]
    if since and not force:
        raise Conflict("setting_changed_since", change=change.id, names=", ".join(since))
    if all(current[name] == value for name, value in (change.before or {}).items()):
        raise Conflict("nothing_to_undo", change=change.id)
    try:
        if is_scheduling:
            edit = asdict(decode(SchedulingEdit, change.before))
            change_scheduling(tx, actor, undoes=change.id, **edit)
        else:
            change_general(tx, actor, undoes=change.id, **asdict(decode(SettingsEdit, change.before)))
    except BadValue as problem:
        raise Conflict("setting_gone", name=str(problem)) from problem
    return change.id


def _find(tx: Transaction, number: int | None) -> AuditEntry:
    if number is None:
        newest = list_setting_changes(tx.connection, 1)
        if not newest:
            raise NotFound("no_setting_changes")
        return newest[0]
    change = get_setting_change(tx.connection, number)
    if change is None:
        raise NotFound("no_such_setting_change", change=number)
    return change
