"""Who waits for whom."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, select

from danlu.core.events import EventKind
from danlu.core.job import Dependency, DependencyKind
from danlu.core.states import IN_QUEUE, JobState
from danlu.store.engine import schema
from danlu.store.engine.bulk_rows import insert_rows
from danlu.store.engine.database import Transaction, in_parts
from danlu.store.engine.records import kind_of_need

_D = schema.dependencies.c


def set_dependencies(tx: Transaction, job_id: int, dependencies: tuple[Dependency, ...]) -> None:
    tx.connection.execute(delete(schema.dependencies).where(_D.job_id == job_id))
    insert_dependencies(tx, [(job_id, dependencies)])


def insert_dependencies(tx: Transaction, many: Iterable[tuple[int, tuple[Dependency, ...]]]) -> None:
    """Those of jobs that have none yet."""
    rows = []
    for job_id, dependencies in many:
        # Needing a job's success includes needing its end.
        kinds = {each.job_id: each.kind for each in sorted(dependencies, key=lambda each: each.kind)}
        rows += [(job_id, predecessor, kind.value) for predecessor, kind in kinds.items()]
    insert_rows(tx.connection, schema.dependencies, ("job_id", "predecessor_id", "kind"), rows)


def dependencies_of(connection: Connection, job_id: int) -> tuple[Dependency, ...]:
    rows = connection.execute(
        select(_D.predecessor_id, _D.kind).where(_D.job_id == job_id).order_by(_D.predecessor_id)
    )
    return tuple(Dependency(row.predecessor_id, kind_of_need(row.kind)) for row in rows)


def successors_of(connection: Connection, job_ids: Iterable[int]) -> list[int]:
    """The jobs that wait, or waited, directly for any of these."""
    found: set[int] = set()
    for part in in_parts(job_ids):
        rows = connection.execute(select(_D.job_id).where(_D.predecessor_id.in_(part)))
        found.update(row.job_id for row in rows)
    return sorted(found)


def all_successors_of(connection: Connection, job_id: int) -> list[int]:
    """Every job that waits for this one, directly or through others."""
    found: set[int] = set()
    fresh = {job_id}
    while fresh:
        fresh = set(successors_of(connection, fresh)) - found - {job_id}
        found |= fresh
    return sorted(found)


def missing_jobs(connection: Connection, ids: Iterable[int]) -> list[int]:
    """Which of these ids are no jobs, or deleted ones."""
    wanted = set(ids)
    if not wanted:
        return []
    jobs = schema.jobs.c
    rows = connection.execute(
        select(jobs.id).where(jobs.id.in_(wanted), jobs.state != JobState.DELETED.value)
    )
    return sorted(wanted - {row.id for row in rows})


def services_among(connection: Connection, ids: Iterable[int]) -> set[int]:
    """Which of these jobs are services: they never succeed."""
    found: set[int] = set()
    jobs = schema.jobs.c
    for part in in_parts(ids):
        rows = connection.execute(
            select(jobs.id).where(jobs.id.in_(part), jobs.spec["service"].as_boolean().is_(True))
        )
        found.update(row.id for row in rows)
    return found


def waiting_for_success_of(connection: Connection, job_id: int) -> list[int]:
    """The jobs in the queue that need this one to succeed."""
    jobs = schema.jobs.c
    rows = connection.execute(
        select(jobs.id)
        .join_from(schema.dependencies, schema.jobs, jobs.id == _D.job_id)
        .where(
            _D.predecessor_id == job_id,
            _D.kind == DependencyKind.OK.value,
            jobs.state.in_([state.value for state in IN_QUEUE]),
        )
        .order_by(jobs.id)
    )
    return [row.id for row in rows]


def drop_predecessor(tx: Transaction, predecessor_id: int) -> None:
    """A deleted predecessor counts as ended: no job waits for it any more."""
    for successor in successors_of(tx.connection, [predecessor_id]):
        tx.record(EventKind.DEPENDENCY_DROPPED, job_id=successor, predecessor=predecessor_id)
    tx.connection.execute(delete(schema.dependencies).where(_D.predecessor_id == predecessor_id))
