"""The two databases: how each is opened, what its transactions are, and who may write to it.

SQLite is a file in the data folder, guarded by that folder's lock. PostgreSQL is elsewhere, and there the
session that writes holds an advisory lock: who loses the session loses the lock with it, so that two servers
can never write to one database, not even while one of them has not yet noticed that it was cut off.
"""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import QueuePool

from danlu.core.errors import Unavailable

Location = Path | str
"""A SQLite file, or the URL of a database."""

WRITER_LOCK = 0x64616E6C75
"""The advisory lock of a database's one writer: "danlu" as a number."""

_LOCK_KEYS = (WRITER_LOCK >> 32, WRITER_LOCK & 0xFFFFFFFF)
_LOCK_HOLDER = (
    "FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND l.classid = %s AND l.objid = %s"
)

CONNECT_TIMEOUT_S = 10
PATIENCE_S = 3.0
SILENCE_S = 25
"""A peer that went silent is given up after this time by both sides: by ours, to be able to say so, and by
the database's, which else would keep the lock of a machine that is gone."""
SHORT_SILENCE_S = 8
"""The same where another server stands by to take over."""
_NO_ROOM = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100"})
"""What SQLite and PostgreSQL call a full disk."""
_SESSION_SETTINGS = {"synchronous_commit": "on", "client_min_messages": "warning"}


class BadLocation(ValueError):
    """A location that names no database of ours. Says nothing of it: it may hold a password."""


class DriverMissing(Exception):
    """The Python package that talks to PostgreSQL is not installed."""


def url_of(location: Location) -> URL:
    """Raises BadLocation."""
    if isinstance(location, Path):
        return URL.create("sqlite", database=str(location))
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        raise BadLocation from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite" and url.database:
        return url.set(drivername="sqlite")
    if kind in ("postgresql", "postgres") and (url.database or url.query.get("service")):
        return url.set(drivername="postgresql+psycopg")
    raise BadLocation


def is_postgresql(location: Location) -> bool:
    return url_of(location).get_backend_name() == "postgresql"


def show_location(location: Location) -> str:
    """Where it is, without any password."""
    url = url_of(location)
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    query = {key: value for key, value in url.query.items() if key != "password"}
    shown = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    return shown.render_as_string()


def has_password(location: Location) -> bool:
    url = url_of(location)
    return url.password is not None or "password" in url.query


def is_same_database(one: Location, other: Location) -> bool:
    """Whether both name one place; user and password may differ."""
    return _place_of(url_of(one)) == _place_of(url_of(other))


def _place_of(url: URL) -> tuple[Any, ...]:
    query = url.query
    if url.get_backend_name() == "sqlite":
        return ("sqlite", url.database)
    host = url.host or query.get("host") or ""
    port = url.port or query.get("port") or 5432
    return ("postgresql", host, str(port), url.database, query.get("service"))


@dataclass(frozen=True, slots=True)
class WriterSession:
    """How a server that others stand by for is known in the database, and what it checks before it writes."""

    name: str
    check: Callable[[Any], None]
    """Called with each new connection of the driver, before and after it has the lock. Raises."""


def session_name(server_id: str = "") -> str:
    """What a writing session of this process is called. PostgreSQL cuts names off behind 63 bytes."""
    host = own_host() if server_id else socket.gethostname()[:40]
    return f"danlu {host} pid {os.getpid()} {server_id}{secrets.token_hex(2)}"


def own_host() -> str:
    """What `host_of_session` says of a server of ours on this machine."""
    return socket.gethostname()[:32]


def is_session_of(name: str, server_id: str) -> bool:
    """Whether `session_name(server_id)` made it, in this or an earlier process."""
    return server_of_session(name) == server_id


def server_of_session(name: str) -> str:
    """The id of the server whose session it is."""
    return name.rpartition(" ")[2][:-4]


def host_of_session(name: str) -> str:
    return name.removeprefix("danlu ").partition(" pid ")[0]


def reading_engine(location: Location, connections: int, silence_s: int = SILENCE_S) -> Engine:
    """Cannot write; each transaction looks at one moment, whatever is committed meanwhile."""
    url = url_of(location)
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, read_only=True, connections=connections)
    return _postgresql_engine(
        url,
        connections=connections,
        silence_s=silence_s,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
    )


def lookout_engine(location: Location) -> Engine:
    """One connection of a server that does not write, or not yet: each statement is a transaction."""
    return _postgresql_engine(
        url_of(location),
        connections=1,
        name="danlu lookout",
        silence_s=SHORT_SILENCE_S,
        isolation_level="AUTOCOMMIT",
        pool_pre_ping=True,
    )


def writing_engine(
    location: Location, *, foreign_keys: bool = True, session: WriterSession | None = None
) -> Engine:
    """The one connection that writes. A migration of SQLite rebuilds tables, and `foreign_keys` would then
    take along what refers to them."""
    url = url_of(location)
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, read_only=False, connections=1, foreign_keys=foreign_keys)
    # Asked before each group whether it still lives: a server that was restarted while there were no writes
    # costs no request an error.
    name = session.name if session is not None else session_name()
    silence_s = SHORT_SILENCE_S if session is not None else SILENCE_S
    engine = _postgresql_engine(url, connections=1, name=name, silence_s=silence_s, pool_pre_ping=True)

    @event.listens_for(engine, "connect")
    def claim(connection: Any, _record: Any) -> None:
        if session is None:
            _claim(connection, name)
            return
        try:
            # First, so that no server waits for a lock that is another's for good; and again behind it, for
            # only who has the lock can change what is checked.
            session.check(connection)
            _claim(connection, name)
            session.check(connection)
        except BaseException:
            connection.close()
            raise

    return engine


def fold_log(location: Location) -> None:
    """Have SQLite fold its write-ahead log into the file and empty it, if no reader is at it: what was
    erased in the file is still in the log until then. Blocks; PostgreSQL has its own ways."""
    if is_postgresql(location):
        return
    connection = sqlite3.connect(str(url_of(location).database), timeout=1)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def end_session(connection: Connection, name: str) -> None:
    """End the writing session of that name, if it is still there. What it was doing is committed or undone
    when this returns."""
    connection.exec_driver_sql(
        f"SELECT pg_terminate_backend(a.pid, 5000) {_LOCK_HOLDER} AND a.application_name = %s",
        (*_LOCK_KEYS, name),
    )


def is_unreachable(error: Exception) -> bool:
    """The database itself is gone or cannot be got at, whatever was asked of it."""
    if not isinstance(error, DBAPIError) or not hasattr(error.orig, "sqlstate"):
        return False
    # PostgreSQL numbers what it refuses; what has no number never reached it. 57P: it is being shut down, or
    # not yet up.
    sqlstate: str | None = getattr(error.orig, "sqlstate")  # noqa: B009 - the driver may not be installed
    return bool(error.connection_invalidated) or sqlstate is None or sqlstate.startswith(("08", "57P"))


def is_disk_full(error: BaseException | None) -> bool:
    """The disk of the database is full, also where that was only the cause of what went wrong."""
    while error is not None:
        orig = error.orig if isinstance(error, DBAPIError) else error
        if _NO_ROOM.intersection((getattr(orig, "sqlite_errorname", ""), getattr(orig, "sqlstate", ""))):
            return True
        error = error.__cause__ or error.__context__
    return False


def reason_of(error: Exception) -> str:
    """What went wrong in one line, without the statement and its values, which may be private."""
    # SQLite undoes everything by itself when its disk is full; that the savepoint is gone then is no news.
    first, context = error, error.__context__
    while context is not None:
        first = context if isinstance(context, DBAPIError) else first
        context = context.__context__
    cause = first.orig if isinstance(first, DBAPIError) and first.orig is not None else first
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    return lines[0] if lines else type(cause).__name__


def _sqlite_engine(url: URL, *, read_only: bool, connections: int, foreign_keys: bool = True) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": 30},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # SQLAlchemy, not the driver, says where transactions begin: savepoints need that.
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        if foreign_keys:
            connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA busy_timeout=30000")
        # What is deleted or replaced is overwritten: the file keeps no secret in a place that is free.
        connection.execute("PRAGMA secure_delete=ON")
        if read_only:
            connection.execute("PRAGMA query_only=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine


def _postgresql_engine(
    url: URL, *, connections: int, name: str = "danlu", silence_s: int = SILENCE_S, **options: Any
) -> Engine:
    idle_s, interval_s = silence_s * 2 // 5, silence_s // 5
    wanted = {
        "connect_timeout": min(CONNECT_TIMEOUT_S, silence_s),
        "client_encoding": "utf8",
        "keepalives_idle": idle_s,
        "keepalives_interval": interval_s,
        "keepalives_count": 3,
        "tcp_user_timeout": silence_s * 1000,
    }
    session = _SESSION_SETTINGS | {
        "tcp_keepalives_idle": str(idle_s),
        "tcp_keepalives_interval": str(interval_s),
        "tcp_keepalives_count": "3",
        "tcp_user_timeout": str(silence_s * 1000),
    }
    set_session = "SELECT " + ", ".join(["set_config(%s, %s, false)"] * len(session))
    try:
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=connections,
            max_overflow=0,
            hide_parameters=True,
            # What the URL itself says goes first; but a session's name tells who holds the lock.
            connect_args={key: value for key, value in wanted.items() if key not in url.query}
            | {"application_name": name},
            **options,
        )
    except ModuleNotFoundError as problem:
        raise DriverMissing from problem

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        before, connection.autocommit = connection.autocommit, True
        connection.execute(set_session, [word for pair in session.items() for word in pair])
        connection.autocommit = before

    return engine


def _claim(connection: Any, name: str) -> None:
    """Take the writer's lock with this connection. Raises Unavailable, naming who has it."""
    connection.autocommit = True
    if not _lock_within(connection, PATIENCE_S):
        holder = _find_holder(connection)
        if holder is not None and holder[1] == name:
            # Our own last session, which the server has not missed yet. What it was doing is in doubt anyway.
            connection.execute("SELECT pg_terminate_backend(%s, 5000)", (holder[0],))
        if not _lock_within(connection, 0):
            connection.close()
            raise Unavailable("database_taken", holder=_show_holder(holder[1]) if holder else "?")
    connection.autocommit = False


def _show_holder(name: str) -> str:
    """`danlu HOST pid PID NONCE` as people read it."""
    return name.removeprefix("danlu ").rpartition(" ")[0] or name


def _lock_within(connection: Any, seconds: float) -> bool:
    """A server killed this very moment still has its session for a moment: wait that long."""
    from psycopg.errors import LockNotAvailable

    connection.execute("SELECT set_config('lock_timeout', %s, false)", (f"{seconds * 1000 + 1:.0f}",))
    try:
        connection.execute("SELECT pg_advisory_lock(%s)", (WRITER_LOCK,))
    except LockNotAvailable:
        return False
    else:
        return True
    finally:
        connection.execute("SELECT set_config('lock_timeout', '0', false)")


def _find_holder(connection: Any) -> tuple[int, str] | None:
    """(backend, name) of the server that has the writer's lock; the name is hidden from other database
    users."""
    row = connection.execute(
        f"SELECT a.pid, coalesce(nullif(a.application_name, ''), '?') {_LOCK_HOLDER}", _LOCK_KEYS
    ).fetchone()
    return (row[0], row[1]) if row else None
