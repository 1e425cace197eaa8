"""Reading the logs of jobs: in pieces, at any size, and safely although users choose the paths."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import threading
from pathlib import Path
from types import TracebackType

from asyncinotify import Event, Inotify, Mask

from danlu.core.task import LogChunk

LONGEST_CHUNK = 1 << 20

MOST_READERS = 64
"""How many threads may be reading at a time; only where a file system hangs do they come to that many."""

_readers = threading.BoundedSemaphore(MOST_READERS)

_IN_FILE = Mask.MODIFY | Mask.ATTRIB | Mask.MOVE_SELF | Mask.DELETE_SELF | Mask.DONT_FOLLOW
_IN_FOLDER = Mask.CREATE | Mask.MOVED_TO | Mask.MOVE_SELF | Mask.DELETE_SELF | Mask.ONLYDIR


class LogRefused(PermissionError):
    """The path cannot be read as a log of this user: a link, a FIFO, somebody else's file, a dead disk."""


def read_log(path: str, offset: int, limit: int, uid: int | None) -> LogChunk:
    """At most `limit` bytes (and never more than a MiB) from `offset`; a negative one counts from the end.

    The reader may be root and the path a user's, so only a plain file that `uid` owns is read.
    None skips the owner check: that is for Danlu's own log area alone, and for the caller to decide.
    A file that does not exist is an empty log.
    """
    try:
        # O_NONBLOCK: opening a FIFO would wait for its writer.
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError:
        return LogChunk(b"", 0, 0)
    except OSError as error:
        raise LogRefused(error.errno, f"{error.strerror}: not readable as a log", path) from error
    try:
        facts = os.fstat(fd)
        if not stat.S_ISREG(facts.st_mode):
            raise LogRefused(f"{path} is not a plain file")
        if uid is not None and facts.st_uid != uid:
            raise LogRefused(f"{path} belongs to somebody else")
        start = max(facts.st_size + offset, 0) if offset < 0 else offset
        return LogChunk(os.pread(fd, max(0, min(limit, LONGEST_CHUNK)), start), start, facts.st_size)
    finally:
        os.close(fd)


async def read_log_aside(
    path: str, offset: int, limit: int, uid: int | None, *, patience_s: float = 10.0
) -> LogChunk:
    """`read_log` in a thread of its own, for which nobody waits longer than `patience_s`.

    A file system that hangs (a stale NFS) holds up this one read: no other one, and not the end of
    the process, as it would from a shared pool of threads.
    """
    if not _readers.acquire(blocking=False):
        raise LogRefused(f"{path}: {MOST_READERS} reads of logs are under way; does a file system hang?")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[LogChunk] = loop.create_future()

    def read() -> None:
        try:
            chunk, error = read_log(path, offset, limit, uid), None
        except Exception as problem:
            chunk, error = None, problem
        finally:
            _readers.release()
        # By now the loop may have been closed.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, answer, chunk, error)

    try:
        threading.Thread(target=read, name="log reader", daemon=True).start()
    except RuntimeError as error:
        _readers.release()
        raise LogRefused(f"{path}: {error}") from error
    try:
        async with asyncio.timeout(patience_s):
            return await answer
    except TimeoutError:
        raise LogRefused(f"{path} does not answer: its file system may hang") from None


def _settle(answer: asyncio.Future[LogChunk], chunk: LogChunk | None, error: Exception | None) -> None:
    if answer.done():
        return
    if chunk is not None:
        answer.set_result(chunk)
    elif error is not None:
        answer.set_exception(error)


WITHOUT_WATCH_S = 1.0


class LogWatch:
    """Wake-ups for one path, also before the file exists. Event-driven; nothing is polled.

    Where the kernel has no watch to give (it has a limit of them) a wake-up comes every second instead; on
    a network file system none comes for what another machine writes: callers bound their wait.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._inotify: Inotify | None = None

    async def __aenter__(self) -> LogWatch:
        with contextlib.suppress(OSError):
            self._inotify = Inotify()
        self._arm()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._inotify is not None:
            self._inotify.close()

    async def changed(self) -> None:
        """Return when the file may have changed since the last call (or since the watch began)."""
        if self._inotify is None:
            await asyncio.sleep(WITHOUT_WATCH_S)
            return
        while not self._concerns(await self._inotify.get()):
            continue

    def _concerns(self, event: Event) -> bool:
        """Whether the event is about our file. Watches follow when folders or the file come and go."""
        if event.name is not None and event.path not in (self._path, *self._path.parents):
            return False
        if Mask.MODIFY not in event.mask:
            self._arm()
        return True

    def _arm(self) -> None:
        """Watch the file, and the nearest folder above it that exists, for whatever comes next."""
        if self._inotify is None:
            return
        # No watch is to be had (they are limited in number), or not by us: then without.
        with contextlib.suppress(OSError):
            # Each round begins lower than the last, unless folders come and go faster than we look.
            for _ in self._path.parents:
                if self._watch_nearest(self._inotify):
                    return
        self._inotify.close()
        self._inotify = None

    def _watch_nearest(self, inotify: Inotify) -> bool:
        """False when the next folder below has come into being meanwhile, and nobody watched for it."""
        below = self._path
        for folder in self._path.parents:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                inotify.add_watch(folder, _IN_FOLDER)
                break
            below = folder
        # Only now: what came into being a moment ago was not watched for.
        if below == self._path:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                inotify.add_watch(self._path, _IN_FILE)
            return True
        return not below.is_dir()
