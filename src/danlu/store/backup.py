"""One archive of everything that makes an installation: a tar, compressed with gzip, made while it is sent.

`danlu.db` is a copy of the database as it was at one moment, always in SQLite's form, so that it can be
restored to either kind. `manifest.json` comes last and names every other member with its hash: an archive
without it is not whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from danlu.store.copying import copy_all, count_rows
from danlu.store.engines import Location, is_postgresql, reading_engine, url_of, writing_engine
from danlu.store.migrate import migrate, revision_of

FORMAT = 1
DATABASE = "danlu.db"
MANIFEST = "manifest.json"
PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Member:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds, and who made it. `revision` is the schema of its database."""

    version: str
    revision: str
    created_at: float
    rows: dict[str, int]
    members: dict[str, Member] = field(default_factory=dict)
    format: int = FORMAT

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), indent=2, sort_keys=True).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Manifest:
        """Raises ValueError, KeyError, TypeError for what is none."""
        data: dict[str, Any] = json.loads(text)
        members = {name: Member(**facts) for name, facts in data.pop("members").items()}
        return cls(**data, members=members)


def copy_database(location: Location, target: Path) -> None:
    """The database as it is now, as a new SQLite file. Writers are not held up."""
    if not is_postgresql(location):
        source = sqlite3.connect(f"file:{url_of(location).database}?mode=ro", uri=True)
        try:
            source.execute("VACUUM INTO ?", (str(target),))
        finally:
            source.close()
        return
    migrate(target)
    reading, writing = reading_engine(location, 1), writing_engine(target)
    try:
        with reading.connect() as source_connection, writing.begin() as target_connection:
            copy_all(source_connection, target_connection, lambda *_: None)
    finally:
        reading.dispose()
        # The last one to close folds the write-ahead log into the file.
        writing.dispose()


def describe_copy(path: Path, version: str, created_at: float) -> Manifest:
    engine = reading_engine(path, 1)
    try:
        with engine.connect() as connection:
            revision = revision_of(connection) or ""
            return Manifest(version, revision, created_at, count_rows(connection))
    finally:
        engine.dispose()


def pack(database: BinaryIO, root: Path, names: Iterable[str], manifest: Manifest) -> Iterator[bytes]:
    """The archive, piece by piece. `names` are files below `root`; one that is gone meanwhile is left out,
    and one that grows is cut at the size it had."""
    gzip = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    for piece in _pack(database, root, names, manifest):
        if squeezed := gzip.compress(piece):
            yield squeezed
    yield gzip.flush()


def _pack(database: BinaryIO, root: Path, names: Iterable[str], manifest: Manifest) -> Iterator[bytes]:
    yield from _member(DATABASE, database, manifest)
    for name in names:
        try:
            file = os.fdopen(os.open(root / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError:
            continue
        with file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                yield from _member(name, file, manifest)
    text = manifest.to_json()
    yield _header(MANIFEST, len(text))
    yield _padded(text)
    yield bytes(2 * tarfile.BLOCKSIZE)


def _member(name: str, file: BinaryIO, manifest: Manifest) -> Iterator[bytes]:
    status = os.fstat(file.fileno())
    left, digest = status.st_size, hashlib.sha256()
    yield _header(name, left, status)
    while left:
        # A file that shrank while it was read is filled up: its header is out already.
        piece = file.read(min(PIECE, left)) or bytes(min(PIECE, left))
        digest.update(piece)
        left -= len(piece)
        yield piece
    yield bytes(-status.st_size % tarfile.BLOCKSIZE)
    manifest.members[name] = Member(status.st_size, digest.hexdigest())


def _header(name: str, size: int, status: os.stat_result | None = None) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size = size
    entry.mode = 0o600
    if status is not None:
        entry.mtime = int(status.st_mtime)
        entry.mode = stat.S_IMODE(status.st_mode)
        entry.uid, entry.gid = status.st_uid, status.st_gid
    return entry.tobuf(tarfile.PAX_FORMAT)


def _padded(text: bytes) -> bytes:
    return text + bytes(-len(text) % tarfile.BLOCKSIZE)
