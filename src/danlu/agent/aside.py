"""Work on files whose file system may hang: in threads of their own, for which callers wait only so long."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MOST_READERS = 64
"""How many threads may be at work at a time; only where a file system hangs do they come to that many."""
MOST_OVERDUE = 8
"""So many of them may hang on the files of one owner; then nothing more is tried for that owner."""
IDLE_S = 10.0
"""A thread with nothing to do is kept so long for the next piece of work."""


class Hangs(OSError):
    """There was no answer in time, or there is no use in asking."""


class _Work:
    def __init__(self, path: str, uid: int | None, run: Callable[[], None]) -> None:
        self.path = path
        self.uid = uid
        self.run = run
        self.finished = False


_readers = threading.BoundedSemaphore(MOST_READERS)
_overdue: set[_Work] = set()
"""Work that hangs and that no caller waits for any more."""


async def run_aside(work: Callable[[], T], path: str, uid: int | None, patience_s: float) -> T:
    """`work` on the file `path` of `uid`, in a thread with no other work meanwhile. Raises Hangs.

    A file system that hangs (a stale NFS) holds up this one piece of work: none on other files, and not the
    end of the process, as it would from a shared pool of threads.
    """
    _refuse_what_would_hang(path, uid)
    if not _readers.acquire(blocking=False):
        raise Hangs(f"{path}: {MOST_READERS} reads of logs are under way; does a file system hang?")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        settle: Callable[[], None]
        try:
            settle = _settling(answer, work())
        except Exception as problem:
            settle = _failing(answer, problem)
        finally:
            mine.finished = True
            _overdue.discard(mine)
            _readers.release()
        # By now the loop may have been closed.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)

    mine = _Work(path, uid, run)
    try:
        _hand_over(mine)
    except RuntimeError as error:
        _readers.release()
        raise Hangs(f"{path}: {error}") from error
    try:
        async with asyncio.timeout(patience_s):
            return await answer
    except TimeoutError:
        _give_up(mine)
        raise Hangs(f"{path} does not answer: its file system may hang") from None
    except asyncio.CancelledError:
        # Who asked has left. That it may hang is worth knowing all the same.
        loop.call_later(patience_s, _give_up, mine)
        raise


def _give_up(work: _Work) -> None:
    _overdue.add(work)
    # Looked at only now: it may finish at this very moment, and strike itself off before it was on.
    if work.finished:
        _overdue.discard(work)


def _refuse_what_would_hang(path: str, uid: int | None) -> None:
    hanging = tuple(_overdue)
    of_owner = sum(uid is not None and work.uid == uid for work in hanging)
    if of_owner >= MOST_OVERDUE or any(work.path == path for work in hanging):
        raise Hangs(f"{path} does not answer: its file system may hang")


def _settling(answer: asyncio.Future[T], result: T) -> Callable[[], None]:
    return lambda: None if answer.done() else answer.set_result(result)


def _failing(answer: asyncio.Future[T], problem: Exception) -> Callable[[], None]:
    return lambda: None if answer.done() else answer.set_exception(problem)


class _Reader:
    """A thread that does one piece of work after another, and goes when there was none for a while."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[_Work] = queue.SimpleQueue()

    def start(self) -> None:
        # Not one of a pool that is waited for at the end: it may hang.
        threading.Thread(target=self._run, name="log reader", daemon=True).start()

    def take(self, work: _Work) -> None:
        self._orders.put(work)

    def _run(self) -> None:
        while True:
            try:
                work = self._orders.get(timeout=IDLE_S)
            except queue.Empty:
                try:
                    _idle.remove(self)
                except ValueError:
                    # A caller has just taken this thread: its work is on the way.
                    continue
                return
            work.run()
            # Not kept through the wait for the next one: it holds what was read.
            del work
            _idle.append(self)


_idle: deque[_Reader] = deque()
"""Readers with nothing to do, the latest last."""


def _hand_over(work: _Work) -> None:
    """Raises RuntimeError where no thread can be started."""
    try:
        reader = _idle.pop()
    except IndexError:
        reader = _Reader()
        reader.start()
    reader.take(work)
