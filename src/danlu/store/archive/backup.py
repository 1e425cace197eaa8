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
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from danlu.codec import BadValue, decode, encode
from danlu.sparse_files import data_parts
from danlu.store.archive.copying import copy_all, count_rows
from danlu.store.engine.engines import Location, is_postgresql, reading_engine, url_of, writing_engine
from danlu.store.engine.migrate import migrate, revision_of

FORMAT = 1
DATABASE = "danlu.db"
MANIFEST = "manifest.json"
PIECE = 1 << 18
LARGEST_HOLE = 1 << 30


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that belongs into an archive and is not in it, where it lies, and why: the node did not answer
    (`unreachable`), or no longer, so that the rest are zeros (`broken_off`); it cannot be read
    (`unreadable`); or it is nearly nothing but a `hole`."""

    name: str
    node: str
    reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds, and who made it. `revision` is the schema of its database."""

    version: str
    revision: str
    created_at: float
    rows: dict[str, int]
    members: dict[str, ArchiveMember] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    format: int = FORMAT

    def to_json(self) -> bytes:
        return json.dumps(encode(self), indent=2, sort_keys=True).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Manifest:
        """Raises ValueError for what is none."""
        data = json.loads(text)
        if not isinstance(data, dict) or "members" not in data:
            raise BadValue("is missing", ("members",))
        return decode(cls, data, trusted=True)


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


class Packer:
    """Makes an archive, member by member; what each step answers is to be sent."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._gzip = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        self._name, self._size, self._left = "", 0, 0
        self._digest = hashlib.sha256()

    def begin(self, name: str, size: int, status: os.stat_result | None = None) -> bytes:
        self._name, self._size, self._left = name, size, size
        self._digest = hashlib.sha256()
        return self._gzip.compress(_header(name, size, status))

    def add(self, data: bytes) -> bytes:
        """More of the member that was begun; what is beyond its size is left away."""
        data = data[: self._left]
        self._left -= len(data)
        self._digest.update(data)
        return self._gzip.compress(data)

    def end(self) -> Iterator[bytes]:
        # A file that shrank while it was read is filled up: its header is out already.
        while self._left:
            yield self.add(bytes(min(PIECE, self._left)))
        self.manifest.members[self._name] = ArchiveMember(self._size, self._digest.hexdigest())
        yield self._gzip.compress(bytes(-self._size % tarfile.BLOCKSIZE))

    def finish(self) -> bytes:
        text = self.manifest.to_json()
        whole = _header(MANIFEST, len(text)) + _padded(text) + bytes(2 * tarfile.BLOCKSIZE)
        return self._gzip.compress(whole) + self._gzip.flush()


def pack(packer: Packer, database: BinaryIO, root: Path, names: Iterable[str], node: str) -> Iterator[bytes]:
    """The database and the files of this machine, piece by piece. `names` are files below `root`; one that is
    gone meanwhile is left out, and one that grows is cut at the size it had."""
    yield from _pack_file(packer, DATABASE, database)
    for name in names:
        try:
            file = os.fdopen(os.open(root / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except FileNotFoundError:
            continue
        except OSError:
            packer.manifest.left_out.append(LeftOut(name, node, "unreadable"))
            continue
        with file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                continue
            if not is_log(name) and _is_mostly_hole(file):
                packer.manifest.left_out.append(LeftOut(name, node, "hole"))
                continue
            yield from _pack_file(packer, name, file)


def is_log(name: str) -> bool:
    """Of a log only what is written counts: one that was cut, or that its owner has blown up, has a hole."""
    return name.startswith("logs/")


def _is_mostly_hole(file: BinaryIO) -> bool:
    """One whose every byte counts would have to be kept with all its zeros."""
    facts = os.fstat(file.fileno())
    return facts.st_size - facts.st_blocks * 512 > LARGEST_HOLE


def _pack_file(packer: Packer, name: str, file: BinaryIO) -> Iterator[bytes]:
    fd, status = file.fileno(), os.fstat(file.fileno())
    parts = data_parts(fd, status.st_size) if is_log(name) else [(0, status.st_size)]
    yield packer.begin(name, sum(end - begin for begin, end in parts), status)
    for begin, end in parts:
        at = begin
        while at < end and (piece := os.pread(fd, min(PIECE, end - at), at)):
            yield packer.add(piece)
            at += len(piece)
    yield from packer.end()


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
