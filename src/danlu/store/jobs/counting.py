"""How many jobs there are."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from danlu.core.states import JobState
from danlu.store.engine import schema

_J = schema.jobs.c
_N = schema.arrays.c


@dataclass(frozen=True, slots=True)
class ArrayUnderWay:
    id: int
    owner: str
    state: str
    active: int


def count_by_owner(connection: Connection) -> dict[tuple[str, str], int]:
    """By owner and state. An array is one job."""
    counted = (
        select(_J.owner, _J.state, func.count().label("number"))
        .where(_J.array_id.is_(None))
        .group_by(_J.owner, _J.state)
    )
    return {(row.owner, row.state): row.number for row in connection.execute(counted)}


def list_arrays_under_way(connection: Connection) -> list[ArrayUnderWay]:
    """Every array that is not deleted: also an ended one may run again."""
    rows = connection.execute(
        select(_N.job_id, _J.owner, _J.state, _N.active)
        .join_from(schema.arrays, schema.jobs, _J.id == _N.job_id)
        .where(_J.state != JobState.DELETED.value)
    )
    return [ArrayUnderWay(row.job_id, row.owner, row.state, row.active) for row in rows]
