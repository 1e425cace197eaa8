"""Settings that people change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from danlu.core.events import EventKind
from danlu.store import schema
from danlu.store.database import Transaction

_GET_SETTING = select(schema.settings.c.value).where(schema.settings.c.key == bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class Scheduling:
    policy: str = "fifo"
    paused: bool = False


def read_scheduling(connection: Connection) -> Scheduling:
    value = read_setting(connection, "scheduling")
    return Scheduling(**value) if value else Scheduling()


def change_scheduling(tx: Transaction, actor: str, **changes: Any) -> Scheduling:
    """Set the policy, or pause and resume; only what is given changes."""
    before = read_scheduling(tx.connection)
    after = replace(before, **{key: value for key, value in changes.items() if value is not None})
    if after != before:
        write_setting(tx, "scheduling", asdict(after))
        tx.record(EventKind.SCHEDULING_CHANGED, actor=actor, **asdict(after))
    return after


def read_setting(connection: Connection, key: str) -> Any:
    return connection.execute(_GET_SETTING, {"wanted": key}).scalar_one_or_none()


def write_setting(tx: Transaction, key: str, value: Any) -> None:
    tx.connection.execute(delete(schema.settings).where(schema.settings.c.key == key))
    tx.connection.execute(insert(schema.settings).values(key=key, value=value))
