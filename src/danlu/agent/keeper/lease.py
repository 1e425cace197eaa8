"""The node's lease: the time until which a task may run without word from the control side.

The agent writes it, as often as it hears from there. Whoever watches over a task of a job that may begin
again elsewhere reads it, and needs neither the agent nor the keeper for that: when it has run out, the task
ends.
"""

from __future__ import annotations

import _thread
import contextlib
import math
import os
import time

from danlu.agent.keeper import libc

GRACE_S = 5.0
"""How long a task gets at most, once the lease has run out. The control side waits that long before it starts
the next attempt (`control/fencing.py`)."""

_SHORTEST_PAUSE_S = 0.05
_LONGEST_LEASE = 200
"""In bytes, as the agent writes it."""


def read_lease(path: str, boot_id: str) -> float | None:
    """When it runs out, by the clock that also counts while the machine sleeps (CLOCK_BOOTTIME). None when
    there is none: it cannot be read, or was granted before the machine was started."""
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


class Lease:
    """Watched over while a task runs. The file is read by a thread of its own, because its disk may hang:
    what was read last holds until it has run out, and not longer."""

    def __init__(self, path: str, boot_id: str) -> None:
        """Reads it for the first time, which may take as long as the disk does."""
        self._path = path
        self._boot_id = boot_id
        self._ends_at = read_lease(path, boot_id) or 0.0
        self._wanted = _thread.allocate_lock()
        self._wanted.acquire()
        self.alarm: int | None = None
        """Readable when `check` is due."""

    @property
    def is_over(self) -> bool:
        return _now() >= self._ends_at

    def watch(self) -> int:
        """Begin to watch. The process must not fork any more. What to listen to: see `alarm`."""
        self.alarm = libc.make_alarm()
        _thread.start_new_thread(self._read_again, ())
        self._set_alarm()
        return self.alarm

    def check(self) -> bool:
        """Whether it still holds. To be called at each alarm."""
        if self.is_over:
            return False
        with contextlib.suppress(RuntimeError):
            # It fails when the last reading has not come back yet: one that hangs is enough.
            self._wanted.release()
        self._set_alarm()
        return True

    def close(self) -> None:
        if self.alarm is not None:
            os.close(self.alarm)
            self.alarm = None

    def _set_alarm(self) -> None:
        """Half of what is left: time for several readings before the end, if the first brings nothing."""
        now = _now()
        if self.alarm is not None:
            pause_s = max((self._ends_at - now) / 2, _SHORTEST_PAUSE_S)
            libc.set_alarm(self.alarm, min(now + pause_s, self._ends_at))

    def _read_again(self) -> None:
        while True:
            self._wanted.acquire()
            self._ends_at = read_lease(self._path, self._boot_id) or self._ends_at


def _now() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)
