"""The one place where a job changes its state: guarded by state and version, recorded as an event."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Update, bindparam, update

from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.states import JobState, check_transition
from danlu.store import schema
from danlu.store.database import Transaction
from danlu.store.records import job_with_columns

_J = schema.jobs.c


def update_guarded(tx: Transaction, job: Job, **columns: Any) -> bool:
    """Set columns of a job that is still as it was seen. False when somebody changed it meanwhile."""
    columns["version"] = job.version + 1
    seen = {"seen_id": job.id, "seen_state": job.state.value, "seen_version": job.version}
    done = tx.connection.execute(_guarded_update(tuple(sorted(columns))), columns | seen)
    return done.rowcount == 1


@cache
def _guarded_update(names: tuple[str, ...]) -> Update:
    """The statement that sets these columns, built once for each set of them."""
    return (
        update(schema.jobs)
        .where(_J.id == bindparam("seen_id"))
        .where(_J.state == bindparam("seen_state"))
        .where(_J.version == bindparam("seen_version"))
        .values({name: bindparam(name, type_=_J[name].type) for name in names})
    )


def change_state(
    tx: Transaction,
    job: Job,
    after: JobState,
    *,
    actor: str | None = None,
    told: dict[str, Any] | None = None,
    **columns: Any,
) -> Job | None:
    """Move `job` to `after`, setting `columns` with it. None when somebody changed the job meanwhile.

    `told` is what the event says beyond the two states.
    """
    check_transition(job.id, job.state, after)
    if not update_guarded(tx, job, state=after.value, **columns):
        return None
    attempt = columns.get("attempt", job.attempt)
    tx.record(
        EventKind.STATE,
        job_id=job.id,
        attempt=attempt or None,
        actor=actor,
        before=job.state.value,
        after=after.value,
        **(told or {}),
    )
    return job_with_columns(job, state=after.value, version=job.version + 1, **columns)
