"""Named locks and a small key-value store, both by owner."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, CursorResult, and_, delete, func, insert, or_, select, update

from danlu.core.events import EventKind
from danlu.core.locks import KeyEntry, Lock
from danlu.core.states import ACTIVE
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

MOST_LOCKS = 1000
MOST_KEYS = 1000

_L = schema.locks.c
_K = schema.key_values.c
_J = schema.jobs.c
_ACTIVE = [state.value for state in ACTIVE]


class Full(Exception):
    """There is no room for another."""


def take_lock(
    tx: Transaction,
    owner: str,
    name: str,
    holder: str,
    *,
    lifetime_s: float | None = None,
    job: tuple[int, int] | None = None,
) -> Lock:
    """The grant that counts now: with this holder, or with another one that has it. `job` is a job and its
    attempt. Raises Full."""
    known = _find(tx.connection, owner, name)
    if known is not None and _counts(tx, known):
        return known
    if known is None:
        _make_room(tx, owner)
    expires_at = None if lifetime_s is None else tx.now + lifetime_s
    job_id, attempt = job or (None, None)
    granted = Lock(owner, name, _next(tx, "lock"), holder, tx.now, expires_at, job_id, attempt)
    tx.connection.execute(delete(schema.locks).where(_L.owner == owner, _L.name == name))
    tx.connection.execute(
        insert(schema.locks).values(
            owner=owner,
            name=name,
            fence=granted.fence,
            job_id=job_id,
            attempt=attempt,
            holder=holder,
            taken_at=tx.now,
            expires_at=expires_at,
        )
    )
    return granted


def find_lock(connection: Connection, now: float, owner: str, name: str) -> Lock | None:
    """The grant of a lock, if it counts."""
    row = connection.execute(
        select(schema.locks)
        .outerjoin_from(schema.locks, schema.jobs, _J.id == _L.job_id)
        .where(_held(now), _L.owner == owner, _L.name == name)
    ).one_or_none()
    return None if row is None else _lock(row)


def renew_lock(tx: Transaction, owner: str, name: str, fence: int, lifetime_s: float) -> Lock | None:
    """The grant, which counts for that much longer; None when it counts no more."""
    known = _find(tx.connection, owner, name)
    if known is None or known.fence != fence or not _counts(tx, known):
        return None
    if known.expires_at is not None:
        place = and_(_L.owner == owner, _L.name == name)
        tx.connection.execute(update(schema.locks).where(place).values(expires_at=tx.now + lifetime_s))
    return _find(tx.connection, owner, name)


def release_lock(
    tx: Transaction, owner: str, name: str, fence: int | None = None, actor: str | None = None
) -> bool:
    """Whether it was held, with this fence or, without one, at all: `actor` takes it away then."""
    known = _find(tx.connection, owner, name)
    if known is None or (fence is not None and known.fence != fence):
        return False
    held = _counts(tx, known)
    tx.connection.execute(delete(schema.locks).where(_L.owner == owner, _L.name == name))
    if actor is not None:
        tx.record(EventKind.LOCK_FREED, actor=actor, lock=name, owner=owner)
    return held


def list_locks(connection: Connection, now: float, owner: str | None = None) -> list[Lock]:
    """Those that are held, by name; of all owners without an owner."""
    wanted = select(schema.locks).outerjoin_from(schema.locks, schema.jobs, _J.id == _L.job_id)
    wanted = wanted.where(_held(now)).order_by(_L.owner, _L.name).limit(MOST_LOCKS)
    if owner is not None:
        wanted = wanted.where(_L.owner == owner)
    return [_lock(row) for row in connection.execute(wanted)]


def get_entry(connection: Connection, owner: str, key: str) -> KeyEntry | None:
    row = connection.execute(select(schema.key_values).where(_K.owner == owner, _K.key == key)).one_or_none()
    return None if row is None else KeyEntry(row.key, row.value, row.revision, row.changed_at)


def list_entries(connection: Connection, owner: str, prefix: str = "") -> list[KeyEntry]:
    """By key; in the order of code points, which is the same in both databases only if we sort them."""
    rows = connection.execute(select(schema.key_values).where(_K.owner == owner))
    found = [KeyEntry(row.key, row.value, row.revision, row.changed_at) for row in rows]
    return sorted((each for each in found if each.key.startswith(prefix)), key=lambda each: each.key)


def put_entry(tx: Transaction, owner: str, key: str, value: str) -> KeyEntry:
    """Raises Full."""
    entry = KeyEntry(key, value, _next(tx, "key"), tx.now)
    changed: CursorResult[Any] = tx.connection.execute(
        update(schema.key_values)
        .where(_K.owner == owner, _K.key == key)
        .values(value=value, revision=entry.revision, changed_at=tx.now)
    )
    if changed.rowcount == 0:
        if _count(tx.connection, schema.key_values, owner) >= MOST_KEYS:
            raise Full
        tx.connection.execute(
            insert(schema.key_values).values(
                owner=owner, key=key, value=value, revision=entry.revision, changed_at=tx.now
            )
        )
    return entry


def delete_entry(tx: Transaction, owner: str, key: str) -> None:
    tx.connection.execute(delete(schema.key_values).where(_K.owner == owner, _K.key == key))


def is_active(connection: Connection, job_id: int, attempt: int) -> bool:
    """Whether this attempt is the one that its job has under way."""
    row = connection.execute(
        select(_J.id).where(_J.id == job_id, _J.attempt == attempt, _J.state.in_(_ACTIVE))
    ).one_or_none()
    return row is not None


def _find(connection: Connection, owner: str, name: str) -> Lock | None:
    row = connection.execute(select(schema.locks).where(_L.owner == owner, _L.name == name)).one_or_none()
    return None if row is None else _lock(row)


def _lock(row: Any) -> Lock:
    return Lock(
        row.owner, row.name, row.fence, row.holder, row.taken_at, row.expires_at, row.job_id, row.attempt
    )


def _counts(tx: Transaction, lock: Lock) -> bool:
    if lock.expires_at is not None and lock.expires_at <= tx.now:
        return False
    if lock.job_id is None or lock.attempt is None:
        return True
    return is_active(tx.connection, lock.job_id, lock.attempt)


def _held(now: float) -> Any:
    """The same as `_counts`, in SQL."""
    active = and_(_J.id.is_not(None), _J.attempt == _L.attempt, _J.state.in_(_ACTIVE))
    return and_(or_(_L.expires_at.is_(None), _L.expires_at > now), or_(_L.job_id.is_(None), active))


def _make_room(tx: Transaction, owner: str) -> None:
    """Locks that count no more go when their place is needed. Raises Full."""
    if _count(tx.connection, schema.locks, owner) < MOST_LOCKS:
        return
    held = {lock.name for lock in list_locks(tx.connection, tx.now, owner)}
    names = {row.name for row in tx.connection.execute(select(_L.name).where(_L.owner == owner))}
    for name in names - held:
        tx.connection.execute(delete(schema.locks).where(_L.owner == owner, _L.name == name))
    if len(held) >= MOST_LOCKS:
        raise Full


def _count(connection: Connection, table: Any, owner: str) -> int:
    return int(
        connection.execute(select(func.count()).select_from(table).where(table.c.owner == owner)).scalar_one()
    )


def _next(tx: Transaction, counter: str) -> int:
    """A number that was never given out before, and grows."""
    counters = schema.counters
    taken = tx.connection.execute(
        update(counters)
        .where(counters.c.name == counter)
        .values(value=counters.c.value + 1)
        .returning(counters.c.value)
    ).scalar_one_or_none()
    if taken is None:
        taken = 1
        tx.connection.execute(insert(counters).values(name=counter, value=taken))
    return int(taken)
