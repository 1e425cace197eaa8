"""The files behind jobs that are Python functions: what to call, and what came of it.

`calls/OWNER/DIGEST` belongs to one user, whose jobs alone can name it. `results/JOB/ATTEMPT` (of a task of an
array `results/JOB/task-INDEX-ATTEMPT`) belongs to its job. Only the server's own account can open either; a
task gets them as open files.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Collection
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from danlu.control.calls.call_copies import CallCopies
from danlu.core.errors import Forbidden, Invalid, TooMany, Unavailable
from danlu.core.job_id import index_of, job_of
from danlu.core.user import Role, User
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.calls import calls_in_use, drop_pieces
from danlu.wire.calls import StoredCall

log = logging.getLogger(__name__)

DAY_S = 86_400.0
KEPT_S = 30 * DAY_S
"""How long the call and the result of an ended job are kept."""
UNUSED_S = DAY_S
"""How long a call may lie there before a job names it."""
MOST_UNUSED = 1000
LARGEST_UNUSED = 1 << 30
"""What calls that no job names may come to, for one user."""
LEAST_FREE = 1 << 30
LEAST_FREE_SHARE = 0.05
"""What calls leave of the disk to the rest of the server: the smaller of the two."""
PIECE = 1 << 20
CHECKED_EVERY = 16 * PIECE
DRAFT = ".draft-"

T = TypeVar("T")


def call_path(calls: Path, owner: str, digest: str) -> Path:
    return calls / owner / digest


def result_path(results: Path, job_id: int, attempt: int, rank: int) -> str:
    suffix = f".{rank}" if rank else ""
    index = index_of(job_id)
    task = "" if index is None else f"task-{index}-"
    return str(results / str(job_of(job_id)) / f"{task}{attempt}{suffix}")


def check_call(calls: Path, owner: str, digest: str | None) -> None:
    """The call of a job must be there, and its owner's. Raises Invalid."""
    if digest is None:
        return
    try:
        # As new: it was needed just now, and cleaning up passes over what is new.
        os.utime(call_path(calls, owner, digest))
    except OSError:
        raise Invalid("no_such_call", field="call", digest=digest) from None


class Calls:
    """Takes calls in, and clears away what no job needs any more."""

    def __init__(self, database: Database, settings: Settings, clock: Callable[[], float]) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self.copies = CallCopies(database, settings.calls) if settings.has_standbys else None
        self._named: dict[str, set[str]] = {}
        """Digests, by owner, that a job named when that was last looked up."""

    async def store(self, user: User, pieces: AsyncIterator[bytes]) -> StoredCall:
        """Keep a call under the digest of its bytes. Storing it again changes nothing."""
        if user.role is Role.VIEWER:
            raise Forbidden("viewers_only_look")
        try:
            return await self._take_in(user.name, pieces)
        except (TooMany, Unavailable):
            # Who is still sending would not hear the answer, only that the connection broke.
            async for _ in pieces:
                pass
            raise

    async def _take_in(self, owner: str, pieces: AsyncIterator[bytes]) -> StoredCall:
        draft = CallDraft(self._settings.calls / owner)
        try:
            await in_thread(draft.open)
            await self._check_room(owner)
            unchecked = 0
            async for piece in gather(pieces):
                await in_thread(draft.write, piece)
                unchecked += len(piece)
                if unchecked >= CHECKED_EVERY:
                    await self._check_room(owner)
                    unchecked = 0
            # Others of theirs may have come in meanwhile.
            await self._check_room(owner)
            kept = await in_thread(draft.keep)
            if self.copies is not None:
                await self.copies.send(owner, kept.digest)
            return kept
        except OSError as problem:
            raise Unavailable("storage_failed", reason=problem.strerror or str(problem)) from problem
        finally:
            await in_thread(draft.drop)

    async def _check_room(self, owner: str) -> None:
        """What is there by now, drafts included, must be no more than it may. Raises TooMany, Unavailable."""
        folder = self._settings.calls / owner
        await in_thread(check_disk, folder)
        unused = await in_thread(count_files, folder, self._named.get(owner, set()))
        if not _is_too_much(*unused):
            return
        since = self._clock() - KEPT_S
        used = await self._database.read(lambda connection: calls_in_use(connection, since, owner))
        self._named[owner] = {digest for _, digest in used}
        if _is_too_much(*await in_thread(count_files, folder, self._named[owner])):
            raise TooMany("too_many_calls", most=MOST_UNUSED, size_mb=LARGEST_UNUSED >> 20)

    async def run(self) -> None:
        """Clear away at the start and once a day."""
        while True:
            try:
                await self.clear_away()
            except Exception:
                log.exception("could not clear away old calls and results")
            await asyncio.sleep(DAY_S)

    async def clear_away(self) -> None:
        now = self._clock()
        self._named.clear()
        await asyncio.to_thread(remove_old, self._settings.results, now - KEPT_S)
        old = await asyncio.to_thread(find_old, self._settings.calls, now - UNUSED_S)
        if not old:
            return
        used = await self._database.read(lambda connection: calls_in_use(connection, now - KEPT_S))
        doomed = [path for path in old if (path.parent.name, path.name) not in used]

        def write(tx: Transaction) -> None:
            # Submissions are written one after the other here: none can take up a call in between.
            for path in doomed:
                if _remove_if_old(path, now - UNUSED_S):
                    drop_pieces(tx, path.parent.name, path.name)

        await self._database.write(write)

    async def drop(self, calls: Collection[tuple[str, str]]) -> None:
        """Jobs that named these, (owner, digest), were deleted: what no other job names goes with them."""
        for owner, digest in calls:
            path = call_path(self._settings.calls, owner, digest)
            seen = _modified_at(path)
            since = self._clock() - KEPT_S
            used = await self._database.read(partial(calls_in_use, since=since, owner=owner))
            if (owner, digest) not in used:
                await self._database.write(partial(_drop_call, path=path, seen=seen))


def _drop_call(tx: Transaction, path: Path, seen: float) -> None:
    # A submission touches the call that it names: that one is still wanted.
    if _modified_at(path) in (seen, float("inf")):
        path.unlink(missing_ok=True)
        drop_pieces(tx, path.parent.name, path.name)


async def in_thread(step: Callable[..., T], *args: object) -> T:
    """What a thread makes of it. Who is cancelled meanwhile goes on only when the thread is done: nothing is
    opened or written behind the back of who clears up."""
    doing = asyncio.ensure_future(asyncio.to_thread(step, *args))
    cancelled: asyncio.CancelledError | None = None
    while not doing.done():
        try:
            await asyncio.wait([doing])
        except asyncio.CancelledError as request:
            cancelled = request
    if cancelled is not None:
        raise cancelled
    return doing.result()


def check_disk(folder: Path) -> None:
    """Raises Unavailable where too little is free."""
    disk = shutil.disk_usage(folder)
    if disk.free < min(LEAST_FREE, disk.total * LEAST_FREE_SHARE):
        raise Unavailable("disk_nearly_full", free_mb=disk.free >> 20)


def count_files(folder: Path, apart_from: set[str]) -> tuple[int, int]:
    """How many files there are in a folder, and how many bytes."""
    count = size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name not in apart_from:
                # It may have been kept under another name, or removed, since it was listed.
                with contextlib.suppress(FileNotFoundError):
                    size += entry.stat().st_size
                    count += 1
    return count, size


def _is_too_much(count: int, size: int) -> bool:
    return count > MOST_UNUSED or size > LARGEST_UNUSED


async def gather(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in pieces large enough to be worth a thread."""
    waiting = bytearray()
    async for piece in pieces:
        waiting += piece
        if len(waiting) >= PIECE:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


class CallDraft:
    """A call on its way in: under its name only once it is whole and on disk."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{DRAFT}{secrets.token_hex(8)}"
        self._hash = hashlib.sha256()
        self._size = 0
        self._file: BinaryIO
        self._left = contextlib.ExitStack()

    def open(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self._left.callback(self._path.unlink, missing_ok=True)
        self._left.callback(self._close)

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        # It counts from now on.
        self._file.flush()
        self._hash.update(piece)
        self._size += len(piece)

    def keep(self) -> StoredCall:
        os.fsync(self._file.fileno())
        self._file.close()
        digest = self._hash.hexdigest()
        self._path.replace(self._path.with_name(digest))
        _sync_folder(self._path.parent)
        return StoredCall(digest=digest, size=self._size)

    def drop(self) -> None:
        """Without effect once it was kept, or where it was never opened."""
        self._left.close()

    def _close(self) -> None:
        # What could not be written when it was full cannot be flushed now either.
        with contextlib.suppress(OSError):
            self._file.close()


def find_old(folder: Path, before: float) -> list[Path]:
    """The files of the folders in `folder` that were not touched since."""
    found: list[Path] = []
    for place in _entries(folder):
        found += [path for path in _entries(place) if _modified_at(path) < before]
    return found


def remove_old(folder: Path, before: float) -> None:
    """Remove those files, and the folders that are empty then."""
    for path in find_old(folder, before):
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            path.parent.rmdir()


def _remove_if_old(path: Path, before: float) -> bool:
    if _modified_at(path) >= before:
        return False
    path.unlink(missing_ok=True)
    return True


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _modified_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
