"""Which calls the jobs still need."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from danlu.core.states import JobState
from danlu.store import schema

_J = schema.jobs.c


def calls_in_use(connection: Connection, since: float, owner: str | None = None) -> set[tuple[str, str]]:
    """(owner, digest) of every call of a job (of one owner) that is not over, or that ended after `since`."""
    call = _J.spec["call"].as_string()
    query = (
        select(_J.owner, call.label("digest"))
        .where(call.is_not(None), _J.state != JobState.DELETED.value)
        .where(or_(_J.ended_at.is_(None), _J.ended_at > since))
        .distinct()
    )
    if owner is not None:
        # Tasks name the call of their array: without them this is one index of the table.
        query = query.where(_J.owner == owner, _J.array_id.is_(None))
    return {(row.owner, row.digest) for row in connection.execute(query)}
