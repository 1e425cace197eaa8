"""Which of Danlu's own files the tasks of all jobs have, and on which node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, and_, or_, select

from danlu.core.states import JobState
from danlu.store.engine import schema

_T = schema.tasks.c
_J = schema.jobs.c


@dataclass(frozen=True, slots=True)
class TaskFiles:
    job_id: int
    attempt: int
    rank: int
    node: str
    has_log: bool
    """Its output, or a part of it, is in the job's own log."""


def list_task_files(connection: Connection) -> Iterator[TaskFiles]:
    """Of every task there ever was, but for those of deleted jobs."""
    columns = (_T.job_id, _T.attempt, _T.rank, _T.node)
    has_log = or_(_T.stdout_path == "", _T.stderr_path == "").label("has_log")
    deleted = select(_J.id).where(_J.state == JobState.DELETED.value)
    is_there = and_(_J.id.not_in(deleted), or_(_J.array_id.is_(None), _J.array_id.not_in(deleted)))
    joined = schema.tasks.join(schema.jobs, and_(_J.id == _T.job_id, is_there))
    for row in connection.execute(select(*columns, has_log).select_from(joined).order_by(*columns[:3])):
        yield TaskFiles(row.job_id, row.attempt, row.rank, row.node, bool(row.has_log))
