"""Settings that people change while Danlu runs."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from danlu.codec import decode, encode
from danlu.core.events import EventKind
from danlu.core.lab_settings import General, SchedulingSettings, SettingChange
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_PAUSE = "scheduling_pause"
_CHANGES = "general_changes"

_GET_SETTING = select(schema.settings.c.value).where(schema.settings.c.key == bindparam("wanted"))


def read_scheduling(connection: Connection) -> SchedulingSettings:
    value = read_setting(connection, "scheduling")
    return decode(SchedulingSettings, value, trusted=True) if value else SchedulingSettings()


def change_scheduling(
    tx: Transaction, actor: str, *, undoes: int | None = None, **changes: Any
) -> SchedulingSettings:
    """Set the policy, or pause and resume; only what is given changes. `undoes` is the number of the change
    that this one takes back."""
    before = read_scheduling(tx.connection)
    after = replace(before, **{key: value for key, value in changes.items() if value is not None})
    if after != before:
        write_setting(tx, "scheduling", encode(after))
        if after.paused != before.paused:
            write_setting(tx, _PAUSE, encode(SettingChange(tx.now, actor)) if after.paused else None)
        tx.record(
            EventKind.SCHEDULING_CHANGED,
            actor=actor,
            **encode(after),
            before=_differing(before, after),
            after=_differing(after, before),
            undoes=undoes,
        )
    return after


def _differing(these: SchedulingSettings, others: SchedulingSettings) -> dict[str, Any]:
    rest = encode(others)
    return {name: value for name, value in encode(these).items() if value != rest[name]}


def read_pause(connection: Connection) -> SettingChange | None:
    """Who paused the scheduling, and when; None while it runs, and where that was not noted."""
    value = read_setting(connection, _PAUSE)
    return decode(SettingChange, value, trusted=True) if value else None


_GENERAL = tuple(field.name for field in fields(General))
_GET_GENERAL = select(schema.settings.c.key, schema.settings.c.value).where(
    schema.settings.c.key.in_(_GENERAL)
)


def read_general(connection: Connection) -> General:
    return General(**{row.key: row.value for row in connection.execute(_GET_GENERAL)})


def change_general(tx: Transaction, actor: str, *, undoes: int | None = None, **changes: Any) -> General:
    """Only what is given changes. `undoes` is the number of the change that this one takes back."""
    before = read_general(tx.connection)
    new = {name: to for name, to in changes.items() if to is not None and to != getattr(before, name)}
    for name, to in new.items():
        write_setting(tx, name, to)
    if new:
        changes = read_changes(tx.connection) | {name: SettingChange(tx.now, actor) for name in new}
        write_setting(tx, _CHANGES, {name: encode(change) for name, change in changes.items()})
        old = {name: getattr(before, name) for name in new}
        tx.record(EventKind.SETTINGS_CHANGED, actor=actor, before=old, after=new, undoes=undoes)
    return replace(before, **new)


def read_changes(connection: Connection) -> dict[str, SettingChange]:
    """Who changed which of the general settings last, as far as it was noted."""
    return decode(dict[str, SettingChange], read_setting(connection, _CHANGES) or {}, trusted=True)


def read_setting(connection: Connection, key: str) -> Any:
    return connection.execute(_GET_SETTING, {"wanted": key}).scalar_one_or_none()


def write_setting(tx: Transaction, key: str, value: Any) -> None:
    tx.connection.execute(delete(schema.settings).where(schema.settings.c.key == key))
    tx.connection.execute(insert(schema.settings).values(key=key, value=value))
