"""Taking away what is old. In pieces: no writer waits long behind one."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, tuple_, update

from danlu.core.states import JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

PIECE = 500
"""How many rows are looked at in one transaction."""

_E = schema.events.c
_J = schema.jobs.c
_A = schema.attempts.c
_C = schema.counters
_PRUNED = "pruned_event"
_ITS_JOB_MATTERS = and_(_J.id.is_not(None), _J.state != JobState.DELETED.value)


def prune_events(tx: Transaction, before: float, after_id: int) -> int | None:
    """Remove the events older than `before` from the next piece behind `after_id`; where the following piece
    begins, None behind the last.

    A job keeps its events until it has ended that long ago. The newest event of all always stays: the ids of
    those to come are counted from it.
    """
    newest = select(func.max(_E.id)).scalar_subquery()
    piece = tx.connection.execute(
        select(_E.id, _E.at, _J.ended_at, _ITS_JOB_MATTERS.label("has_job"))
        .outerjoin_from(schema.events, schema.jobs, _J.id == _E.job_id)
        .where(_E.id > after_id, _E.id < newest)
        .order_by(_E.id)
        .limit(PIECE)
    ).all()
    doomed = [
        row.id
        for row in piece
        if row.at < before and (not row.has_job or (row.ended_at is not None and row.ended_at < before))
    ]
    if doomed:
        tx.connection.execute(delete(schema.events).where(_E.id.in_(doomed)))
        _note_pruned(tx, doomed[-1])
    is_last = len(piece) < PIECE or piece[-1].at >= before
    return None if is_last else piece[-1].id


def events_known(connection: Connection) -> tuple[int, int]:
    """The newest event, and the newest that was removed: who has seen that one has missed none."""
    newest = connection.execute(select(func.max(_E.id))).scalar_one() or 0
    pruned = connection.execute(select(_C.c.value).where(_C.c.name == _PRUNED)).scalar_one_or_none()
    return newest, pruned or 0


def _note_pruned(tx: Transaction, event_id: int) -> None:
    known = events_known(tx.connection)[1]
    if known == 0:
        tx.connection.execute(delete(_C).where(_C.c.name == _PRUNED))
        tx.connection.execute(insert(_C).values(name=_PRUNED, value=event_id))
    elif known < event_id:
        tx.connection.execute(update(_C).where(_C.c.name == _PRUNED).values(value=event_id))


def prune_usage(tx: Transaction, before: float) -> bool:
    """Remove a piece of what the GPUs of jobs did that ended before; whether there may be more."""
    usage = schema.job_usage
    key = (usage.c.job_id, usage.c.attempt, usage.c.rank)
    old = (
        select(*key)
        .join(schema.attempts, and_(_A.job_id == usage.c.job_id, _A.number == usage.c.attempt))
        .where(_A.ended_at < before)
        .limit(PIECE)
    )
    doomed = [tuple(row) for row in tx.connection.execute(old)]
    if doomed:
        tx.connection.execute(delete(usage).where(tuple_(*key).in_(doomed)))
    return len(doomed) == PIECE


def prune_access(tx: Transaction, before: float) -> None:
    """Sessions and links that are over, and tokens that have been for long."""
    for table in (schema.sessions, schema.login_links):
        tx.connection.execute(delete(table).where(table.c.expires_at <= tx.now))
    tx.connection.execute(delete(schema.tokens).where(schema.tokens.c.expires_at < before))
    joins = schema.join_tokens.c
    over = or_(joins.expires_at < before, joins.revoked_at < before)
    tx.connection.execute(delete(schema.join_tokens).where(over))
