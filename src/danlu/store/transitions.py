"""The one place where a job changes its state: guarded by state and version, recorded as an event."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update

from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.states import JobState, check_transition
from danlu.store import schema
from danlu.store.database import Transaction
from danlu.store.records import job_with_columns


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
    guard = (
        (schema.jobs.c.id == job.id)
        & (schema.jobs.c.state == job.state.value)
        & (schema.jobs.c.version == job.version)
    )
    changed = tx.connection.execute(
        update(schema.jobs).where(guard).values(state=after.value, version=job.version + 1, **columns)
    )
    if changed.rowcount != 1:
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
