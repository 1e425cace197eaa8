"""The events as they were recorded."""

from __future__ import annotations

from sqlalchemy import Connection, select

from danlu.core.events import Event, EventKind
from danlu.store.engine import schema
from danlu.store.engine.records import KNOWN_EVENTS, event_from_row

_E = schema.events.c


def events_after(connection: Connection, event_id: int, limit: int) -> list[Event]:
    news = select(schema.events).where(_E.id > event_id, KNOWN_EVENTS).order_by(_E.id).limit(limit)
    rows = connection.execute(news)
    return [event_from_row(row) for row in rows]


def latest_of_kind(connection: Connection, kind: EventKind, limit: int) -> list[Event]:
    """The newest first."""
    newest = select(schema.events).where(_E.kind == kind.value).order_by(_E.id.desc()).limit(limit)
    return [event_from_row(row) for row in connection.execute(newest)]


def events_of_job(connection: Connection, job_id: int, limit: int = 1000) -> list[Event]:
    """Its latest events, oldest first."""
    newest = (
        select(schema.events).where(_E.job_id == job_id, KNOWN_EVENTS).order_by(_E.id.desc()).limit(limit)
    )
    return [event_from_row(row) for row in reversed(connection.execute(newest).all())]
