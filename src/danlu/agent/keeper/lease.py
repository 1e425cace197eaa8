"""The node's lease: the time until which a task may run without word from the control side.

The agent writes it, as often as it hears from there. The wrapper or watchdog of a task whose job may begin
again elsewhere reads it, and needs neither the agent nor the keeper for that: when it has run out, the task
ends.
"""

from __future__ import annotations

import _thread
import contextlib
import math
import os
import time
from typing import NamedTuple

from danlu.agent.keeper import libc

GRACE_S = 5.0
"""How long a task gets at most, once the lease has run out. The control side waits that long before it starts
the next attempt (`control/recovery/fencing.py`)."""

SHORTEST_PAUSE_S = 0.05
_LONGEST_LEASE = 200
"""In bytes, as the agent writes it."""


def now() -> float:
    """By the clock of leases, which also counts while the machine sleeps (CLOCK_BOOTTIME)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def read_lease(path: str, boot_id: str) -> float | None:
    """When it runs out. None when there is none: it cannot be read, or was granted before the machine was
    started."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            text = os.read(fd, _LONGEST_LEASE).decode()
        finally:
            os.close(fd)
        ends_at, granted_in = text.split()
        end = float(ends_at)
    except (OSError, ValueError):
        return None
    return end if granted_in == boot_id and math.isfinite(end) else None


class Reading(NamedTuple):
    """What the file said between two moments; where it said nothing, what it said before."""

    ends_at: float
    begun_at: float
    done_at: float


class LeaseReader:
    """Reads the file whenever it is asked to, in a thread of its own, because its disk may hang: what was
    read last holds until it has run out, and not longer."""

    def __init__(self, path: str, boot_id: str) -> None:
        """Reads it for the first time, which may take as long as the disk does."""
        self._path = path
        self._boot_id = boot_id
        self.latest = Reading(0.0, 0.0, 0.0)
        self._read()
        self._wanted = _thread.allocate_lock()
        self._wanted.acquire()

    def start(self) -> None:
        """The process must not fork any more."""
        _thread.start_new_thread(self._read_when_asked, ())

    def ask(self) -> None:
        with contextlib.suppress(RuntimeError):
            # It fails when the last reading has not come back yet: one that hangs is enough.
            self._wanted.release()

    def _read_when_asked(self) -> None:
        while True:
            self._wanted.acquire()
            self._read()

    def _read(self) -> None:
        begun_at = now()
        ends_at = read_lease(self._path, self._boot_id) or self.latest.ends_at
        self.latest = Reading(ends_at, begun_at, now())


class NodeLease:
    """Watched over while a task runs. Once it is over it stays so, whatever is granted later: the next
    attempt may have begun elsewhere."""

    def __init__(self, path: str, boot_id: str) -> None:
        """Reads it for the first time, which may take as long as the disk does."""
        self._reader = LeaseReader(path, boot_id)
        self._ends_at = self._reader.latest.ends_at
        self.alarm: int | None = None
        """Readable when `check` is due."""

    @property
    def is_over(self) -> bool:
        return now() >= self._ends_at

    @property
    def grace_left_s(self) -> float:
        """How much is left of the grace, which begins with the end of the lease: who was frozen until after
        that has none. The control side has not waited."""
        return max(self._ends_at + GRACE_S - now(), 0.0)

    def watch(self) -> int:
        """Begin to watch. The process must not fork any more. What to listen to: see `alarm`."""
        self.alarm = libc.make_alarm()
        self._reader.start()
        self._set_alarm()
        return self.alarm

    def check(self) -> bool:
        """Whether it still holds. To be called at each alarm."""
        reading = self._reader.latest
        if reading.done_at < self._ends_at:
            # It was renewed in time. What was read later may have been granted after a lapse.
            self._ends_at = reading.ends_at
        if self.is_over:
            return False
        self._reader.ask()
        self._set_alarm()
        return True

    def close(self) -> None:
        if self.alarm is not None:
            os.close(self.alarm)
            self.alarm = None

    def _set_alarm(self) -> None:
        """Half of what is left: time for several readings before the end, if the first brings nothing."""
        if self.alarm is not None:
            libc.set_alarm(self.alarm, next_look(self._ends_at, now()))


def next_look(ends_at: float, at: float) -> float:
    """When to read a lease again that runs out then: after half of what is left, again and again."""
    return min(at + max((ends_at - at) / 2, SHORTEST_PAUSE_S), ends_at)
