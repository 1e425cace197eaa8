"""The copies that an account has on this machine, each for a path; jobs that stage the same share one.

    ACCOUNT/ENTRY/lock           held while a task makes a copy
    ACCOUNT/ENTRY/.new           a copy that is being made; without that lock, what is left of one
    ACCOUNT/ENTRY/N/lock         held, shared, by every job that uses this copy; as old as the last start
    ACCOUNT/ENTRY/N/copy/NAME    the copy itself

A copy never changes once it has its number: when the original has changed, the next one is made, and files
that are the same are shared with it. All of this is done with the account's own rights.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Callable
from typing import NamedTuple

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.staging.tree import Survey, make_copy, remove_tree, survey

LOCK = "lock"
_NEW = ".new"
_GONE = ".gone"
_STEP_BYTES = 64 << 20
_SMALLEST_ON_DISK = 4096
_CREATE = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Staged(NamedTuple):
    """A copy that is there, and stays as long as `lock` is open."""

    name: str
    path: str
    lock: int


class Speaker(NamedTuple):
    """Who is told, and asked, on the way."""

    begin: Callable[[Survey], None]
    """Told what there is to copy, if anything."""
    wait: Callable[[], None]
    """Told that another task is copying."""
    make_room: Callable[[int], None]
    """Asked for so many bytes of the disk. Raises SetupProblem."""


def stage_one(home: str, entry: str, source: str, speaker: Speaker) -> tuple[Staged, Survey]:
    """Have a copy of `source` in the account's folder. Raises OSError, SetupProblem."""
    kind = os.stat(source).st_mode
    original = os.path.realpath(source, strict=True)
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise SetupProblem("stage_failed", f"{source}: is neither a file nor a folder")
    name = os.path.basename(source)
    folder = f"{home}/{entry}"
    os.makedirs(folder, 0o700, exist_ok=True)
    building = _lock_entry(folder, speaker)
    try:
        _sweep(folder)
        current = _take_current(folder, name)
        found = survey(original, current.path if current else None)
        if current is None or not found.is_same:
            speaker.begin(found)
            speaker.make_room(found.new_bytes)
            current = _renew(folder, name, original, current, _Meter(found.new_bytes, speaker.make_room))
        os.utime(current.lock)
        return current, found
    finally:
        os.close(building)


def numbers_of(folder: str) -> list[int]:
    """The copies of an entry, the oldest first."""
    return sorted(int(each) for each in os.listdir(folder) if each.isascii() and each.isdigit())


def remove_copy(folder: str, number: int) -> bool:
    """Remove a copy that no task uses; False when one does."""
    path = f"{folder}/{number}"
    gone = f"{folder}/{_GONE}-{number}-{os.getpid()}-{time.monotonic_ns()}"
    try:
        lock = os.open(f"{path}/{LOCK}", os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        # Its lock was removed: no task can come to use the copy any more.
        lock = -1
    except OSError:
        return False
    try:
        if lock >= 0:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(path, gone)
    except OSError:
        return False
    finally:
        if lock >= 0:
            os.close(lock)
    remove_tree(gone)
    return True


def remove_leftovers(folder: str) -> None:
    """What dead jobs have left of copies that they were making or removing, unless a task makes one now."""
    with contextlib.suppress(OSError):
        lock = os.open(f"{folder}/{LOCK}", _CREATE, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _sweep(folder)
        finally:
            os.close(lock)


def _lock_entry(folder: str, speaker: Speaker) -> int:
    lock = os.open(f"{folder}/{LOCK}", _CREATE, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        speaker.wait()
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _sweep(folder: str) -> None:
    for name in os.listdir(folder):
        if name.startswith((_NEW, _GONE)):
            remove_tree(f"{folder}/{name}")


def _take_current(folder: str, name: str) -> Staged | None:
    """The last copy, held from now on."""
    for number in reversed(numbers_of(folder)):
        path = f"{folder}/{number}"
        try:
            lock = os.open(f"{path}/{LOCK}", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if os.path.samestat(os.fstat(lock), os.stat(f"{path}/{LOCK}", follow_symlinks=False)):
                return Staged(name, f"{path}/copy/{name}", lock)
        except FileNotFoundError:
            pass
        # It was removed between the two.
        os.close(lock)
    return None


class _Meter:
    """Asks for room again and again while a copy is made: others fill the disk meanwhile."""

    def __init__(self, whole_bytes: int, make_room: Callable[[int], None]) -> None:
        self._left_bytes = whole_bytes
        self._make_room = make_room
        self._since_bytes = 0

    def __call__(self, wrote_bytes: int) -> None:
        self._left_bytes -= wrote_bytes
        self._since_bytes += max(wrote_bytes, _SMALLEST_ON_DISK)
        if self._since_bytes >= _STEP_BYTES:
            self._since_bytes = 0
            self._make_room(max(0, min(_STEP_BYTES, self._left_bytes)))


def _renew(folder: str, name: str, original: str, current: Staged | None, meter: _Meter) -> Staged:
    new, numbers = f"{folder}/{_NEW}", numbers_of(folder)
    try:
        os.makedirs(f"{new}/copy", 0o700)
        lock = os.open(f"{new}/{LOCK}", _CREATE, 0o600)
        fcntl.flock(lock, fcntl.LOCK_SH)
        make_copy(original, f"{new}/copy/{name}", current.path if current else None, meter)
    except (OSError, SetupProblem):
        remove_tree(new)
        raise
    path = f"{folder}/{max(numbers, default=0) + 1}"
    os.rename(new, path)
    if current is not None:
        os.close(current.lock)
    for number in numbers:
        # A task that still uses one goes on with it.
        remove_copy(folder, number)
    return Staged(name, f"{path}/copy/{name}", lock)
