"""Locks that jobs and people take and wait for, and the keys and values that they share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from danlu.control.event_bus import JOB_KINDS, EventBus, Subscription
from danlu.control.identity.rights import check_admin, check_may_submit
from danlu.control.sharing.job_secrets import SecretHolder
from danlu.core.errors import Conflict, Forbidden, Invalid, NotFound, Unavailable
from danlu.core.job_id import label_of
from danlu.core.locks import KeyEntry, Lock
from danlu.core.user import User
from danlu.store import locks as store
from danlu.store.engine.database import Database, Transaction
from danlu.store.locks import MOST_KEYS, MOST_LOCKS, Full

USUAL_LIFETIME_S = 30.0
LARGEST_VALUE = 64 * 1024
SHORTEST_S = 0.01
"""Timers may be early by a hair."""


@dataclass(slots=True)
class _LockQueue:
    """Who waits for one lock: in the order they came, and only the first of them looks."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    news: Subscription | None = None
    """What the first of them listens to."""
    released: bool = False
    """A holder gave the lock back since the first of them looked."""


@dataclass(frozen=True, slots=True)
class _Wish:
    who: SecretHolder
    name: str
    token: str
    lifetime_s: float | None

    @property
    def owner(self) -> str:
        return self.who.user.name


class LockService:
    def __init__(self, database: Database, bus: EventBus, clock: Callable[[], float]) -> None:
        self._database = database
        self._bus = bus
        self._clock = clock
        self._queues: dict[tuple[str, str], _LockQueue] = {}
        self._returns: set[asyncio.Task[bool]] = set()

    async def acquire(
        self,
        who: SecretHolder,
        name: str,
        token: str,
        *,
        wait_s: float = 0.0,
        lifetime_s: float | None = None,
    ) -> Lock:
        """A grant, after waiting for it if need be. `token` is the name that the holder gave itself: asking
        again under it gives the same grant again. Raises Conflict when others keep the lock."""
        check_may_submit(who.user)
        if lifetime_s is None and who.job is None:
            lifetime_s = USUAL_LIFETIME_S
        wish = _Wish(who, name, token, lifetime_s)
        key = (wish.owner, name)
        queue = self._queues.setdefault(key, _LockQueue())
        queue.waiting += 1
        try:
            return await self._wait_in(queue, wish, wait_s)
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                del self._queues[key]

    async def _wait_in(self, queue: _LockQueue, wish: _Wish, wait_s: float) -> Lock:
        if queue.turn.locked():
            # Another one is first; but what was granted already was only not heard of.
            now = self._clock()
            known = await self._database.read(lambda c: store.find_lock(c, now, wish.owner, wish.name))
            if known is not None and known.holder == wish.token:
                return known
            if wait_s <= 0:
                raise _held(wish.name, known)
        seen: list[Lock] = []
        try:
            async with asyncio.timeout(wait_s if wait_s > 0 else None), queue.turn:
                return await self._wait_first(queue, wish, seen, once=wait_s <= 0)
        except TimeoutError:
            raise _held(wish.name, seen[-1] if seen else None) from None

    async def _wait_first(self, queue: _LockQueue, wish: _Wish, seen: list[Lock], *, once: bool) -> Lock:
        with self._bus.subscribe(JOB_KINDS) as news:
            queue.news = news
            try:
                while True:
                    queue.released = False
                    lock = await self._take(wish)
                    if lock.holder == wish.token:
                        return lock
                    seen.append(lock)
                    if once:
                        raise _held(wish.name, lock)
                    await self._until_news(queue, news, lock)
            finally:
                queue.news = None

    async def _take(self, wish: _Wish) -> Lock:
        taking = asyncio.ensure_future(
            self._database.write(
                lambda tx: store.take_lock(
                    tx, wish.owner, wish.name, wish.token, lifetime_s=wish.lifetime_s, job=wish.who.job
                )
            )
        )
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            # The caller does not wait for the answer any more; a grant that comes now has no holder.
            taking.add_done_callback(lambda taken: self._give_back(taken, wish.token))
            raise
        except Full:
            raise Conflict("too_many_locks", most=MOST_LOCKS) from None

    def _give_back(self, taken: asyncio.Future[Lock], token: str) -> None:
        if taken.cancelled() or taken.exception() is not None:
            return
        lock = taken.result()
        if lock.holder == token:
            giving = asyncio.create_task(self._release(lock.owner, lock.name, lock.fence))
            self._returns.add(giving)
            giving.add_done_callback(self._returns.discard)

    async def _until_news(self, queue: _LockQueue, news: Subscription, lock: Lock) -> None:
        """Until the lock may be free: it was released, its time is up, or something happened to its job."""
        while not queue.released:
            left_s = None if lock.expires_at is None else max(SHORTEST_S, lock.expires_at - self._clock())
            try:
                events = await asyncio.wait_for(news.next(), left_s)
            except TimeoutError:
                return
            if news.closed:
                raise Unavailable("stopping")
            if news.take_overrun() or any(event.job_id == lock.job_id for event in events):
                return

    async def renew(self, who: SecretHolder, name: str, fence: int, lifetime_s: float) -> Lock:
        """Raises Conflict when it is held no more."""
        owner = who.user.name
        lock = await self._database.write(lambda tx: store.renew_lock(tx, owner, name, fence, lifetime_s))
        if lock is None:
            raise Conflict("lock_not_held", name=name, fence=fence)
        return lock

    async def release(self, who: SecretHolder, name: str, fence: int) -> bool:
        """Whether it was still held."""
        return await self._release(who.user.name, name, fence)

    async def force_release(self, user: User, owner: str, name: str) -> None:
        """Take a lock away from its holder. For its owner and for administrators."""
        if owner != user.name and not user.is_admin:
            raise Forbidden("not_your_lock", owner=owner)
        if not await self._release(owner, name, None, actor=user.name):
            raise NotFound("no_such_lock", name=name)

    async def _release(self, owner: str, name: str, fence: int | None, actor: str | None = None) -> bool:
        held = await self._database.write(lambda tx: store.release_lock(tx, owner, name, fence, actor))
        queue = self._queues.get((owner, name))
        if queue is not None and queue.news is not None:
            queue.released = True
            queue.news.nudge()
        return held

    async def list(self, who: SecretHolder, *, all_owners: bool = False) -> list[Lock]:
        """Held ones; those of others only for an administrator in person, never for a job of theirs."""
        if all_owners:
            check_admin(who.user)
            if who.job is not None:
                raise Forbidden("job_secret_elsewhere")
        owner = None if all_owners else who.user.name
        return await self._database.read(lambda c: store.list_locks(c, self._clock(), owner))


class KeyValues:
    """The small store that the jobs of one owner share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, owner: User, key: str) -> KeyEntry:
        entry = await self._database.read(lambda connection: store.get_entry(connection, owner.name, key))
        if entry is None:
            raise NotFound("no_such_key", name=key)
        return entry

    async def list(self, owner: User, prefix: str) -> list[KeyEntry]:
        return await self._database.read(lambda c: store.list_entries(c, owner.name, prefix))

    async def put(self, owner: User, key: str, value: str, if_revision: int | None) -> KeyEntry:
        """With `if_revision` only if that is the entry's still; 0 stands for no entry. Raises Conflict."""
        check_may_submit(owner)
        if len(value.encode()) > LARGEST_VALUE:
            raise Invalid("value_too_large", field="value", limit_kb=LARGEST_VALUE // 1024)

        def write(tx: Transaction) -> KeyEntry:
            _check_revision(tx.connection, owner.name, key, if_revision)
            try:
                return store.put_entry(tx, owner.name, key, value)
            except Full:
                raise Conflict("too_many_keys", most=MOST_KEYS) from None

        return await self._database.write(write)

    async def delete(self, owner: User, key: str, if_revision: int | None) -> bool:
        """Whether there was one. Raises Conflict."""

        def write(tx: Transaction) -> bool:
            revision = _check_revision(tx.connection, owner.name, key, if_revision)
            store.delete_entry(tx, owner.name, key)
            return revision > 0

        return await self._database.write(write)


def _check_revision(connection: Connection, owner: str, key: str, wanted: int | None) -> int:
    known = store.get_entry(connection, owner, key)
    revision = known.revision if known is not None else 0
    if wanted is not None and wanted != revision:
        raise Conflict("revision_differs", field="if_revision", name=key, revision=revision)
    return revision


def _held(name: str, lock: Lock | None) -> Conflict:
    if lock is not None and lock.job_id is not None:
        return Conflict("lock_held_by_job", name=name, job=label_of(lock.job_id))
    return Conflict("lock_held", name=name)
