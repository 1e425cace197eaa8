"""One cgroup per task, so that nothing of it escapes a kill: v2, the v1 freezer, or none at all.

Tasks' groups lie outside the service's own group, or a restart of the service would kill every job.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from danlu.agent.keeper.processes import signal_all

WRAPPERS = "wrappers"
"""The group of wrappers that were in a task's: in v2 a group with controllers below it holds no process."""

_FREEZE_S = 0.2
"""How long to wait for a group to freeze. What is stuck in the kernel freezes later, and dies as well."""


class Group(Protocol):
    mode: str
    path: str

    def create(self) -> None: ...

    def join(self) -> None:
        """Move the calling process into the group."""

    def leave(self) -> None:
        """Move the calling process out of it, to where no task is."""

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

    def leave(self) -> None:
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
            try:
                os.mkdir(self.path)
            except FileExistsError:
                return
            except FileNotFoundError:
                # The parent may be swept away again, empty as it is.
                with contextlib.suppress(FileNotFoundError):
                    os.makedirs(os.path.dirname(self.path), exist_ok=True)
            else:
                return
        raise FileNotFoundError(f"the group {self.path} cannot be made")

    def join(self) -> None:
        write_to_group(f"{self.path}/cgroup.procs", "0")

    def leave(self) -> None:
        # There it is always possible: who could make the group and join it may join what is around it.
        around = os.path.dirname(self.path)
        try:
            write_to_group(f"{around}/cgroup.procs", "0")
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            _join_beside(f"{around}/{WRAPPERS}")

    def pids(self) -> set[int]:
        found: set[int] = set()
        for folder in self._folders():
            with contextlib.suppress(OSError), open(f"{folder}/cgroup.procs") as file:
                found.update(int(line) for line in file)
        # 0 stands for a process of another pid namespace; as an argument of kill it would mean ourselves.
        return found - {0}

    def kill(self) -> None:
        try:
            write_to_group(f"{self.path}/cgroup.kill", "1")
        except OSError:
            # Kernels before 5.14 have no such file.
            signal_all(self.pids, signal.SIGKILL)

    def remove(self) -> bool:
        try:
            os.rmdir(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return self._remove_deeply()
        return True

    def _remove_deeply(self) -> bool:
        """The task may have made groups of its own below."""
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


def _join_beside(path: str) -> None:
    beside = UnifiedGroup(path)
    for _ in range(3):
        # The keeper removes it where it is empty.
        with contextlib.suppress(FileNotFoundError):
            beside.create()
            beside.join()
            return
    raise FileNotFoundError(f"the group {path} cannot be made")


class ControllerGroup(UnifiedGroup):
    """A group in the v1 hierarchy of one controller."""

    mode = "v1"

    def kill(self) -> None:
        signal_all(self.pids, signal.SIGKILL)


class FreezerGroup(ControllerGroup):
    """A group of the v1 freezer: what is frozen cannot fork away from the kill."""

    def kill(self) -> None:
        state = f"{self.path}/freezer.state"
        with contextlib.suppress(OSError):
            write_to_group(state, "FROZEN")
            deadline = time.monotonic() + _FREEZE_S
            while not _is_frozen(state) and time.monotonic() < deadline:
                time.sleep(0.001)
        signal_all(self.pids, signal.SIGKILL)
        with contextlib.suppress(OSError):
            write_to_group(state, "THAWED")


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
        """Remove empty groups of tasks that the keeper no longer knows, and the parent when it is empty."""
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
        for place in hierarchy_places(candidate, "freezer"):
            grounds = Grounds(candidate, f"{place}/danlu-{label}")
            group = group_at(candidate, grounds.path_for(f"try-{os.getpid()}"))
            if try_in_group(group, lambda: True, (grounds.parent,)):
                return grounds
    raise CgroupsUnavailable(f"no group can be made for the cgroup mode {mode!r} on this machine")


def hierarchy_places(mode: str, controller: str) -> Iterator[str]:
    """The root of the hierarchy (v2 has but one, v1 one for this controller), then each folder down to our
    own group: who is not root may own one of them."""
    mount = _mount_point(mode, controller)
    if mount is None:
        return
    yield mount
    place = mount
    for part in filter(None, _own_group(mode, controller).split("/")):
        place = f"{place}/{part}"
        yield place


def _mount_point(mode: str, controller: str) -> str | None:
    with open("/proc/self/mountinfo") as file:
        for line in file:
            front, _, back = line.partition(" - ")
            kind, _, options = back.split()[:3]
            if mode == "v2" and kind == "cgroup2":
                return front.split()[4]
            if mode == "v1" and kind == "cgroup" and controller in options.split(","):
                return front.split()[4]
    return None


def _own_group(mode: str, controller: str) -> str:
    with open("/proc/self/cgroup") as file:
        for line in file:
            number, controllers, path = line.rstrip("\n").split(":", 2)
            if number == "0" if mode == "v2" else controller in controllers.split(","):
                return path
    return ""


def try_in_group(group: Group, trial: Callable[[], bool], parents: tuple[str, ...]) -> bool:
    """Whether a process can really be put into a group there, and `trial` then comes true in it: try it."""
    try:
        group.create()
        child = os.fork()
        if child == 0:
            _join_and_exit(group, trial)
        return os.waitpid(child, 0)[1] == 0
    except OSError:
        return False
    finally:
        group.remove()
        for parent in parents:
            with contextlib.suppress(OSError):
                os.rmdir(parent)


def _join_and_exit(group: Group, trial: Callable[[], bool]) -> None:
    status = 1
    try:
        group.join()
        status = 0 if trial() else 1
    finally:
        os._exit(status)


def _is_frozen(state: str) -> bool:
    with open(state) as file:
        return file.read().strip() == "FROZEN"


def write_to_group(path: str, *lines: str) -> None:
    """Each line is a write of its own, as the kernel wants it."""
    # Never O_CREAT: a group that is gone must be an error, not a new file.
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        for line in lines:
            os.write(fd, line.encode())
    finally:
        os.close(fd)
