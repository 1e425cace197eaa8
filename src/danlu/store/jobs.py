"""Jobs as rows: written whole, listed light."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, insert, literal, or_, select, tuple_, update

from danlu.core.events import EventKind
from danlu.core.job import Job, JobSpec, JobSummary
from danlu.core.states import ACTIVE, AREAS, ENDED, IN_LINE, JobState
from danlu.store import schema
from danlu.store.database import Transaction
from danlu.store.dependencies import set_dependencies
from danlu.store.records import job_from_row, spec_to_json, summary_from_row
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
)
_GET_JOB = select(schema.jobs).where(
    _J.id == bindparam("wanted"), _J.state != literal(JobState.DELETED.value)
)
_INSERT_JOB = insert(schema.jobs)
_SET_POSITION = update(schema.jobs).where(_J.id == bindparam("wanted")).values(position=bindparam("position"))


def insert_job(
    tx: Transaction,
    owner: str,
    spec: JobSpec,
    *,
    held: bool,
    key: str | None = None,
    digest: str | None = None,
    actor: str | None = None,
) -> int:
    """A new job at the end of the line; its id. `actor` is who submitted it, if not the owner."""
    state = JobState.HELD if held else JobState.WAITING
    row = {
        "owner": owner,
        "state": state.value,
        "version": 1,
        "position": 0.0,
        "submitted_at": tx.now,
        "attempt": 0,
        "idempotency_key": key,
        "request_digest": digest,
        **spec_columns(spec),
    }
    job_id: int = tx.connection.execute(_INSERT_JOB, row).inserted_primary_key[0]  # type: ignore[index]
    # The id orders the line by time of submission; a move may set a position between two ids later.
    tx.connection.execute(_SET_POSITION, {"wanted": job_id, "position": float(job_id)})
    if spec.dependencies:
        set_dependencies(tx, job_id, spec.dependencies)
    tx.record(EventKind.SUBMITTED, job_id=job_id, actor=actor or owner, state=state.value, name=spec.name)
    return job_id


def spec_columns(spec: JobSpec) -> dict[str, Any]:
    """The columns that a spec fills: itself, and what lists and the scheduler read of it."""
    ask = spec.ask
    return {
        "name": spec.name,
        "queue": spec.queue,
        "spec": spec_to_json(spec),
        "urgent": spec.urgent,
        "gpus": ask.gpus,
        "gpu_ids": list(ask.gpu_ids),
        "cpus": ask.cpus,
        "memory_mb": ask.memory_mb,
        "node": ask.node,
    }


def get_job(connection: Connection, job_id: int) -> Job | None:
    """The job, unless there is none or it was deleted."""
    row = connection.execute(_GET_JOB, {"wanted": job_id}).one_or_none()
    return job_from_row(row) if row else None


def get_jobs(connection: Connection, ids: Iterable[int]) -> list[Job]:
    rows = connection.execute(select(schema.jobs).where(_J.id.in_(list(ids))).order_by(_J.id))
    return [job_from_row(row) for row in rows]


def active_jobs(connection: Connection) -> list[Job]:
    """Every job with an attempt under way."""
    rows = connection.execute(select(schema.jobs).where(_J.state.in_([s.value for s in ACTIVE])))
    return [job_from_row(row) for row in rows]


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
    statement = _filtered(select(*_SUMMARY), query)
    if query.area == "waiting":
        statement = statement.order_by(_J.position, _J.id)
        if query.cursor:
            statement = statement.where(tuple_(_J.position, _J.id) > tuple_(*query.cursor))
    elif query.area == "history":
        statement = statement.where(_J.ended_at.is_not(None)).order_by(_J.ended_at.desc(), _J.id.desc())
        if query.cursor:
            statement = statement.where(tuple_(_J.ended_at, _J.id) < tuple_(*query.cursor))
    else:
        statement = statement.order_by(_J.id.desc())
        if query.cursor:
            statement = statement.where(_J.id < query.cursor[1])
    rows = [summary_from_row(row) for row in connection.execute(statement.limit(query.limit + 1))]
    if len(rows) <= query.limit:
        return rows, None
    rows = rows[: query.limit]
    last = rows[-1]
    keys = {"waiting": last.position, "history": last.ended_at or 0.0}
    return rows, (keys.get(query.area or "", 0.0), last.id)


def count_areas(connection: Connection, query: ListQuery) -> dict[str, int]:
    """How many jobs each area has under the same filters."""
    counted = _filtered(
        select(_J.state, func.count().label("number")), ListQuery(owner=query.owner, name=query.name)
    )
    by_state = {row.state: row.number for row in connection.execute(counted.group_by(_J.state))}
    return {area: sum(by_state.get(state.value, 0) for state in states) for area, states in AREAS.items()}


def _filtered(statement: Select[Any], query: ListQuery) -> Select[Any]:
    states = AREAS.get(query.area or "", IN_LINE | ACTIVE | ENDED)
    if query.state is not None:
        states = states & {query.state}
    statement = statement.where(_J.state.in_(sorted(s.value for s in states)))
    if query.owner is not None:
        statement = statement.where(_J.owner == query.owner)
    if query.name:
        matches = _J.name.icontains(query.name, autoescape=True)
        number = (
            query.name if query.name.isascii() and query.name.isdigit() and len(query.name) < 16 else None
        )
        statement = statement.where(or_(matches, _J.id == int(number)) if number else matches)
    return statement


def update_spec(tx: Transaction, job: Job, spec: JobSpec, actor: str) -> bool:
    """Replace the spec of a job that is in line. False when somebody changed it meanwhile."""
    if not update_guarded(tx, job, not_before=None, **spec_columns(spec)):
        return False
    set_dependencies(tx, job.id, spec.dependencies)
    tx.record(EventKind.EDITED, job_id=job.id, actor=actor)
    return True
