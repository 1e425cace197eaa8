"""What is searched of jobs: names and owners, read in bulk."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from danlu.core.job_id import LARGEST_JOB
from danlu.store.engine import schema

_J = schema.jobs.c
_NAMES = (
    select(_J.id, _J.name, _J.owner, _J.state)
    .where(_J.id > bindparam("last"), _J.id <= LARGEST_JOB, _J.array_id.is_(None))
    .order_by(_J.id)
    .limit(bindparam("number"))
)


class JobName(NamedTuple):
    id: int
    name: str
    owner: str
    state: str


def read_job_names(connection: Connection, last: int, number: int) -> list[JobName]:
    """The jobs behind the id `last`, in the order of their ids, also deleted ones; an array is one job."""
    return [JobName(*row) for row in connection.execute(_NAMES, {"last": last, "number": number})]
