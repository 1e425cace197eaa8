"""`danlu database show`, `move` and `reinstate`: done on the data folder, without a server."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from danlu.launch.database.choice import kept_location, parse_location, remember_location, sqlite_of
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.launch.database.row_copy import SQLITE_FILES, carry_over, finish_carrying
from danlu.launch.locations import AlreadyRunning, lock_data
from danlu.launch.starter import starter_name
from danlu.store.archive.copying import Progress, count_rows, has_data
from danlu.store.archive.restoring import Settled, reinstate
from danlu.store.engine.database import Database
from danlu.store.engine.engines import (
    BadLocation,
    Location,
    is_postgresql,
    is_same_database,
    reading_engine,
    show_location,
    writing_engine,
)
from danlu.store.engine.migrate import migrate_connection, newest_revision, revision_of
from danlu.store.engine.out_of_use import OutOfUse, OutOfUseReason, find_out_of_use, read_out_of_use
from danlu.wording.catalogue import Language, say


@dataclass(frozen=True, slots=True)
class Shown:
    """A database in a few facts. `revision` is None while no server has used it yet."""

    kind: str
    place: str
    size_bytes: int
    revision: str | None
    newest: str
    rows: dict[str, int]
    out_of_use: OutOfUse | None = None
    """Why no server takes it."""


def show_database(data: Path) -> Shown:
    """Raises DatabaseFault, BadLocation, OSError."""
    location = kept_location(data)
    kind = "postgresql" if is_postgresql(location) else "sqlite"
    place, newest = show_location(location), newest_revision()
    if isinstance(location, Path) and not location.exists():
        return Shown(kind, place, 0, None, newest, {})
    try:
        engine = reading_engine(location, 1)
        try:
            with engine.connect() as connection:
                revision = revision_of(connection)
                rows = count_rows(connection) if revision == newest else {}
                mark = read_out_of_use(connection) if revision is not None else None
                size = func.pg_database_size(func.current_database())
                size_bytes = (
                    _size_of(location)
                    if isinstance(location, Path)
                    else int(connection.execute(select(size)).scalar_one())
                )
        finally:
            engine.dispose()
    except FAULTS as fault:
        raise DatabaseFault(location, fault) from fault
    return Shown(kind, place, size_bytes, revision, newest, rows, mark)


def run_move(data: Path, target: str, language: Language, progress: Progress) -> int:
    """Carry the installation over to another database; the exit code. Until everything has arrived the old
    one stays in force, whatever happens; the same command finishes what was interrupted after that."""
    return _with_lock(data, language, lambda: _move(data, target, language, progress))


def run_reinstate(data: Path, place: str | None, language: Language) -> int:
    """Take a database into use again that was moved away, or whose nodes have followed another; the exit
    code. `place` is a URL, or the file that a move has set aside."""
    return _with_lock(data, language, lambda: _reinstate(data, place, language))


def _with_lock(data: Path, language: Language, work: Callable[[], int]) -> int:
    # What is made here holds what the old one held: it is its owner's alone.
    os.umask(0o077)
    if not data.is_dir():
        return _fail(say(language, "launch.not_there", data=data), 1)
    try:
        lock = lock_data(data)
    except AlreadyRunning:
        return _fail(say(language, "launch.database.running", data=data), 1)
    try:
        return work()
    except BadLocation:
        return _fail(say(language, "launch.database.bad_url"), 2)
    except DatabaseFault as fault:
        return _fail(f"{fault.describe(language)}\n{_say_state(data, language)}", 1)
    except KeyboardInterrupt:
        return _fail("\n" + _say_state(data, language), 130)
    finally:
        os.close(lock)


def _move(data: Path, text: str, language: Language, progress: Progress) -> int:
    source, target = kept_location(data), parse_location(data, text)
    is_carried = _is_carried(source, target)
    if is_same_database(source, target) and not is_carried:
        return _fail(say(language, "launch.database.same", place=show_location(target)), 1)
    rows = None if is_carried else carry_over(source, target, progress)
    # The target is taken into use last: what is cut short before that is done again by the same command.
    remember_location(data, target)
    kept = source
    if target != sqlite_of(data) and _find_mark(sqlite_of(data)) is not None:
        kept = _set_aside(sqlite_of(data))
    finish_carrying(target)
    facts = {"place": show_location(target), "left": show_location(kept)}
    if rows is None:
        sys.stdout.write(say(language, "launch.database.finished", **facts) + "\n")
    else:
        sys.stdout.write(say(language, "launch.database.moved", rows=sum(rows.values()), **facts) + "\n")
    return 0


def _is_carried(source: Location, target: Location) -> bool:
    """Whether everything has arrived already, by a move that was cut short."""
    arrived = _find_mark(target)
    if arrived is None or arrived.why is not OutOfUseReason.UNFINISHED:
        return False
    if is_same_database(source, target):
        return True
    left = _find_mark(source)
    return left is not None and left.move == arrived.move


def _reinstate(data: Path, text: str | None, language: Language) -> int:
    file = Path(text).expanduser().absolute() if text is not None and "://" not in text else None
    location: Location = kept_location(data) if text is None else file or parse_location(data, str(text))
    mark = _find_mark(location)
    if mark is None:
        return _fail(say(language, "launch.database.in_use", place=show_location(location)), 1)
    if file is not None and file != sqlite_of(data):
        location = sqlite_of(data)
        if has_data(location):
            return _fail(say(language, "launch.database.not_empty", place=location, table="users"), 1)
        file.replace(location)
    # It goes on being refused until the very end: a crash before that changes nothing but its name.
    remember_location(data, location)
    try:
        settled = asyncio.run(_settle(location))
    except FAULTS as fault:
        raise DatabaseFault(location, fault) from fault
    facts = {"place": show_location(location), "held": settled.held, "other": mark.place or "?"}
    sys.stdout.write(say(language, "launch.database.reinstated", **facts) + "\n")
    return 0


async def _settle(location: Location) -> Settled:
    await asyncio.to_thread(_migrate_unused, location)
    database = Database(location, time.time, in_use=False)
    database.start()
    try:
        return await database.write(lambda tx: reinstate(tx, starter_name()))
    finally:
        await database.close()


def _migrate_unused(location: Location) -> None:
    """To the newest schema, though it is out of use."""
    engine = writing_engine(location, foreign_keys=False)
    try:
        with engine.begin() as connection:
            migrate_connection(connection)
    finally:
        engine.dispose()


def _find_mark(location: Location) -> OutOfUse | None:
    """Raises DatabaseFault."""
    try:
        return find_out_of_use(location)
    except FAULTS as fault:
        raise DatabaseFault(location, fault) from fault


def _say_state(data: Path, language: Language) -> str:
    """Which database is in use after a command that went wrong."""
    try:
        is_used = find_out_of_use(kept_location(data)) is None
    except (*FAULTS, BadLocation, OSError):
        is_used = True
    return say(language, "launch.database.unchanged" if is_used else "launch.database.do_again")


def _set_aside(file: Location) -> Path:
    """Keep the old file, but under a name by which no server takes it up again."""
    kept = Path(file).with_name(f"{Path(file).name}.moved-{time.strftime('%Y%m%d-%H%M%S')}")
    Path(file).replace(kept)
    return kept


def _size_of(file: Path) -> int:
    parts = (file.with_name(file.name + ending) for ending in SQLITE_FILES)
    return sum(part.stat().st_size for part in parts if part.exists())


def _fail(text: str, code: int) -> int:
    sys.stderr.write(text + "\n")
    return code
