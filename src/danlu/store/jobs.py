"""Jobs as rows: written whole, listed light."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)

from danlu.core.events import EventKind
from danlu.core.job import Job, JobSpec, JobSummary
from danlu.core.job_id import LARGEST_JOB, is_task
from danlu.core.states import ACTIVE, AREAS, ENDED, IN_LINE, JobState
from danlu.store import schema
from danlu.store.arrays import find_task, insert_array
from danlu.store.database import Transaction, in_parts
from danlu.store.dependencies import set_dependencies
from danlu.store.records import (
    ARRAY_COUNTS,
    SELECT_JOBS,
    WHOLE,
    job_from_row,
    spec_columns,
    summary_from_row,
)
from danlu.store.transitions import update_guarded

_J = schema.jobs.c
_SUMMARY = (
    _J.id,
    _J.owner,
    _J.name,
    _J.queue,
    _J.state,
    _J.position,
    _J.urgent,
    _J.gpus,
    _J.gpu_ids,
    _J.cpus,
    _J.memory_mb,
    _J.node,
    _J.submitted_at,
    _J.attempt,
    _J.not_before,
    _J.started_at,
    _J.ended_at,
    _J.end_reason,
    _J.exit_code,
    _J.signal,
    _J.placed,
    _J.share,
    _J.no_sharing,
    _J.gpu_memory_mb,
)
_SELECT_SUMMARIES = select(*_SUMMARY, *ARRAY_COUNTS).outerjoin_from(
    schema.jobs, schema.arrays, schema.arrays.c.job_id == _J.id
)
_GET_SUMMARIES = _SELECT_SUMMARIES.where(_J.id.in_(bindparam("wanted", expanding=True)))
_UNDER_WAY = select(schema.arrays.c.job_id).where(schema.arrays.c.active > 0)
_DELETED = literal(JobState.DELETED.value)
# What is left of an array that was deleted is hidden with it.
_THERE = and_(_J.state != _DELETED, func.coalesce(WHOLE.c.state, "") != _DELETED)
_PRESENT = _J.state != literal_column("'deleted'")
"""As an index of lists has it: a database uses that only for whoever says the very same."""
_GET_JOB = SELECT_JOBS.where(_J.id == bindparam("wanted"), _THERE)
_GET_JOBS = SELECT_JOBS.where(_J.id.in_(bindparam("wanted", expanding=True)))
# An array itself has no attempts: its tasks have.
_ACTIVE = SELECT_JOBS.where(_J.state.in_([state.value for state in ACTIVE]), _J.attempt > 0)
_INSERT_JOB = insert(schema.jobs)
_TAKE_IDS = (
    update(schema.counters)
    .where(schema.counters.c.name == "job")
    .values(value=schema.counters.c.value + bindparam("number"))
    .returning(schema.counters.c.value)
)


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be written down. `actor` is who submitted it, if not the owner."""

    owner: str
    spec: JobSpec
    held: bool = False
    key: str | None = None
    digest: str | None = None
    actor: str | None = None


def insert_jobs(tx: Transaction, jobs: Sequence[NewJob]) -> list[int]:
    """New jobs at the end of the line, in this order; their ids."""
    last: int = tx.connection.execute(_TAKE_IDS, {"number": len(jobs)}).scalar_one()
    ids = list(range(last - len(jobs) + 1, last + 1))
    tx.connection.execute(_INSERT_JOB, [_new_row(tx, *each) for each in zip(ids, jobs, strict=True)])
    for job_id, job in zip(ids, jobs, strict=True):
        if job.spec.dependencies:
            set_dependencies(tx, job_id, job.spec.dependencies)
        if job.spec.array is not None:
            insert_array(tx, job_id, job.spec)
        state = _first_state(job)
        tx.record(
            EventKind.SUBMITTED,
            job_id=job_id,
            actor=job.actor or job.owner,
            owner=job.owner,
            state=state.value,
            name=job.spec.name,
            array=job.spec.array,
        )
    return ids


def _new_row(tx: Transaction, job_id: int, job: NewJob) -> dict[str, Any]:
    return {
        "id": job_id,
        "owner": job.owner,
        "state": _first_state(job).value,
        "version": 1,
        # The id orders the line by time of submission; a move may set a position between two ids later.
        "position": float(job_id),
        "submitted_at": tx.now,
        "attempt": 0,
        "idempotency_key": job.key,
        "request_digest": job.digest,
        **spec_columns(job.spec),
    }


def _first_state(job: NewJob) -> JobState:
    return JobState.HELD if job.held else JobState.WAITING


def get_job(connection: Connection, job_id: int) -> Job | None:
    """The job (or the task of an array), unless there is none or it was deleted."""
    row = connection.execute(_GET_JOB, {"wanted": job_id}).one_or_none()
    if row is not None:
        return job_from_row(row)
    return find_task(connection, job_id) if is_task(job_id) else None


def get_jobs(connection: Connection, ids: Iterable[int]) -> list[Job]:
    """Those that have rows, also deleted ones."""
    return [
        job_from_row(row) for part in in_parts(ids) for row in connection.execute(_GET_JOBS, {"wanted": part})
    ]


def active_jobs(connection: Connection) -> list[Job]:
    """Every job with an attempt under way."""
    return [job_from_row(row) for row in connection.execute(_ACTIVE)]


def find_submission(connection: Connection, owner: str, key: str) -> tuple[int, str] | None:
    """The job already made under an idempotency key, and the digest of what was asked then."""
    row = connection.execute(
        select(_J.id, _J.request_digest).where(_J.owner == owner, _J.idempotency_key == key)
    ).one_or_none()
    return (row.id, row.request_digest) if row else None


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which jobs, and from where. A cursor is the sort key of the last row of the page before."""

    area: str | None = None
    owner: str | None = None
    state: JobState | None = None
    name: str | None = None
    cursor: tuple[float, int] | None = None
    limit: int = 100


def list_jobs(connection: Connection, query: ListQuery) -> tuple[list[JobSummary], tuple[float, int] | None]:
    """One page of jobs and the cursor of the next (None at the end).

    Waiting jobs come in line order, ended ones latest end first, everything else newest first.
    """
    # First the ids: a narrow index answers that, and a long history is searched without its wide rows.
    statement = _filtered(connection, select(_J.id), query)
    if query.area == "waiting":
        statement = statement.order_by(_J.position, _J.id)
        if query.cursor:
            statement = statement.where(tuple_(_J.position, _J.id) > tuple_(*query.cursor))
    elif query.area == "history":
        statement = statement.order_by(_J.ended_at.desc(), _J.id.desc())
        if query.cursor:
            statement = statement.where(tuple_(_J.ended_at, _J.id) < tuple_(*query.cursor))
    else:
        statement = statement.order_by(_J.id.desc())
        if query.cursor:
            statement = statement.where(_J.id < query.cursor[1])
    ids = list(connection.execute(statement.limit(query.limit + 1)).scalars())
    found = {
        row.id: summary_from_row(row)
        for part in in_parts(ids)
        for row in connection.execute(_GET_SUMMARIES, {"wanted": part})
    }
    rows = [found[job_id] for job_id in ids[: query.limit]]
    if len(ids) <= query.limit:
        return rows, None
    last = rows[-1]
    keys = {"waiting": last.position, "history": last.ended_at or 0.0}
    return rows, (keys.get(query.area or "", 0.0), last.id)


def count_areas(connection: Connection, query: ListQuery) -> dict[str, int]:
    """How many jobs each area has under the same filters. An array may be in two: some of its tasks run, the
    others wait."""
    narrowed = [ListQuery(area, owner=query.owner, name=query.name) for area in AREAS]
    return {
        str(each.area): connection.execute(_filtered(connection, select(func.count()), each)).scalar_one()
        for each in narrowed
    }


def _filtered(connection: Connection, statement: Select[Any], query: ListQuery) -> Select[Any]:
    states = AREAS.get(query.area or "", IN_LINE | ACTIVE | ENDED)
    if query.state is not None:
        states = states & {query.state}
    wanted: ColumnElement[bool] = _PRESENT
    if query.area == "history":
        # Who has ended is in the index by ends, state and all. Said so that no other index seems better.
        wanted = _J.ended_at.is_not(None)
        if query.state is not None:
            wanted = and_(wanted, (_J.state + "").in_(sorted(s.value for s in states)))
    elif query.area is not None or query.state is not None:
        wanted = and_(_PRESENT, _J.state.in_(sorted(s.value for s in states)))
    running = JobState.RUNNING in states and (query.area or query.state)
    if running and (under_way := _arrays_under_way(connection)):
        # An array stands in line until its last task has begun; people see it run from the first.
        wanted = or_(wanted, and_(_J.state == JobState.WAITING.value, _J.id.in_(under_way)))
    statement = statement.where(wanted, _J.array_id.is_(None))
    if query.area is None:
        # The tasks of arrays are beyond: nobody has to walk past them.
        statement = statement.where(_J.id <= LARGEST_JOB)
    if query.owner is not None:
        statement = statement.where(_J.owner == query.owner)
    if query.name:
        statement = statement.where(_named(connection, query.name))
    return statement


def _arrays_under_way(connection: Connection) -> list[int]:
    return list(connection.execute(_UNDER_WAY).scalars())


def _named(connection: Connection, text: str) -> ColumnElement[bool]:
    """Jobs whose name contains the text, whatever the case of Latin letters, and the job of that number."""
    # SQLite's LIKE minds no case by itself; to lower every name of a long history would cost most of all.
    find = _J.name.contains if connection.dialect.name == "sqlite" else _J.name.icontains
    matches: ColumnElement[bool] = find(text, autoescape=True)
    if text.isascii() and text.isdigit() and len(text) < 16:
        return or_(matches, _J.id == int(text))
    return matches


def update_spec(tx: Transaction, job: Job, spec: JobSpec, actor: str) -> bool:
    """Replace the spec of a job that is in line. False when somebody changed it meanwhile."""
    if not update_guarded(tx, job, not_before=None, **spec_columns(spec)):
        return False
    set_dependencies(tx, job.id, spec.dependencies)
    tx.record(
        EventKind.EDITED,
        job_id=job.id,
        actor=actor,
        owner=job.owner,
        state=job.state.value,
        array=spec.array,
    )
    return True
