"""One door to the database: writes queue for one writer that commits them in groups, reads run beside it.

The event loop never waits for the disk. An awaited write is durable when it returns.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool

from danlu.core.errors import Unavailable
from danlu.core.events import Event, EventKind
from danlu.store import schema

T = TypeVar("T")
LARGEST_GROUP = 256
READERS = 4
MOST_PARAMETERS = 500

# Statements of the hot paths are built once: to build one costs more than to run it.
_INSERT_EVENT = schema.events.insert()

OnCommit = Callable[[list[Event]], None]


class Transaction:
    """What a write works with: a connection, the time, and the way to record an event."""

    def __init__(self, connection: Connection, now: float) -> None:
        self.connection = connection
        self.now = now
        self.events: list[Event] = []

    def record(
        self,
        kind: EventKind,
        *,
        job_id: int | None = None,
        attempt: int | None = None,
        node: str | None = None,
        actor: str | None = None,
        **data: Any,
    ) -> None:
        """Write an event together with the change it tells of."""
        values = {
            "at": self.now,
            "kind": kind.value,
            "job_id": job_id,
            "attempt": attempt,
            "node": node,
            "actor": actor,
            "data": data,
        }
        result = self.connection.execute(_INSERT_EVENT, values)
        event_id = result.inserted_primary_key[0]  # type: ignore[index]
        self.events.append(Event(event_id, self.now, kind, job_id, attempt, node, actor, data))


Write: TypeAlias = Callable[[Transaction], T]
Pending: TypeAlias = "tuple[Write[Any], asyncio.Future[Any]]"
Answer: TypeAlias = "tuple[asyncio.Future[Any], Any, Exception | None]"


class Database:
    """SQLite behind one writer thread and a few reader threads."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._writing = _sqlite_engine(path, read_only=False)
        self._reading = _sqlite_engine(path, read_only=True)
        self._commands: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "danlu-read")
        self._writer: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.on_commit: OnCommit | None = None

    def start(self) -> None:
        """Begin to serve the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write_forever, name="danlu-write", daemon=True)
        self._writer.start()

    async def write(self, command: Write[T]) -> T:
        """Run `command` in a transaction; return its result once that is on disk.

        An exception from the command undoes its own changes alone, whoever shares the commit.
        """
        if self._writer is None or self._loop is None:
            raise Unavailable("stopping")
        done: asyncio.Future[T] = self._loop.create_future()
        self._commands.put((command, done))
        return await done

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Ask a question of the last committed state."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, question)

    async def close(self) -> None:
        """Finish what was accepted, then close."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            self._commands.put(None)
            await asyncio.to_thread(writer.join)
        self._readers.shutdown()
        self._writing.dispose()
        self._reading.dispose()

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return question(connection)

    def _write_forever(self) -> None:
        while (group := self._next_group()) is not None:
            self._tell(*self._write_group(group))

    def _next_group(self) -> list[Pending] | None:
        """Everything that is waiting now, at least one; None when it is time to stop."""
        first = self._commands.get()
        if first is None:
            return None
        group = [first]
        while len(group) < LARGEST_GROUP:
            try:
                following = self._commands.get_nowait()
            except queue.Empty:
                break
            if following is None:
                self._commands.put(None)
                break
            group.append(following)
        return group

    def _write_group(self, group: list[Pending]) -> tuple[list[Answer], list[Event]]:
        """Write a group in one commit: what to answer, and what happened. Never raises."""
        answers: list[Answer] = []
        events: list[Event] = []
        try:
            # Taken from the pool for each group: a connection that broke is not used again.
            with self._writing.connect() as connection, connection.begin():
                for command, done in group:
                    transaction = Transaction(connection, self._clock())
                    answers.append((done, *self._run(command, transaction)))
                    events += transaction.events
                self._commit(connection)
        except Exception as error:
            failure = Unavailable("storage_failed", reason=str(error))
            return [(done, None, failure) for _, done in group], []
        return answers, events

    def _run(self, command: Write[Any], transaction: Transaction) -> tuple[Any, Exception | None]:
        """Run one command; an exception undoes what it did and is its answer."""
        try:
            with transaction.connection.begin_nested():
                return command(transaction), None
        except OperationalError:
            raise  # the disk, not the command: the whole group is in doubt
        except Exception as error:
            transaction.events.clear()
            return None, error

    def _commit(self, connection: Connection) -> None:
        connection.commit()

    def _tell(self, answers: list[Answer], events: list[Event]) -> None:
        # A closed loop has nobody left to tell, and what was written stays written.
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, answers, events)

    def _deliver(self, answers: list[Answer], events: list[Event]) -> None:
        for done, result, error in answers:
            if done.cancelled():
                continue
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)
        if events and self.on_commit is not None:
            self.on_commit(events)


def in_parts(ids: Iterable[int]) -> Iterator[list[int]]:
    """Ids in lists short enough for one statement: databases take a limited number of parameters."""
    everything = list(ids)
    for start in range(0, len(everything), MOST_PARAMETERS):
        yield everything[start : start + MOST_PARAMETERS]


def _sqlite_engine(path: Path, *, read_only: bool) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        poolclass=QueuePool,
        pool_size=READERS if read_only else 1,
        max_overflow=0,
        connect_args={"check_same_thread": False, "timeout": 30},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # SQLAlchemy, not the driver, says where transactions begin: savepoints need that.
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA busy_timeout=30000")
        if read_only:
            connection.execute("PRAGMA query_only=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine
