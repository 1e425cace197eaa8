"""What GPUs did: of each task for as long as its job is known, of all nodes for the last hour.

Both come packed and go packed; who packs them is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, tuple_, update

from danlu.core.resources import Used
from danlu.core.states import JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction, in_parts

_J = schema.jobs.c
_A = schema.attempts.c
_T = schema.tasks.c
_U = schema.job_usage.c
_R = schema.node_readings.c

_SPANS = select(
    _T.job_id,
    _T.attempt,
    _T.rank,
    _T.node,
    _T.gpu_ids,
    func.coalesce(_A.started_at, _A.created_at).label("began_at"),
    _A.ended_at,
).join(schema.attempts, and_(_A.job_id == _T.job_id, _A.number == _T.attempt))
_FORGET = delete(schema.job_usage).where(
    _U.job_id == bindparam("of_job"), _U.attempt == bindparam("of_attempt"), _U.rank == bindparam("of_rank")
)

_OF_GPUS = ("gpu_load", "gpu_load_peak", "gpu_memory_mb", "gpu_memory_peak_mb")
_NOTE_USED = (
    update(schema.attempts)
    .where(_A.job_id == bindparam("of_job"), _A.number == bindparam("of_attempt"))
    .values({name: bindparam(name) for name in _OF_GPUS})
)

AttemptKey = tuple[int, int]
"""The id of a job, and the number of one of its attempts."""
NOTHING_USED: Mapping[AttemptKey, Used] = MappingProxyType({})
UsageKey = tuple[int, int, int]
"""The same, and the rank of one of its tasks."""


@dataclass(frozen=True, slots=True)
class Span:
    """A task that has or had GPUs, and from when to when. `ended_at` is None while it has them."""

    key: UsageKey
    node: str
    gpu_ids: tuple[int, ...]
    began_at: float
    ended_at: float | None


@dataclass(frozen=True, slots=True)
class StoredUsage:
    until: float
    data: bytes


def holders_of_gpus(connection: Connection) -> set[AttemptKey]:
    """The attempts that have GPUs now."""
    held = schema.allocations.c
    return {(row.job_id, row.attempt) for row in connection.execute(select(held.job_id, held.attempt))}


def attempts_ended_after(connection: Connection, at: float) -> set[AttemptKey]:
    rows = connection.execute(select(_A.job_id, _A.number).where(_A.ended_at > at))
    return {(row.job_id, row.number) for row in rows}


def spans_of(connection: Connection, attempts: Iterable[AttemptKey]) -> list[Span]:
    """Those of their tasks that have or had GPUs. A job that was deleted has none."""
    array = schema.jobs.alias()
    gone = or_(_J.state == JobState.DELETED.value, array.c.state == JobState.DELETED.value)
    spans = (
        _SPANS.join(schema.jobs, _J.id == _T.job_id)
        .outerjoin(array, array.c.id == _J.array_id)
        .where(gone.is_not(True))
    )
    return [
        Span((row.job_id, row.attempt, row.rank), row.node, tuple(row.gpu_ids), row.began_at, row.ended_at)
        for part in in_parts(attempts)
        for row in connection.execute(spans.where(tuple_(_T.job_id, _T.attempt).in_(part)))
        if row.gpu_ids
    ]


def read_usage(connection: Connection, keys: Iterable[UsageKey]) -> dict[UsageKey, StoredUsage]:
    return {
        (row.job_id, row.attempt, row.rank): StoredUsage(row.until, row.data)
        for part in in_parts(keys)
        for row in connection.execute(
            select(schema.job_usage).where(tuple_(_U.job_id, _U.attempt, _U.rank).in_(part))
        )
    }


def keep_usage(
    tx: Transaction, usage: dict[UsageKey, StoredUsage], used: Mapping[AttemptKey, Used] = NOTHING_USED
) -> None:
    """Write it in place of what was there; not that of a job which was deleted meanwhile. `used` sums it up
    for each attempt."""
    present = {span.key for span in spans_of(tx.connection, {(job, attempt) for job, attempt, _ in usage})}
    kept = {key: each for key, each in usage.items() if key in present}
    if not kept:
        return
    names = ("of_job", "of_attempt", "of_rank")
    tx.connection.execute(_FORGET, [dict(zip(names, key, strict=True)) for key in kept])
    rows = [
        {"job_id": job, "attempt": attempt, "rank": rank, "until": each.until, "data": each.data}
        for (job, attempt, rank), each in kept.items()
    ]
    tx.connection.execute(insert(schema.job_usage), rows)
    sums = [
        {"of_job": job, "of_attempt": attempt, **{name: getattr(each, name) for name in _OF_GPUS}}
        for (job, attempt), each in used.items()
    ]
    if sums:
        tx.connection.execute(_NOTE_USED, sums)


def read_readings(connection: Connection) -> Sequence[StoredUsage]:
    """The stretches of the last hour, oldest first."""
    rows = connection.execute(select(schema.node_readings).order_by(_R.until))
    return [StoredUsage(row.until, row.data) for row in rows]


def keep_readings(tx: Transaction, stretch: StoredUsage, after: float, oldest: float) -> None:
    """Add a stretch that begins behind `after`, in place of all that ended behind that; and remove those that
    ended before `oldest`."""
    tx.connection.execute(delete(schema.node_readings).where(or_(_R.until < oldest, _R.until > after)))
    tx.connection.execute(insert(schema.node_readings), [{"until": stretch.until, "data": stretch.data}])
