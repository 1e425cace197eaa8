"""Carries an installation's rows into another database, all or nothing."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from danlu.launch.database.choice import sync_folder
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.store.archive.copying import NotEmpty, Progress, copy_all, has_data
from danlu.store.engine.engines import Location, show_location, writing_engine
from danlu.store.engine.migrate import migrate_connection
from danlu.store.engine.out_of_use import OutOfUse, OutOfUseReason, check_in_use, put_in_use, put_out_of_use

SQLITE_FILES = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is written into both databases, so that never both are in use."""

    left: OutOfUse
    arrived: OutOfUse


def carry_over(source: Location, target: Location, progress: Progress) -> dict[str, int]:
    """The rows of each table, once all of them are safe in `target`, which must be empty. `source` is out of
    use then, and `target` until `finish_carrying`: a crash at any point leaves at most one of them in use.

    No other process can write to either of them meanwhile. Raises DatabaseFault.
    """
    now, move = time.time(), secrets.token_hex(8)
    marks = _Marks(
        left=OutOfUse(OutOfUseReason.MOVED, now, show_location(target), move),
        arrived=OutOfUse(OutOfUseReason.UNFINISHED, now, show_location(source), move),
    )
    with _writing(source) as sending:
        check_in_use(sending)
        if isinstance(target, Path):
            rows = _carry_into_file(sending, target, progress, marks)
        else:
            rows = _carry_into(target, sending, progress, marks)
        # The last thing before the commit, and committed after the target: what was copied is what is left.
        put_out_of_use(sending, marks.left)
    return rows


def finish_carrying(target: Location) -> None:
    """Take the target of a carrying into use. Raises DatabaseFault."""
    with _writing(target) as connection:
        put_in_use(connection)


def _carry_into(target: Location, sending: Connection, progress: Progress, marks: _Marks) -> dict[str, int]:
    with _writing(target) as taking:
        rows = _copy(target, sending, taking, progress)
        put_out_of_use(taking, marks.arrived)
    return rows


def _carry_into_file(sending: Connection, target: Path, progress: Progress, marks: _Marks) -> dict[str, int]:
    """A file is written under another name first: it is there whole, or not at all."""
    try:
        if has_data(target):
            raise NotEmpty("users")
    except FAULTS as fault:
        raise DatabaseFault(target, fault) from fault
    draft = target.with_name(f"{target.name}.new")
    _remove(draft)
    rows = _carry_into(draft, sending, progress, marks)
    _remove(target)
    draft.replace(target)
    sync_folder(target.parent)
    return rows


def _copy(target: Location, sending: Connection, taking: Connection, progress: Progress) -> dict[str, int]:
    try:
        return copy_all(sending, taking, progress)
    except (NotEmpty, *FAULTS) as fault:
        raise DatabaseFault(target, fault) from fault


@contextmanager
def _writing(location: Location) -> Iterator[Connection]:
    """One transaction in a database that no other process writes to, at the newest schema."""
    try:
        engine = writing_engine(location, foreign_keys=False)
        try:
            with engine.begin() as connection:
                migrate_connection(connection)
                yield connection
        finally:
            engine.dispose()
    except FAULTS as fault:
        raise DatabaseFault(location, fault) from fault


def _remove(file: Path) -> None:
    for ending in SQLITE_FILES:
        file.with_name(file.name + ending).unlink(missing_ok=True)
