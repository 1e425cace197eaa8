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


@dataclass(frozen=True, slots=True)
class General:
    """What is neither scheduling nor a node's."""

    server_log_for_members: bool = False


def read_general(connection: Connection) -> General:
    return General(server_log_for_members=read_setting(connection, "server_log_for_members") is True)


def change_general(tx: Transaction, actor: str, *, server_log_for_members: bool | None) -> General:
    """Only what is given changes."""
    before = read_general(tx.connection)
    if server_log_for_members in (None, before.server_log_for_members):
        return before
    write_setting(tx, "server_log_for_members", server_log_for_members)
    after = replace(before, server_log_for_members=bool(server_log_for_members))
    tx.record(EventKind.SETTINGS_CHANGED, actor=actor, **asdict(after))
    return after


def read_setting(connection: Connection, key: str) -> Any:
    return connection.execute(_GET_SETTING, {"wanted": key}).scalar_one_or_none()


def write_setting(tx: Transaction, key: str, value: Any) -> None:
    tx.connection.execute(delete(schema.settings).where(schema.settings.c.key == key))
    tx.connection.execute(insert(schema.settings).values(key=key, value=value))
