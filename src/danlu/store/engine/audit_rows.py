"""The entries of the audit log that a transaction leaves, written with what they tell of."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection

from danlu.core.audit import AuditEntry, entry_of, is_kept
from danlu.core.events import Event
from danlu.core.origin import Origin
from danlu.store.engine import schema
from danlu.store.engine.bulk_rows import Row, insert_rows

_COLUMNS = (
    "at",
    "actor",
    "via",
    "address",
    "action",
    "target_kind",
    "target",
    "before",
    "after",
    "details",
)


def write_entries(connection: Connection, events: Iterable[Event], origin: Origin) -> None:
    """An entry for each of these events that the audit log keeps."""
    rows = [_row(entry_of(event, origin)) for event in events if is_kept(event)]
    if rows:
        insert_rows(connection, schema.audit, _COLUMNS, rows)


def _row(entry: AuditEntry) -> Row:
    values = (entry.before, entry.after, entry.details)
    return (
        entry.at,
        entry.actor,
        entry.via,
        entry.address,
        entry.action,
        entry.target_kind,
        entry.target[:200],
        *(None if value is None else json.dumps(value) for value in values),
    )
