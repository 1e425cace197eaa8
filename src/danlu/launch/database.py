"""`danlu database show` and `danlu database move`: done on the data folder, without a server."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from danlu.launch.carrying import SQLITE_FILES, carry_over
from danlu.launch.database_choice import kept_location, parse_location, remember_location, sqlite_of
from danlu.launch.database_fault import FAULTS, DatabaseFault
from danlu.launch.locations import AlreadyRunning, lock_data
from danlu.store.copying import Progress, count_rows
from danlu.store.engines import (
    BadLocation,
    Location,
    is_postgresql,
    is_same_database,
    reading_engine,
    show_location,
)
from danlu.store.migrate import newest_revision, revision_of
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
    return Shown(kind, place, size_bytes, revision, newest, rows)


def run_move(data: Path, target: str, language: Language, progress: Progress) -> int:
    """Carry the installation over to another database; the exit code. Until the very end the old one stays in
    force, whatever happens."""
    # What is made here holds what the old one held: it is its owner's alone.
    os.umask(0o077)
    if not data.is_dir():
        return _fail(say(language, "launch.not_there", data=data), 1)
    try:
        lock = lock_data(data)
    except AlreadyRunning:
        return _fail(say(language, "launch.database.running", data=data), 1)
    try:
        return _move(data, target, language, progress)
    except BadLocation:
        return _fail(say(language, "launch.database.bad_url"), 2)
    except DatabaseFault as fault:
        return _fail(f"{fault.describe(language)}\n{say(language, 'launch.database.unchanged')}", 1)
    except KeyboardInterrupt:
        return _fail("\n" + say(language, "launch.database.unchanged"), 130)
    finally:
        os.close(lock)


def _move(data: Path, text: str, language: Language, progress: Progress) -> int:
    source, target = kept_location(data), parse_location(data, text)
    if is_same_database(source, target):
        return _fail(say(language, "launch.database.same", place=show_location(target)), 1)
    rows = carry_over(source, target, progress)
    remember_location(data, target)
    left = _set_aside(source) if source == sqlite_of(data) else source
    facts = {"rows": sum(rows.values()), "place": show_location(target), "left": show_location(left)}
    sys.stdout.write(say(language, "launch.database.moved", **facts) + "\n")
    return 0


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
