"""One door to the database: writes queue for one writer that commits them in groups, reads run beside it.

The event loop never waits for the disk. An awaited write is durable when it returns.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.event import listen
from sqlalchemy.exc import DBAPIError, OperationalError

from danlu.core.errors import Unavailable
from danlu.core.events import Event, EventKind
from danlu.core.origin import SERVER, Origin, acting_from
from danlu.store.engine import schema
from danlu.store.engine.audit_rows import write_entries
from danlu.store.engine.bulk_rows import Row, insert_rows
from danlu.store.engine.engines import (
    SHORT_SILENCE_S,
    SILENCE_S,
    Location,
    WriterSession,
    is_disk_full,
    is_unreachable,
    reading_engine,
    reason_of,
    writing_engine,
)
from danlu.store.engine.out_of_use import check_in_use
from danlu.store.engine.records import KNOWN_EVENTS, event_from_row
from danlu.store.engine.reserve import Reserve

T = TypeVar("T")
LARGEST_GROUP = 256
READERS = 4
MOST_PARAMETERS = 500

# Statements of the hot paths are built once: to build one costs more than to run it.
_EVENT_COLUMNS = ("id", "at", "kind", "job_id", "attempt", "node", "actor", "data")
_LAST_EVENT = select(func.max(schema.events.c.id))
_EVENTS_AFTER = (
    select(schema.events)
    .where(schema.events.c.id > bindparam("seen"), KNOWN_EVENTS)
    .order_by(schema.events.c.id)
)

_TOUCH = update(schema.counters).values(value=schema.counters.c.value)

OnCommit = Callable[[list[Event]], None]


class Transaction:
    """What a write works with: a connection, the time, and the way to record an event. `origin` is where the
    act comes from that it carries out."""

    def __init__(self, connection: Connection, now: float, origin: Origin = SERVER) -> None:
        self.connection = connection
        self.now = now
        self.origin = origin
        self.events: list[Event] = []
        """What it told so far; written, and given their ids, with the rest of the group."""
        self._at_end: dict[str, Callable[[Transaction], None]] = {}

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
        """Write an event together with the change it tells of. Of one that the audit log keeps
        (`core.audit`), `before` and `after` are what the entry compares: they hold no secret."""
        self.events.append(Event(0, self.now, kind, job_id, attempt, node, actor, data))

    @contextmanager
    def undoable(self) -> Iterator[None]:
        """What fails inside is undone alone, with the events it told of."""
        told = len(self.events)
        try:
            with self.connection.begin_nested():
                yield
        except BaseException:
            del self.events[told:]
            raise

    def at_end(self, name: str, finish: Callable[[Transaction], None]) -> None:
        """Have `finish` run once when everything else of this transaction is done."""
        self._at_end.setdefault(name, finish)

    def finish(self) -> None:
        while self._at_end:
            self._at_end.pop(next(iter(self._at_end)))(self)
        write_entries(self.connection, self.events, self.origin)


Write: TypeAlias = Callable[[Transaction], T]
Pending: TypeAlias = "tuple[Write[Any], asyncio.Future[Any], Origin]"
Answer: TypeAlias = "tuple[asyncio.Future[Any], Any, Exception | None]"


class Database:
    """SQLite or PostgreSQL behind one writer thread and a few reader threads."""

    def __init__(
        self,
        location: Location,
        clock: Callable[[], float],
        session: WriterSession | None = None,
        *,
        on_commit: OnCommit | None = None,
        in_use: bool = True,
        reserve: Reserve | None = None,
    ) -> None:
        """`on_commit` is told the events of every commit, in order. One that is out of use takes no writes,
        unless it is opened to be taken into use again."""
        self.location = location
        self._clock = clock
        self._reserve = reserve
        self._is_disk_full = reserve is not None and reserve.is_needed
        self._writing = writing_engine(location, session=session)
        silence_s = SHORT_SILENCE_S if session is not None else SILENCE_S
        self._reading = reading_engine(location, READERS, silence_s)
        self._given_up = False
        self._closed = False
        self._commands: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "danlu-read")
        self._writer: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._last_event: int | None = None
        self._told_until: int | None = None
        """The last event that listeners were told of."""
        self._in_doubt = False
        """A commit went wrong and may have come through after all, or another server may have written."""
        self._must_be_in_use = in_use
        self._is_checked = not in_use
        """Whether this connection was seen to lead to a database that may be used."""
        listen(self._writing, "connect", self._on_connect)
        self._on_commit = on_commit

    @property
    def in_doubt(self) -> bool:
        """Whether something may be stored that no listener was told of; the next write will tell."""
        return self._in_doubt

    @property
    def is_disk_full(self) -> bool:
        """Whether what is written now is written with the last of the room: of a reserve, or what happens to
        be left. Only what helps to get out of it should be."""
        return self._is_disk_full

    def look_at_disk(self) -> bool:
        """See how the disk is doing, and to its reserve; whether it is full. Blocks."""
        if self._reserve is not None:
            has_room = self._reserve.keep()
            self._is_disk_full = not has_room if self._is_disk_full else self._reserve.is_needed
        return self._is_disk_full

    def start(self) -> None:
        """Begin to serve the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write_forever, name="danlu-write", daemon=True)
        self._writer.start()

    async def write(self, command: Write[T]) -> T:
        """Run `command` in a transaction; return its result once that is on disk.

        An exception from the command undoes its own changes alone, not those of others in the commit.
        """
        if self._writer is None or self._loop is None:
            raise Unavailable("stopping")
        done: asyncio.Future[T] = self._loop.create_future()
        self._commands.put((command, done, acting_from.get()))
        return await done

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Ask a question of the last committed state."""
        if self._closed:
            raise Unavailable("stopping")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, question)

    async def close(self) -> None:
        """Finish what was accepted, then close."""
        self._closed = True
        if self._writer is not None:
            writer, self._writer = self._writer, None
            self._commands.put(None)
            await asyncio.to_thread(writer.join)
        # A database that is cut off keeps who waits for it until it is given up: that may take a while.
        await asyncio.to_thread(self._readers.shutdown)
        self._writing.dispose()
        self._reading.dispose()

    def give_up(self) -> None:
        """Write nothing any more, also not what was accepted: another server has the database."""
        self._given_up = True

    def _ask(self, question: Callable[[Connection], T]) -> T:
        try:
            return self._ask_once(question)
        except DBAPIError as error:
            if not is_unreachable(error):
                raise
        # The connection died while it lay idle, most likely: a question can be asked again.
        try:
            return self._ask_once(question)
        except DBAPIError as error:
            raise _failure(error) from error

    def _ask_once(self, question: Callable[[Connection], T]) -> T:
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
        if self._given_up:
            return [(done, None, Unavailable("not_leading")) for _, done, _ in group], []
        while True:
            try:
                written = self._try_group(group)
                if self._is_disk_full:
                    self._fold_log()
                return written
            except Exception as error:
                self._last_event, self._in_doubt = None, True
                if is_disk_full(error) and self._make_room():
                    continue
                failure = _failure(error)
                return [(done, None, failure) for _, done, _ in group], []

    def _make_room(self) -> bool:
        """Give up a part of the reserve; whether there was one."""
        if self._reserve is None:
            return False
        self._is_disk_full = True
        given = self._reserve.give_up()
        self._fold_log()
        return given

    def _fold_log(self) -> None:
        """Fold SQLite's write-ahead log into its file after every commit, not only now and then: what comes
        next goes where the log was, and needs no room."""
        with suppress(sqlite3.Error), closing(self._writing.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _try_group(self, group: list[Pending]) -> tuple[list[Answer], list[Event]]:
        answers: list[Answer] = []
        events: list[Event] = []
        # Taken from the pool for each group: a connection that broke is not used again.
        with self._writing.connect() as connection, connection.begin():
            if not self._is_checked:
                check_in_use(connection)
                self._is_checked = True
            for command, done, origin in group:
                transaction = Transaction(connection, self._clock(), origin)
                answers.append((done, *self._run(command, transaction, alone=len(group) == 1)))
                events += transaction.events
            events = self._recall_untold(connection) + self._save_events(connection, events)
            self._commit(connection)
        self._in_doubt = False
        if events:
            self._told_until = events[-1].id
        return answers, events

    def _on_connect(self, *_: Any) -> None:
        """While a connection was lost, another server may have had the database, or an admin moved it."""
        self._last_event, self._in_doubt = None, True
        self._is_checked = not self._must_be_in_use

    def _recall_untold(self, connection: Connection) -> list[Event]:
        """What is stored and was never told: a connection may break between a commit and its answer."""
        if not self._in_doubt or self._told_until is None:
            return []
        rows = connection.execute(_EVENTS_AFTER, {"seen": self._told_until})
        return [event_from_row(row) for row in rows]

    def _run(
        self, command: Write[Any], transaction: Transaction, *, alone: bool
    ) -> tuple[Any, Exception | None]:
        """Run one command; an exception undoes what it did and is its answer."""
        try:
            # One that is alone in its group needs no savepoint: all there is to undo is its own.
            with nullcontext() if alone else transaction.undoable():
                result = command(transaction)
                transaction.finish()
                return result, None
        except OperationalError:
            raise  # the disk, not the command: the whole group is in doubt
        except Exception as error:
            if is_unreachable(error):
                raise
            transaction.events.clear()
            if alone:
                transaction.connection.rollback()
            return None, error

    def _save_events(self, connection: Connection, events: list[Event]) -> list[Event]:
        """Write what the group told. There is one writer, so ids that it counts itself grow by commit."""
        if not events:
            return events
        if self._last_event is None:
            self._last_event = connection.execute(_LAST_EVENT).scalar_one() or 0
            if self._told_until is None:
                self._told_until = self._last_event
        first = self._last_event + 1
        saved = [
            Event(number, each.at, each.kind, each.job_id, each.attempt, each.node, each.actor, each.data)
            for number, each in enumerate(events, first)
        ]
        insert_rows(connection, schema.events, _EVENT_COLUMNS, [_event_row(event) for event in saved])
        self._last_event += len(saved)
        return saved

    def _commit(self, connection: Connection) -> None:
        connection.commit()

    def _tell(self, answers: list[Answer], events: list[Event]) -> None:
        # A closed loop has no listener left to tell, and what was written stays written.
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
        if events and self._on_commit is not None:
            self._on_commit(events)


def _event_row(event: Event) -> Row:
    data = json.dumps(event.data)
    kind = event.kind.value
    return (event.id, event.at, kind, event.job_id, event.attempt, event.node, event.actor, data)


def _failure(error: Exception) -> Unavailable:
    if isinstance(error, Unavailable):
        return error
    if is_disk_full(error):
        return Unavailable("disk_full", reason=reason_of(error))
    code = "database_unreachable" if is_unreachable(error) else "storage_failed"
    return Unavailable(code, reason=reason_of(error))


def touch(tx: Transaction) -> None:
    """Write something that changes nothing: it succeeds where a change would."""
    tx.connection.execute(_TOUCH)


def in_parts(ids: Iterable[T]) -> Iterator[list[T]]:
    """Ids or names in lists short enough for one statement: databases take a limited number of parameters."""
    everything = list(ids)
    for start in range(0, len(everything), MOST_PARAMETERS):
        yield everything[start : start + MOST_PARAMETERS]
