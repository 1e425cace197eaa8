"""What the kernel says of a task's memory: how much it had at most, and whether it was killed for it."""

from __future__ import annotations

import contextlib
import os

from danlu.agent.keeper.isolation.cgroups import write_to_group
from danlu.agent.keeper.spec import Spec

_FILES = {
    "v2": ("memory.events", "memory.peak"),
    "v1": ("memory.oom_control", "memory.max_usage_in_bytes"),
}
"""The file with the number of kills, and that with the peak in bytes. Old kernels have no `memory.peak`."""


class MemoryWatch:
    """`look` while the task's group is there; the last look is remembered."""

    def __init__(self, mode: str, path: str) -> None:
        self.kills = 0
        self.peak_mb = 0
        self._mode = mode
        self._path = path

    def look(self) -> None:
        if not self._mode:
            return
        events, peak = _FILES[self._mode]
        with contextlib.suppress(OSError, ValueError):
            self.kills = max(self.kills, _field(_read(f"{self._path}/{events}"), "oom_kill"))
        with contextlib.suppress(OSError, ValueError):
            self.peak_mb = max(self.peak_mb, -(-int(_read(f"{self._path}/{peak}")) >> 20))

    def open_alarm(self) -> int | None:
        """A descriptor that can be read once memory has run out; only in v1, where the kernel kills one
        process alone. In v2 it ends the whole task by itself."""
        if self._mode != "v1":
            return None
        alarm = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        try:
            control = os.open(f"{self._path}/memory.oom_control", os.O_RDONLY | os.O_CLOEXEC)
            try:
                write_to_group(f"{self._path}/cgroup.event_control", f"{alarm} {control}")
            finally:
                os.close(control)
        except OSError:
            os.close(alarm)
            return None
        return alarm


def watch_memory(spec: Spec) -> MemoryWatch:
    return MemoryWatch(spec.get("memory_mode", ""), spec.get("memory_path", ""))


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


def _field(text: str, name: str) -> int:
    return next(int(words[1]) for line in text.splitlines() if (words := line.split())[:1] == [name])
