"""One cgroup per task, so that nothing of it escapes a kill: v2, the v1 freezer, or none at all.

Tasks' groups lie outside the service's own group, or a restart of the service would kill every job.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from danlu.agent.keeper.processes import signal_all

_FREEZE_S = 0.2
"""How long to wait for a group to freeze. What is stuck in the kernel freezes later, and dies as well."""


class Group(Protocol):
    mode: str
    path: str

    def create(self) -> None: ...

    def join(self) -> None:
        """Move the calling process into the group."""

    def pids(self) -> set[int]:
        """Every process in the group and in groups below it."""

    def kill(self) -> None:
        """SIGKILL to all. One round: the caller looks whether anything is left."""

    def remove(self) -> bool:
        """Remove the group; False while a process lives in it."""


class NoGroup:
    """Where no cgroup can be made: the wrapper's own descendants are all there is to know."""

    mode = "none"
    path = ""

    def create(self) -> None:
        return

    def join(self) -> None:
        return

    def pids(self) -> set[int]:
        return set()

    def kill(self) -> None:
        return

    def remove(self) -> bool:
        return True


class UnifiedGroup:
    """A cgroup v2 group. Needs no controllers."""

    mode = "v2"

    def __init__(self, path: str) -> None:
        self.path = path

    def create(self) -> None:
        for _ in range(3):
            # The parent may be swept away, empty as it is, between its making and ours.
            with contextlib.suppress(FileNotFoundError):
                os.makedirs(self.path, exist_ok=True)
                return
        raise FileNotFoundError(f"the group {self.path} cannot be made")

    def join(self) -> None:
        _write(f"{self.path}/cgroup.procs", "0")

    def pids(self) -> set[int]:
        found: set[int] = set()
        for folder in self._folders():
            with contextlib.suppress(OSError), open(f"{folder}/cgroup.procs") as file:
                found.update(int(line) for line in file)
        # 0 stands for a process of another pid namespace; as an argument of kill it would mean ourselves.
        return found - {0}

    def kill(self) -> None:
        try:
            _write(f"{self.path}/cgroup.kill", "1")
        except OSError:
            # Kernels before 5.14 have no such file.
            signal_all(self.pids, signal.SIGKILL)

    def remove(self) -> bool:
        try:
            for folder in self._folders():
                os.rmdir(folder)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def _folders(self) -> Iterator[str]:
        """The group's folders, the deepest first."""
        return (folder for folder, _, _ in os.walk(self.path, topdown=False))


class FreezerGroup(UnifiedGroup):
    """A group of the v1 freezer: what is frozen cannot fork away from the kill."""

    mode = "v1"

    def kill(self) -> None:
        state = f"{self.path}/freezer.state"
        with contextlib.suppress(OSError):
            _write(state, "FROZEN")
            deadline = time.monotonic() + _FREEZE_S
            while not _is_frozen(state) and time.monotonic() < deadline:
                time.sleep(0.001)
        signal_all(self.pids, signal.SIGKILL)
        with contextlib.suppress(OSError):
            _write(state, "THAWED")


def group_at(mode: str, path: str) -> Group:
    """The group that a spec names."""
    match mode:
        case "v2":
            return UnifiedGroup(path)
        case "v1":
            return FreezerGroup(path)
        case _:
            return NoGroup()


class Grounds(NamedTuple):
    """Where the groups of this keeper's tasks are made."""

    mode: str
    parent: str

    def path_for(self, key: str) -> str:
        return f"{self.parent}/{key}" if self.parent else ""

    def sweep(self, wanted: set[str]) -> None:
        """Remove empty groups of tasks that nobody knows any more, and the parent when it is empty."""
        if not self.parent:
            return
        with contextlib.suppress(FileNotFoundError):
            for entry in os.scandir(self.parent):
                if entry.is_dir() and entry.name not in wanted:
                    group_at(self.mode, entry.path).remove()
        with contextlib.suppress(OSError):
            os.rmdir(self.parent)


class CgroupsUnavailable(Exception):
    """The mode that was asked for cannot be had here."""


def choose_grounds(mode: str, label: str) -> Grounds:
    """The first of v2, v1, none that really works here; or exactly `mode`, unless it is "auto"."""
    for candidate in ("v2", "v1", "none") if mode == "auto" else (mode,):
        if candidate == "none":
            return Grounds("none", "")
        for place in _places(candidate):
            parent = f"{place}/danlu-{label}"
            if _works(candidate, parent):
                return Grounds(candidate, parent)
    raise CgroupsUnavailable(f"no group can be made for the cgroup mode {mode!r} on this machine")


def _places(mode: str) -> Iterator[str]:
    """The hierarchy's root, then each folder down to our own group: who is not root may own one of them."""
    mount = _mount_point(mode)
    if mount is None:
        return
    yield mount
    place = mount
    for part in filter(None, _own_group(mode).split("/")):
        place = f"{place}/{part}"
        yield place


def _mount_point(mode: str) -> str | None:
    with open("/proc/self/mountinfo") as file:
        for line in file:
            front, _, back = line.partition(" - ")
            kind, _, options = back.split()[:3]
            if mode == "v2" and kind == "cgroup2":
                return front.split()[4]
            if mode == "v1" and kind == "cgroup" and "freezer" in options.split(","):
                return front.split()[4]
    return None


def _own_group(mode: str) -> str:
    with open("/proc/self/cgroup") as file:
        for line in file:
            number, controllers, path = line.rstrip("\n").split(":", 2)
            if number == "0" if mode == "v2" else "freezer" in controllers.split(","):
                return path
    return ""


def _works(mode: str, parent: str) -> bool:
    """Whether a process can really be put into a group there: try it."""
    group = group_at(mode, f"{parent}/try-{os.getpid()}")
    try:
        group.create()
        child = os.fork()
        if child == 0:
            _join_and_exit(group)
        return os.waitpid(child, 0)[1] == 0
    except OSError:
        return False
    finally:
        group.remove()
        with contextlib.suppress(OSError):
            os.rmdir(parent)


def _join_and_exit(group: Group) -> None:
    status = 1
    try:
        group.join()
        status = 0
    finally:
        os._exit(status)


def _is_frozen(state: str) -> bool:
    with open(state) as file:
        return file.read().strip() == "FROZEN"


def _write(path: str, text: str) -> None:
    # Never O_CREAT: a group that is gone must be an error, not a new file.
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
