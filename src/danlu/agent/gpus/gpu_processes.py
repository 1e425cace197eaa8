"""Who the processes on a GPU are: their owner, their command, and the task that they belong to."""

from __future__ import annotations

import contextlib
import pwd
import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from danlu.core.nodes.node import GpuProcess
from danlu.core.task import TaskKey

_FIRST_PID_NAMESPACE = "pid:[4026531836]"
"""Who lives in it sees every process there is. The number is the same on every Linux."""

_LONGEST_LINEAGE = 1_000


class TaskFinder:
    """Finds the task of a process: by its cgroup, or else by the wrapper that it descends from.

    Neither can be forged: a user may write what they like into their environment, but they cannot get into
    the group of another user's task, nor below its wrapper.
    """

    def __init__(self, folder: Path, label: str) -> None:
        self._tasks = folder / "tasks"
        self._group = re.compile(rf"/danlu-{re.escape(label)}/(\d+-\d+-\d+)(?:/|$)", re.MULTILINE)

    def find(self, pid: int, living: Collection[TaskKey]) -> TaskKey | None:
        """The living task that this process is of; None for a stranger."""
        for found in self._group.findall(_read(pid, "cgroup")):
            key = TaskKey.parse(found)
            if key in living:
                return key
        return self._find_by_wrapper(pid, living)

    def _find_by_wrapper(self, pid: int, living: Collection[TaskKey]) -> TaskKey | None:
        wrappers = {wrapper: key for key in living if (wrapper := self._wrapper_of(key)) is not None}
        for _ in range(_LONGEST_LINEAGE):
            if pid in wrappers:
                return wrappers[pid]
            if (parent := _parent(pid)) is None or parent <= 1:
                break
            pid = parent
        return None

    def _wrapper_of(self, key: TaskKey) -> int | None:
        with contextlib.suppress(OSError, IndexError, ValueError):
            return int(str((self._tasks / f"{key}.claim").readlink()).split()[1])
        return None


def identify(
    processes: Iterable[GpuProcess], tasks: TaskFinder, living: Collection[TaskKey]
) -> tuple[GpuProcess, ...]:
    """The processes with their names. One that has ended is left out, though the driver may not know yet."""
    found = []
    for process in processes:
        status = _status(process.pid)
        if status is None or _is_over(status):
            if not _sees_all_processes():
                # It lives in another container, or outside of ours.
                found.append(process)
            continue
        key = tasks.find(process.pid, living)
        found.append(
            replace(
                process,
                user=_name_of(int(status["Uid"].split()[1])),
                command=status["Name"],
                job_id=None if key is None else key.job,
            )
        )
    return tuple(found)


def _status(pid: int) -> dict[str, str] | None:
    """/proc/PID/status; None when there is no such process. (The owner of the folder /proc/PID itself is
    root for processes that may not be traced.)"""
    text = _read(pid, "status") if pid > 0 else ""
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    return fields if {"Name", "State", "Uid"} <= set(fields) else None


def _is_over(status: dict[str, str]) -> bool:
    """Dead and not yet reaped. (A process whose first thread has ended looks the same, but has others.)"""
    return status["State"].startswith(("Z", "X")) and status.get("Threads") == "1"


def _parent(pid: int) -> int | None:
    status = _status(pid)
    return int(status["PPid"]) if status is not None and "PPid" in status else None


@lru_cache(maxsize=1)
def _sees_all_processes() -> bool:
    with contextlib.suppress(OSError):
        return str(Path("/proc/self/ns/pid").readlink()) == _FIRST_PID_NAMESPACE
    return False


@lru_cache(maxsize=1024)
def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    except OSError:
        return ""
