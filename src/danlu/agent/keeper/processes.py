"""Processes as /proc shows them. A process is identified by pid, start time and boot, never by a bare pid."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SIGNALLED_AT_ONCE = 256
"""How many pidfds are held at a time; well below any limit of open files."""


class Process(NamedTuple):
    pid: int
    started: int
    """Clock ticks after boot: tells a process from a later one with the same pid."""


def boot_id() -> str:
    with open("/proc/sys/kernel/random/boot_id") as file:
        return file.read().strip()


def myself() -> Process:
    process = find(os.getpid())
    if process is None:
        raise RuntimeError("/proc does not show this process: is it mounted?")
    return process


def find(pid: int) -> Process | None:
    """The living process with this pid. A zombie is dead: init may reap late."""
    fields = _stat(pid)
    if fields is None or fields[0] in (b"Z", b"X"):
        return None
    return Process(pid, int(fields[19]))


def is_alive(process: Process) -> bool:
    return find(process.pid) == process


def open_pidfd(process: Process) -> int | None:
    """A pidfd of exactly this process, or None when it is gone."""
    try:
        fd = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return None
    try:
        is_gone = not is_alive(process)
    except OSError:
        os.close(fd)
        raise
    if is_gone:
        os.close(fd)
        return None
    return fd


def descendants(ancestor: int) -> set[int]:
    """Every process below `ancestor`. Complete when it is a subreaper."""
    children: dict[int, list[int]] = {}
    for pid in _pids():
        fields = _stat(pid)
        if fields is not None:
            children.setdefault(int(fields[1]), []).append(pid)
    found: set[int] = set()
    front = [ancestor]
    while front:
        below = children.get(front.pop(), [])
        front.extend(below)
        found.update(below)
    return found


def carrying(markers: dict[str, str]) -> dict[str, set[int]]:
    """For each name, the processes that were started with its marker ("NAME=value") in their environment."""
    found: dict[str, set[int]] = {name: set() for name in markers}
    name_of = {marker.encode(): name for name, marker in markers.items()}
    prefixes = {marker.partition(b"=")[0] + b"=" for marker in name_of}
    for pid in _pids():
        environment = _read(f"/proc/{pid}/environ")
        if not any(prefix in environment for prefix in prefixes):
            continue
        for variable in environment.split(b"\0"):
            if variable in name_of:
                found[name_of[variable]].add(pid)
    return found


def signal_all(list_members: Callable[[], set[int]], *signals: int) -> None:
    """Send the signals to every member.

    Pids are pinned with pidfds and the list is read again before a signal is sent, so that a pid
    that changed hands in between is never hit.
    """
    remaining = list(list_members())
    while remaining:
        batch, remaining = remaining[:_SIGNALLED_AT_ONCE], remaining[_SIGNALLED_AT_ONCE:]
        pinned = dict(_pin(batch))
        members = list_members()
        for pid, fd in pinned.items():
            if pid in members:
                _signal(fd, signals)
            os.close(fd)


def _pin(pids: list[int]) -> Iterator[tuple[int, int]]:
    for pid in pids:
        try:
            yield pid, os.pidfd_open(pid)
        except OSError:
            continue


def _signal(pidfd: int, signals: tuple[int, ...]) -> None:
    for number in signals:
        try:
            signal.pidfd_send_signal(pidfd, number)
        except OSError:
            return


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit())


def _stat(pid: int) -> list[bytes] | None:
    """The fields behind the command's name: state, parent, … None when there is no such process."""
    text = _read(f"/proc/{pid}/stat")
    return text[text.rindex(b")") + 2 :].split() if text else None


def _read(path: str) -> bytes:
    """The whole file, or nothing when the process is gone or not ours to look at."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        # And nothing else: a keeper that cannot open a file must not take every process for dead.
        return b""
    try:
        parts = []
        while part := os.read(fd, 65536):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)
