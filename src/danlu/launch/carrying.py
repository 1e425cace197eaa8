"""Carries an installation's rows into another database, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from danlu.launch.database_choice import sync_folder
from danlu.launch.database_fault import FAULTS, DatabaseFault
from danlu.store.copying import NotEmpty, Progress, copy_all, has_data
from danlu.store.engines import Location, writing_engine
from danlu.store.migrate import migrate_connection

SQLITE_FILES = ("", "-wal", "-shm")


def carry_over(source: Location, target: Location, progress: Progress) -> dict[str, int]:
    """The rows of each table, once all of them are safe in `target`, which must be empty.

    Nobody can write to either of them meanwhile. Raises DatabaseFault.
    """
    if isinstance(target, Path):
        return _carry_into_file(source, target, progress)
    with _writing(source) as sending, _writing(target) as taking:
        return _copy(target, sending, taking, progress)


def _carry_into_file(source: Location, target: Path, progress: Progress) -> dict[str, int]:
    """A file is written under another name first: it is there whole, or not at all."""
    try:
        if has_data(target):
            raise NotEmpty("users")
    except FAULTS as fault:
        raise DatabaseFault(target, fault) from fault
    draft = target.with_name(f"{target.name}.new")
    _remove(draft)
    with _writing(source) as sending, _writing(draft) as taking:
        rows = _copy(draft, sending, taking, progress)
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
    """One transaction in a database that nobody else writes to, at the newest schema."""
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
