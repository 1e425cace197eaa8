"""When the logs of tasks grew: beside each log a small file of how long it was when, so that people can be
told when a line was written.

A job does not report when it writes. The keeper looks how long each log is, every second while it grows, and
the file system knows when that length was reached.
"""

from __future__ import annotations

import heapq
import os
import stat
import time
from typing import NamedTuple

SUFFIX = ".times"
MOST_SAMPLES = 4096
NEWEST = 1024
"""So many of the latest samples are all kept."""
_PAUSES_S = (1.0, 5.0)
_SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CLOCK_STEP_S = 0.05
"""The time of a file comes from a coarser clock than ours."""


def thinned(samples: list[bytes]) -> list[bytes]:
    """About half of those that are not the newest, spread over all of their time. Of some that lie close
    together the last stays, as what it says is true of those before it, too."""
    older = samples[:-NEWEST]
    times = [float(sample.split()[1]) for sample in older]
    if not older:
        return samples
    gap_s = (times[-1] - times[0]) * 2 / len(older)
    kept = [len(older) - 1]
    for place in range(len(older) - 2, -1, -1):
        if times[kept[-1]] - times[place] >= gap_s:
            kept.append(place)
    return [older[place] for place in reversed(kept[: len(older) // 2 + 1])] + samples[-NEWEST:]


class _TimedLog(NamedTuple):
    look_at: float
    key: str
    pause_s: float


class _Log:
    """One log that is being watched, and what was last written of it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._samples: int | None = None
        self._size = 0
        self._sampled_at = 0.0

    @property
    def was_looked_at(self) -> bool:
        return self._samples is not None

    def look(self, now: float) -> bool:
        """Write down how long it is, if that has changed. Whether it has. Raises OSError."""
        if self._samples is None:
            self._read_back()
        facts = os.stat(self._path, follow_symlinks=False)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size == self._size:
            return False
        # Its owner may set the time of a file to anything.
        is_likely = self._sampled_at - _CLOCK_STEP_S <= facts.st_mtime <= now
        self._write(facts.st_size, facts.st_mtime if is_likely else now)
        return True

    def _read_back(self) -> None:
        """What an earlier keeper has written."""
        lines = self._read()
        self._samples = len(lines)
        if lines:
            size, at = lines[-1].split()
            self._size, self._sampled_at = int(size), float(at)

    def _read(self) -> list[bytes]:
        try:
            fd = os.open(self._path + SUFFIX, os.O_RDONLY | _SAFE)
        except FileNotFoundError:
            return []
        with open(fd, "rb") as file:
            # A line that a crash has torn is none.
            return [line for line in file.read().splitlines(keepends=True) if line.endswith(b"\n")]

    def _write(self, size: int, at: float) -> None:
        fd = os.open(self._path + SUFFIX, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _SAFE, 0o600)
        try:
            os.write(fd, f"{size} {at:.3f}\n".encode())
        finally:
            os.close(fd)
        self._size, self._sampled_at = size, at
        self._samples = (self._samples or 0) + 1
        if self._samples >= MOST_SAMPLES:
            self._thin()

    def _thin(self) -> None:
        kept = thinned(self._read())
        new = f"{self._path}{SUFFIX}.new"
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _SAFE, 0o600)
        with open(fd, "wb") as file:
            file.writelines(kept)
        os.replace(new, self._path + SUFFIX)
        self._samples = len(kept)


class LogTimeKeeper:
    """The logs of this keeper's living tasks. A task that ends within a second leaves no such file: its start
    and its end say as much."""

    def __init__(self) -> None:
        self._next: list[_TimedLog] = []
        self._logs: dict[str, _Log] = {}

    @property
    def look_at(self) -> float | None:
        """When the next look is due (monotonic)."""
        return self._next[0].look_at if self._next else None

    def watch(self, key: str, path: str) -> None:
        self._logs[key] = _Log(path)
        heapq.heappush(self._next, _TimedLog(time.monotonic() + _PAUSES_S[0], key, _PAUSES_S[0]))

    def leave(self, key: str) -> None:
        log = self._logs.pop(key, None)
        if log is not None and log.was_looked_at:
            _look(log)

    def look(self) -> None:
        """See which have grown; at those that have not the next look is later."""
        shortest_s, longest_s = _PAUSES_S
        while self._next and self._next[0].look_at <= time.monotonic():
            _, key, pause_s = heapq.heappop(self._next)
            log = self._logs.get(key)
            if log is not None:
                pause_s = shortest_s if _look(log) else min(pause_s * 1.5, longest_s)
                heapq.heappush(self._next, _TimedLog(time.monotonic() + pause_s, key, pause_s))


def _look(log: _Log) -> bool:
    try:
        return log.look(time.time())
    except (OSError, ValueError):
        # It is not there yet, or the disk is full: lines without a time are all that it costs.
        return False
