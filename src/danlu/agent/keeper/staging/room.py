"""Room on the disk that staged data lie on: a copy must not make it too full, and unused copies go.

The copies of all accounts are on that disk, so this is done with the keeper's rights; but what belongs to an
account is touched only with that account's.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.isolation.process_rights import become
from danlu.agent.keeper.staging.copies import LOCK, numbers_of, remove_copy, remove_leftovers

_PATIENCE_S = 60.0
"""To remove a large copy takes its time."""


class Room(NamedTuple):
    """What a disk has, and how full it may become."""

    used_bytes: int
    free_bytes: int
    percent: int

    @property
    def left_bytes(self) -> int:
        """What may still be put there."""
        return max(0, min(self.free_bytes, self.most_bytes - self.used_bytes))

    @property
    def most_bytes(self) -> int:
        """What may be on it altogether."""
        return (self.used_bytes + self.free_bytes) * self.percent // 100


def room_on(folder: str, percent: int) -> Room:
    disk = os.statvfs(folder)
    used, free = disk.f_blocks - disk.f_bfree, disk.f_bavail
    return Room(used * disk.f_frsize, free * disk.f_frsize, percent)


class _Copy(NamedTuple):
    last_used_at: float
    folder: str
    number: int
    uid: int
    gid: int


def make_room(root: str, wanted_bytes: int, percent: int) -> None:
    """Remove copies that no task uses, those first that were not used for longest, until there is room. None
    goes for what would never fit."""
    if wanted_bytes > room_on(root, percent).most_bytes:
        return
    for home in _homes(root):
        if room_on(root, percent).left_bytes >= wanted_bytes:
            return
        owner = home.stat(follow_symlinks=False)
        _as_owner(owner.st_uid, owner.st_gid, partial(_clear, home.path))
    for copy in sorted(_copies(root)):
        if room_on(root, percent).left_bytes >= wanted_bytes:
            return
        _as_owner(copy.uid, copy.gid, partial(remove_copy, copy.folder, copy.number))


def _as_owner(uid: int, gid: int, act: Callable[[], object]) -> None:
    """Do something with the rights of an account, in a process of its own. The account can hold up only that
    process, which is given only so long."""
    pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                become(uid, gid, ())
            act()
        except BaseException:
            complain()
        finally:
            os._exit(0)
    _await_end(pid)


def _await_end(pid: int) -> None:
    end = os.pidfd_open(pid)
    try:
        if not select.select([end], [], [], _PATIENCE_S)[0]:
            os.kill(pid, signal.SIGKILL)
    finally:
        os.close(end)
    os.waitpid(pid, 0)


def _homes(root: str) -> list[os.DirEntry[str]]:
    with os.scandir(root) as found:
        return sorted((each for each in found if _is_folder(each)), key=lambda each: each.name)


def _clear(home: str) -> None:
    for entry in _entries(home):
        remove_leftovers(entry)


def _copies(root: str) -> list[_Copy]:
    found: list[_Copy] = []
    for home in _homes(root):
        owner = home.stat(follow_symlinks=False)
        for folder in _entries(home.path):
            with contextlib.suppress(OSError):
                for number in numbers_of(folder):
                    used_at = _last_used_at(f"{folder}/{number}/{LOCK}")
                    found.append(_Copy(used_at, folder, number, owner.st_uid, owner.st_gid))
    return found


def _last_used_at(lock: str) -> float:
    try:
        return os.lstat(lock).st_mtime
    except OSError:
        # Without it no task can use the copy any more.
        return 0.0


def _entries(home: str) -> list[str]:
    try:
        with os.scandir(home) as found:
            return sorted(each.path for each in found if _is_folder(each))
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
