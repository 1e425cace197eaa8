"""Keeps the logs of tasks within a limit. The task goes on, and so does its log: its first half and its end
stay, what lies between is given back to the disk, and a line in its place says so.

Nothing moves: the file keeps its length and what is left keeps its place, so readers and writers need not
know. Only a file system that cannot make holes (NFS before 4.2) loses the end as well.
"""

from __future__ import annotations

import errno
import heapq
import os
import stat
import time
from typing import NamedTuple

from danlu.agent.keeper.complaint import complain
from danlu.sparse_files import punch_hole

_ALIGNED = 1 << 16
"""Holes are made of whole blocks, whatever the size of those is."""
_SAFE = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NO_HOLES = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
LEAST_LIMIT = 1 << 20
_FIRST_LOOK_S = 2.0
_PAUSES_S = (0.2, 30.0)


def cut_log(fd: int, limit: int) -> bool:
    """Cut a log that holds more than `limit` bytes on its disk, so that it may grow by a quarter of that
    before the next time. Whether it was cut."""
    facts = os.fstat(fd)
    if not stat.S_ISREG(facts.st_mode) or held_by(facts) <= limit:
        return False
    begin = _whole(limit // 2)
    end = _whole(facts.st_size - limit // 4)
    if end <= begin:
        return False
    try:
        punch_hole(fd, begin, end - begin)
    except OSError as problem:
        if problem.errno not in _NO_HOLES:
            raise
        os.ftruncate(fd, begin)
    mark = _mark(begin, end, limit)
    os.pwrite(fd, mark, begin - len(mark))
    return True


def held_by(facts: os.stat_result) -> int:
    """How many bytes of its disk a file takes, not counting what is set aside for it to grow."""
    return min(facts.st_blocks * 512, facts.st_size)


def open_log_below(root: int, *names: str) -> int:
    """A log to be cut, below an open folder; no link is followed."""
    folder = os.dup(root)
    try:
        for name in names[:-1]:
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(names[-1], _SAFE, dir_fd=folder)
    finally:
        os.close(folder)


def _mark(begin: int, end: int, limit: int) -> bytes:
    """As long as the last time: it is written over that."""
    said = f"[danlu: the log was cut here: bytes {begin} to {end} are gone, by the limit of {limit >> 20} MB]"
    return f"\n{said:<150}\n".encode()


def _whole(offset: int) -> int:
    return offset // _ALIGNED * _ALIGNED


class _LimitedLog(NamedTuple):
    look_at: float
    key: str
    held: int
    looked_at: float


class LogLimiter:
    """The logs of this keeper's living tasks. A task that ends soon costs nothing but its place in a heap."""

    def __init__(self) -> None:
        self._next: list[_LimitedLog] = []
        self._logs: dict[str, tuple[str, int]] = {}

    @property
    def look_at(self) -> float | None:
        """When the next look is due (monotonic)."""
        return self._next[0].look_at if self._next else None

    def watch(self, key: str, path: str, limit: int) -> None:
        self._logs[key] = path, max(limit, LEAST_LIMIT)
        now = time.monotonic()
        heapq.heappush(self._next, _LimitedLog(now + _FIRST_LOOK_S, key, 0, now))

    def leave(self, key: str) -> None:
        self._logs.pop(key, None)

    def look(self) -> None:
        """Cut what has become too long, and see when to look again: the faster it grows the sooner."""
        while self._next and self._next[0].look_at <= time.monotonic():
            watched = heapq.heappop(self._next)
            if watched.key in self._logs:
                heapq.heappush(self._next, self._look_at(watched))

    def _look_at(self, watched: _LimitedLog) -> _LimitedLog:
        path, limit = self._logs[watched.key]
        held = 0
        try:
            held = _look_and_cut(path, limit)
        except FileNotFoundError:
            pass
        except OSError:
            complain()
        now, (shortest_s, longest_s) = time.monotonic(), _PAUSES_S
        grown = max(held - watched.held, 1) / max(now - watched.looked_at, 1e-3)
        pause_s = min(max((limit - held) / grown / 2, shortest_s), longest_s)
        return _LimitedLog(now + pause_s, watched.key, held, now)


def _look_and_cut(path: str, limit: int) -> int:
    """How much of it is held on the disk afterwards."""
    fd = os.open(path, _SAFE)
    try:
        cut_log(fd, limit)
        return held_by(os.fstat(fd))
    finally:
        os.close(fd)
