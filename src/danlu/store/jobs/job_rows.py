"""Jobs as rows: written whole, listed light."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    func,
    literal,
    select,
    update,
)

from danlu.core.events import EventKind
from danlu.core.job import Job, JobSpec
from danlu.core.job_id import is_element
from danlu.core.states import ACTIVE, JobState
from danlu.store.engine import schema
from danlu.store.engine.bulk_rows import for_driver, insert_rows
from danlu.store.engine.database import Transaction, in_parts
from danlu.store.engine.records import (
    SELECT_JOBS,
    WHOLE,
    job_from_row,
    spec_columns,
)
from danlu.store.jobs.arrays import find_element, insert_arrays
from danlu.store.jobs.dependencies import insert_dependencies, set_dependencies
from danlu.store.jobs.job_tags import insert_tags, set_tags
from danlu.store.jobs.transitions import update_guarded

_J = schema.jobs.c
_DELETED = literal(JobState.DELETED.value)
# What is left of an array that was deleted is hidden with it.
_THERE = and_(_J.state != _DELETED, func.coalesce(WHOLE.c.state, "") != _DELETED)
_GET_JOB = SELECT_JOBS.where(_J.id == bindparam("wanted"), _THERE)
_GET_JOBS = SELECT_JOBS.where(_J.id.in_(bindparam("wanted", expanding=True)))
# An array itself has no attempts: its elements have.
_ACTIVE = SELECT_JOBS.where(_J.state.in_([state.value for state in ACTIVE]), _J.attempt > 0)
_GIVEN_LAST = ("id", "position", "submitted_at", "idempotency_key", "request_digest")
_TAKE_IDS = (
    update(schema.counters)
    .where(schema.counters.c.name == "job")
    .values(value=schema.counters.c.value + bindparam("number"))
    .returning(schema.counters.c.value)
)
_NEWEST = select(schema.counters.c.value).where(schema.counters.c.name == "job")


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be written down. `actor` is who submitted it, if not the owner."""

    owner: str
    spec: JobSpec
    held: bool = False
    key: str | None = None
    digest: str | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class PreparedJob:
    """A job with all that can be known of its row before its turn to be written comes."""

    job: NewJob
    columns: dict[str, Any]


def prepare_job(job: NewJob) -> PreparedJob:
    columns = {"owner": job.owner, "state": _first_state(job).value, "version": 1, **spec_columns(job.spec)}
    return PreparedJob(job, for_driver(schema.jobs, columns))


def insert_jobs(tx: Transaction, jobs: Sequence[NewJob]) -> list[int]:
    """New jobs at the end of the queue, in this order; their ids."""
    return insert_prepared(tx, [prepare_job(job) for job in jobs])


def insert_prepared(tx: Transaction, prepared: Sequence[PreparedJob]) -> list[int]:
    """The same, with a few statements for however many."""
    last: int = tx.connection.execute(_TAKE_IDS, {"number": len(prepared)}).scalar_one()
    ids = list(range(last - len(prepared) + 1, last + 1))
    rows = [
        # The id orders the queue by time of submission; a move may set a position between two ids later.
        (job_id, float(job_id), tx.now, each.job.key, each.job.digest, *each.columns.values())
        for job_id, each in zip(ids, prepared, strict=True)
    ]
    insert_rows(tx.connection, schema.jobs, (*_GIVEN_LAST, *prepared[0].columns), rows)
    first = ids[0]
    needy = [(first + n, each.job.spec) for n, each in enumerate(prepared) if each.job.spec.dependencies]
    insert_dependencies(tx, [(job_id, spec.dependencies) for job_id, spec in needy])
    arrays = [(first + n, each.job.spec) for n, each in enumerate(prepared) if each.job.spec.array]
    insert_arrays(tx, arrays)
    insert_tags(tx, [(first + n, each.job.spec.tags) for n, each in enumerate(prepared)])
    for job_id, each in zip(ids, prepared, strict=True):
        job = each.job
        tx.record(
            EventKind.SUBMITTED,
            job_id=job_id,
            actor=job.actor or job.owner,
            owner=job.owner,
            state=_first_state(job).value,
            name=job.spec.name,
            array=job.spec.array,
        )
    return ids


def _first_state(job: NewJob) -> JobState:
    return JobState.HELD if job.held else JobState.WAITING


def get_job(connection: Connection, job_id: int) -> Job | None:
    """The job (or the element of an array), unless there is none or it was deleted."""
    row = connection.execute(_GET_JOB, {"wanted": job_id}).one_or_none()
    if row is not None:
        return job_from_row(row)
    return find_element(connection, job_id) if is_element(job_id) else None


def get_jobs(connection: Connection, ids: Iterable[int]) -> list[Job]:
    """Those that have rows, also deleted ones."""
    return [
        job_from_row(row) for part in in_parts(ids) for row in connection.execute(_GET_JOBS, {"wanted": part})
    ]


def active_jobs(connection: Connection) -> list[Job]:
    """Every job with an attempt under way."""
    return [job_from_row(row) for row in connection.execute(_ACTIVE)]


def newest_job(connection: Connection) -> int:
    """The number of the job that was submitted last; 0 before the first."""
    return connection.execute(_NEWEST).scalar_one_or_none() or 0


def find_submission(connection: Connection, owner: str, key: str) -> tuple[int, str] | None:
    """The job already made under an idempotency key, and the digest of what was asked then."""
    row = connection.execute(
        select(_J.id, _J.request_digest).where(_J.owner == owner, _J.idempotency_key == key)
    ).one_or_none()
    return (row.id, row.request_digest) if row else None


def update_spec(tx: Transaction, job: Job, spec: JobSpec, actor: str) -> bool:
    """Replace the spec of a job that is in the queue. False when it was changed meanwhile."""
    if not update_guarded(tx, job, not_before=None, **spec_columns(spec)):
        return False
    set_dependencies(tx, job.id, spec.dependencies)
    set_tags(tx, job.id, spec.tags)
    tx.record(
        EventKind.EDITED,
        job_id=job.id,
        actor=actor,
        owner=job.owner,
        state=job.state.value,
        name=spec.name,
        array=spec.array,
    )
    return True
