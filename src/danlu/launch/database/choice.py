"""Which database an installation uses: the one it used last. Another one takes a `danlu database move`."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from danlu.launch.locations import write_private
from danlu.store.archive.copying import has_data
from danlu.store.engine.engines import BadLocation, Location, is_postgresql, is_same_database, show_location
from danlu.store.engine.out_of_use import OutOfUseReason, find_out_of_use

VARIABLE = "DANLU_DATABASE"
FILE = "database-url"
SQLITE = "sqlite"
"""The word for the file in the data folder."""


class DatabaseMismatch(Exception):
    """The installation is in `kept`, and `wanted` is another place. Neither shows a password."""

    def __init__(self, kept: Location, wanted: Location) -> None:
        super().__init__()
        self.kept = show_location(kept)
        self.wanted = show_location(wanted)


def sqlite_of(data: Path) -> Path:
    return data / "danlu.db"


def parse_location(data: Path, text: str) -> Location:
    """Raises BadLocation."""
    if text == SQLITE:
        return sqlite_of(data)
    if not is_postgresql(text):
        raise BadLocation
    return text


def kept_location(data: Path) -> Location:
    """What the folder remembers; without a memory, the file in it. Raises OSError."""
    try:
        return (data / FILE).read_text("utf-8").strip()
    except FileNotFoundError:
        return sqlite_of(data)


def choose_location(data: Path, wanted: str | None) -> Location:
    """The database to use now. Raises BadLocation, DatabaseMismatch, OSError."""
    kept = kept_location(data)
    if wanted is None:
        return kept
    location = parse_location(data, wanted)
    untouched = kept == sqlite_of(data) and not has_data(kept)
    if untouched or is_same_database(location, kept) or _was_moved(kept, location):
        return location
    raise DatabaseMismatch(kept, location)


def _was_moved(kept: Location, wanted: Location) -> bool:
    """Whether an admin has moved the one to the other, from here or on another server of the installation."""
    with suppress(SQLAlchemyError, BadLocation):
        mark = find_out_of_use(kept)
        return mark is not None and mark.why is OutOfUseReason.MOVED and is_same_database(mark.place, wanted)
    return False


def remember_location(data: Path, location: Location) -> None:
    """Use it from now on, through any crash. It may hold a password: only its owner can read the file."""
    file = data / FILE
    if is_postgresql(location):
        if not file.exists() or file.read_text("utf-8").strip() != str(location):
            write_private(file, f"{location}\n")
    else:
        file.unlink(missing_ok=True)
    sync_folder(data)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
