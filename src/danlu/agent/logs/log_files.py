"""Reading the logs of jobs: in pieces, at any size, and safely although users choose the paths."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from types import TracebackType

from asyncinotify import Mask

from danlu.agent.aside import Hangs, run_aside
from danlu.agent.files.file_rights import acting_as
from danlu.agent.files.plain_files import NotPlain, open_plain
from danlu.agent.keeper.isolation.accounts import settle_account
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import AccountSpec
from danlu.agent.logs.file_watches import FileWatches
from danlu.agent.task_json import account_to_json
from danlu.core.task import LogChunk, UnixAccount
from danlu.sparse_files import data_parts, end_of_data, first_hole, next_data

LONGEST_CHUNK = 1 << 20
_TRIES = 5

_IN_FILE = Mask.MODIFY | Mask.ATTRIB | Mask.MOVE_SELF | Mask.DELETE_SELF | Mask.DONT_FOLLOW
_IN_FOLDER = Mask.CREATE | Mask.MOVED_TO | Mask.MOVE_SELF | Mask.DELETE_SELF | Mask.ONLYDIR


class LogRefused(PermissionError):
    """The path cannot be read as a log of this user: a link, a FIFO, another account's file, a dead disk."""


def read_log(path: str, offset: int, limit: int, account: UnixAccount | None) -> LogChunk:
    """At most `limit` bytes (and never more than a MiB) from `offset`; a negative one counts from the end.

    The reader may be root and the path a user's, so it is opened with the rights of `account`, and only a
    plain file that it owns is read. None is for Danlu's own log area alone, and for the caller to decide.
    A file that does not exist is an empty log.
    """
    fd = open_log(path, account)
    if fd is None:
        return LogChunk(b"", 0, 0)
    try:
        return _read_piece(fd, offset, max(0, min(limit, LONGEST_CHUNK)))
    finally:
        os.close(fd)


def _read_piece(fd: int, offset: int, limit: int) -> LogChunk:
    """Data only: what is asked for in a hole begins behind it."""
    for _ in range(_TRIES):
        facts = os.fstat(fd)
        size, inode = facts.st_size, facts.st_ino
        start = max(size + offset, 0) if offset < 0 else offset
        cut = first_hole(fd, size)
        begin = next_data(fd, start, size)
        if begin is None:
            break
        data = os.pread(fd, min(limit, end_of_data(fd, begin, size) - begin), begin)
        # Where it was cut at this very moment, these are zeros.
        if cut == first_hole(fd, size):
            return LogChunk(data, begin, size, inode, cut, _held(fd, size, cut))
    return LogChunk(b"", start, size, inode, cut, _held(fd, size, cut))


def _held(fd: int, size: int, cut: tuple[int, int] | None) -> int | None:
    return sum(end - begin for begin, end in data_parts(fd, size)) if cut else None


def open_log(path: str, account: UnixAccount | None) -> int | None:
    """The log, open for reading; None where there is none. Raises LogRefused."""
    rights = None if account is None else _settle(account)
    owner = None if account is None else rights["uid"] if rights else os.geteuid()
    try:
        with acting_as(rights):
            return open_plain(path, owner)
    except FileNotFoundError:
        return None
    except NotPlain as problem:
        raise LogRefused(str(problem)) from problem
    except OSError as error:
        raise LogRefused(error.errno, f"{error.strerror}: not readable as a log", path) from error


def _settle(account: UnixAccount) -> AccountSpec | None:
    try:
        return settle_account(account_to_json(account), os.geteuid())
    except SetupProblem as problem:
        raise LogRefused(problem.detail) from problem


async def read_log_aside(
    path: str, offset: int, limit: int, account: UnixAccount | None, *, patience_s: float = 10.0
) -> LogChunk:
    """`read_log`, but the caller waits no longer than `patience_s`, whatever its file system does."""
    try:
        uid = None if account is None else account.uid
        return await run_aside(lambda: read_log(path, offset, limit, account), path, uid, patience_s)
    except Hangs as problem:
        raise LogRefused(str(problem)) from None


WITHOUT_WATCH_S = 1.0


class LogWatch:
    """Wake-ups for one path, also before the file exists. Event-driven; nothing is polled.

    Where the kernel has no watch to give (it has a limit of them), or the file system hangs, a wake-up comes
    every second instead; on a network file system none comes for what another machine writes: callers bound
    their wait. A user's path is looked up with the rights of `account`.
    """

    def __init__(self, path: str, account: UnixAccount | None = None, *, patience_s: float = 10.0) -> None:
        self._path = Path(path)
        self._account = account
        self._rights: AccountSpec | None = None
        self._patience_s = patience_s
        self._above = frozenset({self._path, *self._path.parents})
        self._inotify: FileWatches | None = None
        self._watched: dict[int, Path] = {}
        self._change = asyncio.Event()

    async def __aenter__(self) -> LogWatch:
        with contextlib.suppress(OSError):
            # Whether its file system answers is found out aside: to watch a path is to look it up.
            self._rights = await run_aside(self._look, str(self._path), None, self._patience_s)
            self._inotify = FileWatches.join(self._hear)
        self._arm()
        return self

    def _look(self) -> AccountSpec | None:
        """Whose rights it is watched with. Raises LogRefused."""
        rights = None if self._account is None else _settle(self._account)
        with acting_as(rights):
            self._path.parent.is_dir()
        return rights

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    async def changed(self) -> None:
        """Return when the file may have changed since the last call (or since the watch began)."""
        if self._inotify is None and not self._change.is_set():
            await asyncio.sleep(WITHOUT_WATCH_S)
            return
        await self._change.wait()
        self._change.clear()

    def _hear(self, number: int, mask: Mask, name: str | None) -> None:
        """Whatever is about our file wakes. Watches follow when folders or the file come and go."""
        if name is not None and self._watched[number] / name not in self._above:
            return
        self._change.set()
        if Mask.MODIFY not in mask:
            self._arm()

    def _leave(self) -> None:
        if self._inotify is not None:
            self._inotify.leave(self._hear)
            self._inotify = None

    def _arm(self) -> None:
        """Watch the file, and the nearest folder above it that exists, for whatever comes next."""
        if self._inotify is None:
            return
        # No watch is to be had (they are limited in number), or not by us: then without.
        with contextlib.suppress(OSError), acting_as(self._rights):
            # Each round begins lower than the last, unless folders come and go faster than we look.
            for _ in self._path.parents:
                if self._watch_nearest(self._inotify):
                    return
        self._leave()

    def _watch_nearest(self, inotify: FileWatches) -> bool:
        """False when the next folder below has come into being meanwhile, and was not watched for."""
        below = self._path
        for folder in self._path.parents:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                self._watched[inotify.add(folder, _IN_FOLDER, self._hear)] = folder
                break
            below = folder
        # Only now: what came into being a moment ago was not watched for.
        if below == self._path:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                self._watched[inotify.add(self._path, _IN_FILE, self._hear)] = self._path
            return True
        return not below.is_dir()
