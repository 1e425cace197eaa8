"""The order of the waiting jobs: urgent ones lead, and each group is ordered by position."""

from __future__ import annotations

import math

from sqlalchemy import (
    Connection,
    Integer,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    select,
    tuple_,
    update,
)

from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.states import IN_QUEUE
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_J = schema.jobs.c
_IN_QUEUE = _J.state.in_([state.value for state in IN_QUEUE])
_LISTED = and_(_IN_QUEUE, _J.array_id.is_(None))
"""An element of an array that waits by itself has no place of its own in lists."""
URGENT_FIRST = case((_J.urgent, literal_column("0", Integer)), else_=literal_column("1", Integer))
"""Sorts urgent jobs before the others, as the scheduler does."""


def head_position(connection: Connection) -> float:
    """A position before every job that waits now."""
    first = connection.execute(select(func.min(_J.position)).where(_IN_QUEUE)).scalar_one()
    return (first if first is not None else 1.0) - 1.0


def tail_position(connection: Connection, job_id: int) -> float:
    """A position behind every job that waits now, and before those submitted later."""
    others = select(func.max(_J.position)).where(_IN_QUEUE, _J.id != job_id)
    last: float | None = connection.execute(others).scalar_one()
    if last is None:
        return float(job_id)
    # Below the next whole number: newcomers stand at their id, which is at least that.
    ceiling = math.floor(last) + 1.0
    middle = (last + ceiling) / 2
    if last < middle < ceiling:
        return middle
    _spread_positions(connection)
    return tail_position(connection, job_id)


def move_job(tx: Transaction, job: Job, place: int, actor: str) -> int:
    """Let `job` stand at `place` of all that wait, held ones among them (1 is the top; beyond the end means
    the end). An urgent job stays among the urgent ones, which lead, and any other job behind them.
    Returns the place that it has then."""
    ahead = 0 if job.spec.urgent else _count_urgent(tx.connection)
    position = _position_at(tx.connection, job, place - ahead)
    if position is None:
        _spread_positions(tx.connection)
        position = _position_at(tx.connection, job, place - ahead)
    tx.connection.execute(
        update(schema.jobs).where(_J.id == job.id).values(position=position, version=job.version + 1)
    )
    resulting = ahead + _count_before(tx.connection, job) + 1
    tx.record(EventKind.MOVED, job_id=job.id, actor=actor, owner=job.owner, place=resulting)
    return resulting


def _count_urgent(connection: Connection) -> int:
    return connection.execute(select(func.count()).where(_LISTED, _J.urgent)).scalar_one()


def _count_before(connection: Connection, job: Job) -> int:
    """How many of those as urgent as `job` stand before it."""
    position = select(_J.position).where(_J.id == job.id).scalar_subquery()
    before = tuple_(_J.position, _J.id) < tuple_(position, job.id)
    counted = select(func.count()).where(_LISTED, _J.urgent == job.spec.urgent, before)
    return connection.execute(counted).scalar_one()


def _position_at(connection: Connection, job: Job, place: int) -> float | None:
    """A position between the two neighbours of `place` among those as urgent as `job`; None when no number
    lies between them."""
    group = _J.urgent == job.spec.urgent
    others = select(_J.position).where(_LISTED, group, _J.id != job.id).order_by(_J.position, _J.id)
    around: list[float] = list(connection.execute(others.offset(max(place - 2, 0)).limit(2)).scalars())
    if place <= 1:
        return around[0] - 1.0 if around else job.position
    if len(around) < 2:
        return tail_position(connection, job.id)
    middle = (around[0] + around[1]) / 2
    return middle if around[0] < middle < around[1] else None


def _spread_positions(connection: Connection) -> None:
    """Give every job in the queue a whole number again, in the same order."""
    ids = connection.execute(select(_J.id).where(_IN_QUEUE).order_by(_J.position, _J.id)).scalars()
    # Ends at the highest id, so that newcomers (whose position is their id) still come last.
    ordered = list(ids)
    top = max(ordered, default=0)
    rows = [{"job": job_id, "to": float(top - len(ordered) + 1 + n)} for n, job_id in enumerate(ordered)]
    if rows:
        statement = update(schema.jobs).where(_J.id == bindparam("job")).values(position=bindparam("to"))
        connection.execute(statement, rows)
