"""The one place where a job changes its state: guarded by state and version, recorded as an event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from sqlalchemy import Update, bindparam, func, select, update

from danlu.core.array import COUNTED, array_state
from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.job_id import is_element, job_of
from danlu.core.states import ENDED, IN_QUEUE, EndReason, JobState, check_transition
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.records import SELECT_JOBS, job_from_row, job_with_columns
from danlu.store.jobs.erasure import ERASED, erase

_J = schema.jobs.c
_N = schema.arrays.c
_NUMBERS = ("active", "succeeded", "failed", "cancelled")
_COUNT = (
    update(schema.arrays)
    .where(_N.job_id == bindparam("array"))
    .values({name: _N[name] + bindparam(f"{name}_more") for name in _NUMBERS})
)
_OWN_QUEUE = select(func.count()).where(
    _J.array_id == bindparam("array"), _J.state.in_([state.value for state in IN_QUEUE])
)
_ALL_BEGUN = update(schema.arrays).where(_N.job_id == bindparam("array")).values(begun=_N.total)
_GET_ARRAY = SELECT_JOBS.where(_J.id == bindparam("wanted"))


class Stale(Exception):
    """A job is no longer as it was seen. Raised for a whole group: which of them it was is not known."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """A job that shall move on to `after`, setting `columns` with it. `told` is what the event says beyond
    the two states."""

    job: Job
    after: JobState
    columns: dict[str, Any] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    actor: str | None = None


def change_state(
    tx: Transaction,
    job: Job,
    after: JobState,
    *,
    actor: str | None = None,
    told: dict[str, Any] | None = None,
    **columns: Any,
) -> Job | None:
    """Move `job` to `after`. None when the job was changed meanwhile."""
    try:
        return change_states(tx, [StateChange(job, after, columns, told or {}, actor)])[0]
    except Stale:
        return None


def change_states(tx: Transaction, changes: Sequence[StateChange]) -> list[Job]:
    """Move many jobs on with one statement for each set of columns; how they are then. Raises Stale, and has
    changed some perhaps: a caller with more than one to change undoes the whole."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for each in changes:
        check_transition(each.job.id, each.job.state, each.after, array=each.job.is_array)
        columns = {"state": each.after.value, "version": each.job.version + 1, **each.columns}
        if each.after is JobState.DELETED:
            # Here, so that no way of deleting a job leaves its secrets in the database and every backup.
            columns |= ERASED
        groups[tuple(sorted(columns))].append(columns | _as_seen(each.job))
    for names, rows in groups.items():
        if tx.connection.execute(_guarded_update(names), rows).rowcount != len(rows):
            raise Stale
    for each in changes:
        if each.after is JobState.DELETED:
            erase(tx, each.job.id)
    return [_record(tx, each) for each in changes]


def update_guarded(tx: Transaction, job: Job, **columns: Any) -> bool:
    """Set columns of a job that is still as it was seen. False when it was changed meanwhile."""
    columns["version"] = job.version + 1
    done = tx.connection.execute(_guarded_update(tuple(sorted(columns))), columns | _as_seen(job))
    return done.rowcount == 1


def _as_seen(job: Job) -> dict[str, Any]:
    return {"seen_id": job.id, "seen_state": job.state.value, "seen_version": job.version}


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


def _record(tx: Transaction, change: StateChange) -> Job:
    job, after, columns = change.job, change.after, change.columns
    tx.record(
        EventKind.STATE,
        job_id=job.id,
        attempt=columns.get("attempt", job.attempt) or None,
        actor=change.actor,
        owner=job.owner,
        before=job.state.value,
        after=after.value,
        **change.told,
    )
    if is_element(job.id):
        tx.at_end("arrays", settle_arrays)
    return job_with_columns(job, state=after.value, version=job.version + 1, **columns)


def settle_arrays(tx: Transaction) -> None:
    """Count how the elements of arrays moved on in this transaction, and move their arrays on with them."""
    moves: dict[int, dict[str, int]] = {}
    for event in tx.events:
        if event.kind is EventKind.STATE and event.job_id is not None and is_element(event.job_id):
            numbers = moves.setdefault(job_of(event.job_id), dict.fromkeys(_NUMBERS, 0))
            for state, change in ((event.data["before"], -1), (event.data["after"], 1)):
                if state in COUNTED:
                    numbers[COUNTED[state]] += change
    for array_id, numbers in moves.items():
        changes = {f"{name}_more": change for name, change in numbers.items()}
        tx.connection.execute(_COUNT, {"array": array_id, **changes})
        settle_array(tx, array_id)


def settle_array(tx: Transaction, array_id: int) -> None:
    """Bring the state of an array in line with its numbers."""
    array = job_from_row(tx.connection.execute(_GET_ARRAY, {"wanted": array_id}).one())
    counts = array.counts
    if counts is None or array.state in ENDED or array.state is JobState.DELETED:
        return
    if array.state in IN_QUEUE and counts.begun < counts.total:
        waiting = tx.connection.execute(_OWN_QUEUE, {"array": array_id}).scalar_one()
        if counts.waiting == waiting:
            # Those that it had yet to begin were cancelled one by one.
            tx.connection.execute(_ALL_BEGUN, {"array": array_id})
            counts = replace(counts, begun=counts.total)
    after = array_state(counts, array.state)
    if after is array.state:
        return
    if after in ENDED and array.state in IN_QUEUE:
        array = change_states(tx, [StateChange(array, JobState.RUNNING)])[0]
    columns: dict[str, Any] = {}
    if after in ENDED:
        reason = {
            JobState.SUCCEEDED: EndReason.COMPLETED,
            JobState.CANCELLED: EndReason.CANCELLED,
            JobState.FAILED: EndReason.ELEMENTS_FAILED,
        }[after]
        detail = f"{counts.failed}/{counts.total}" if after is JobState.FAILED else ""
        columns = {
            "ended_at": tx.now,
            "end_reason": reason.value,
            "detail": detail,
            "stop_intent": None,
        }
    told = {"end_reason": columns["end_reason"]} if columns else {}
    change_states(tx, [StateChange(array, after, columns, told)])
