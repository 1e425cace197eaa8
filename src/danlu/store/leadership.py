"""Which of several servers acts, and which are there.

One row says who leads. It is changed only by the server that has the writer's lock, in the transaction with
which it begins to lead; `fence` grows each time and goes along with every order, so that what an earlier
leader sends late is known for what it is. A server whose session was ended finds another's fence before it
can write again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, bindparam, func, inspect, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import ProgrammingError

from danlu.core.errors import Unavailable
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.engines import (
    Location,
    WriterSession,
    end_session,
    is_session_of,
    lookout_engine,
    server_of_session,
)
from danlu.store.engine.out_of_use import check_in_use
from danlu.store.secrets import get_secret, keep_secret

T = TypeVar("T")

_ROW = 1
_L = schema.leadership
_S = schema.servers
_NOW = func.extract("epoch", func.clock_timestamp())
PASSING_ON = "passing_on"
"""The secret with which servers seal what they pass on to each other."""
FRESH_S = 15.0
"""A server that did not say for this long that it is there is lost."""
LISTED_S = 86_400.0
"""So long a lost one is shown, unless an admin forgets it before."""
FORGOTTEN_S = 7 * 86_400.0
"""Nor will it come back."""

_RENEW = (
    _L.update()
    .where(_L.c.id == _ROW, _L.c.fence == bindparam("own"))
    .values(renewed_at=bindparam("now"), url=bindparam("at"), messages=bindparam("by"))
)


@dataclass(frozen=True, slots=True)
class Leader:
    """`holder` is the name of its writing session, empty once it has laid the leadership down. `url` may end
    with the fingerprint of its key behind a `#`; `messages` is where the agents reach it."""

    fence: int
    holder: str
    url: str
    messages: str
    since: float
    renewed_at: float

    def is_of(self, server_id: str) -> bool:
        return is_session_of(self.holder, server_id)


@dataclass(frozen=True, slots=True)
class KnownServer:
    id: str
    url: str
    messages: str
    since: float
    seen_at: float
    fresh: bool
    listed: bool
    """Whether people are to know of it."""


def read_leader(connection: Connection) -> Leader | None:
    row = connection.execute(select(_L).where(_L.c.id == _ROW)).one_or_none()
    return _leader(row) if row is not None else None


def list_servers(connection: Connection) -> list[KnownServer]:
    """Every server that did not say goodbye, the oldest first."""
    age = _NOW - _S.c.seen_at
    rows = connection.execute(
        select(_S, (age < FRESH_S).label("fresh"), (age < LISTED_S).label("listed")).order_by(_S.c.since)
    )
    return [
        KnownServer(row.id, row.url, row.messages, row.since, row.seen_at, row.fresh, row.listed)
        for row in rows
    ]


def forget_servers(tx: Transaction, ids: Sequence[str]) -> None:
    """Show them no more. One that is there after all says so itself."""
    tx.connection.execute(_S.delete().where(_S.c.id.in_(ids)))


def take_lead(tx: Transaction, seen: Leader | None, holder: str, url: str, messages: str) -> Leader:
    """Lead from now on, if no other server has begun to since `seen`. Raises Unavailable.

    The fence also grows past the seconds of the clock: a database restored from a backup would else begin
    again below what its agents have seen.
    """
    before = read_leader(tx.connection)
    if (before.fence if before else 0) != (seen.fence if seen else 0):
        raise Unavailable("not_leading")
    fence = max(before.fence + 1 if before else 1, int(tx.now))
    leader = Leader(fence, holder, url, messages, tx.now, tx.now)
    values = {name: getattr(leader, name) for name in Leader.__dataclass_fields__}
    if before is None:
        tx.connection.execute(_L.insert().values(id=_ROW, **values))
    else:
        tx.connection.execute(_L.update().where(_L.c.id == _ROW).values(**values))
    keep_secret(tx, PASSING_ON, lambda: secrets.token_urlsafe(32))
    if before is not None and before.holder and server_of_session(before.holder) != server_of_session(holder):
        _count_as_lost(tx, server_of_session(before.holder))
    return leader


def _count_as_lost(tx: Transaction, server_id: str) -> None:
    """Who was silent for its whole lease, or is gone, is not one that stands by, until it says so itself."""
    lost = _S.update().where(_S.c.id == server_id)
    tx.connection.execute(lost.values(seen_at=_S.c.seen_at - FRESH_S))


def raise_fence(tx: Transaction, above: int) -> None:
    """Let the next leader come after every server that the nodes may have heard."""
    before = read_leader(tx.connection)
    if before is not None:
        fence = max(before.fence, above, int(tx.now)) + 1
        tx.connection.execute(_L.update().where(_L.c.id == _ROW).values(fence=fence, holder=""))


def next_fence(tx: Transaction) -> int:
    """The number of a server without standbys, another one with each start."""
    return take_lead(tx, read_leader(tx.connection), holder="", url="", messages="").fence


def last_fence(tx: Transaction) -> int:
    """That of the server that led last from this database."""
    before = read_leader(tx.connection)
    return before.fence if before is not None else 0


def renew_lead(tx: Transaction, fence: int, url: str, messages: str) -> None:
    """Still here. Raises Unavailable when another leads."""
    values = {"own": fence, "now": tx.now, "at": url, "by": messages}
    if tx.connection.execute(_RENEW, values).rowcount != 1:
        raise Unavailable("not_leading")


class LeaderClaim:
    """Lets a server write only as long as its own fence is the last one. Until it leads, that is the one it
    saw when it decided to."""

    def __init__(self, fence: int) -> None:
        self.fence = fence

    def session(self, name: str) -> WriterSession:
        return WriterSession(name, self._check)

    def _check(self, connection: Any) -> None:
        connection.autocommit = True
        row = connection.execute(f"SELECT fence FROM leadership WHERE id = {_ROW}").fetchone()  # noqa: S608
        connection.autocommit = False
        if (row[0] if row else 0) != self.fence:
            raise Unavailable("not_leading")


class Lookout:
    """What a server looks at while it does not write. Its calls wait for the network."""

    def __init__(self, location: Location) -> None:
        self._engine = lookout_engine(location)

    def look(self) -> Leader | None:
        """Who leads; None when no server ever did, also in a database without our tables. Raises Unavailable
        where it is out of use."""
        with self._engine.connect() as connection:
            try:
                check_in_use(connection)
                return read_leader(connection)
            except ProgrammingError:
                if inspect(connection).has_table(_L.name):
                    raise
                return None

    def announce(self, server_id: str, url: str, messages: str) -> None:
        """Say that this server is there."""
        gone = _S.delete().where(_S.c.seen_at < _NOW - FORGOTTEN_S)
        added = insert(_S).values(id=server_id, url=url, messages=messages, since=_NOW, seen_at=_NOW)
        with self._engine.connect() as connection:
            connection.execute(gone)
            connection.execute(
                added.on_conflict_do_update(
                    index_elements=[_S.c.id], set_={"url": url, "messages": messages, "seen_at": _NOW}
                )
            )

    def withdraw(self, server_id: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(_S.delete().where(_S.c.id == server_id))

    def lay_down(self, fence: int) -> None:
        """Let the next one begin at once: the server that led with this fence has stopped acting."""
        with self._engine.connect() as connection:
            over = _L.update().where(_L.c.id == _ROW, _L.c.fence == fence)
            connection.execute(over.values(holder="", url="", messages=""))

    def ask(self, question: Callable[[Connection], T]) -> T:
        """Ask anything of the last committed state."""
        with self._engine.connect() as connection:
            return question(connection)

    def secret(self, name: str) -> str | None:
        return self.ask(lambda connection: get_secret(connection, name))

    def end_session_of(self, leader: Leader) -> None:
        """Make sure that a leader whose time is over writes no more."""
        if leader.holder:
            with self._engine.connect() as connection:
                end_session(connection, leader.holder)

    def close(self) -> None:
        self._engine.dispose()


def _leader(row: Row[Any]) -> Leader:
    return Leader(row.fence, row.holder, row.url, row.messages, row.since, row.renewed_at)
