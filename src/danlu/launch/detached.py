"""Processes that outlive the one that started them. Each holds a lock file with its number in it: a process
that finds it locked knows that the holder lives, and which one it is."""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

AGENT_LOCK = "agent.lock"
MESSAGES_LOCK = "messages.lock"
LARGEST_LOG = 10_000_000
_SIGN_AND_RUN = 'printf "%s\\n%s\\n" "$$" "$1" > "$0"; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class LockHolder:
    """`stamp` is what it said of itself when it began. `pid` 0: it has begun and not said yet who it is."""

    pid: int
    stamp: str


class LockTaken(Exception):
    """Another process has the lock."""


def take_lock(path: Path) -> int:
    """A descriptor that holds the lock as long as it, or a copy in another process, is open. Raises
    LockTaken."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise LockTaken(str(path)) from None
    # The process that held it before is gone, and must not be taken for the new one.
    os.truncate(descriptor, 0)
    return descriptor


def sign_lock(descriptor: int, pid: int, stamp: str = "") -> None:
    os.pwrite(descriptor, f"{pid}\n{stamp}\n".encode(), 0)


def find_holder(path: Path) -> LockHolder | None:
    """Which process holds the lock; None when none does."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        lines = os.pread(descriptor, 4096, 0).decode(errors="replace").splitlines()
        return LockHolder(int(lines[0]), lines[1] if len(lines) > 1 else "") if lines else LockHolder(0, "")
    else:
        return None
    finally:
        os.close(descriptor)


def is_signed(holder: LockHolder | None) -> bool:
    return holder is not None and holder.pid > 0


def start_holding(
    argv: Sequence[str], log: Path, environment: Mapping[str, str], lock: int, stamp: str
) -> subprocess.Popen[bytes]:
    """Start a program that knows nothing of locks, so that it holds this one from its first moment on."""
    # It signs by itself: its starter may be killed at any moment, and it would not be found again.
    signing = ["/bin/sh", "-c", _SIGN_AND_RUN, f"/proc/self/fd/{lock}", stamp, *argv]
    return start_detached(signing, log, environment, lock)


def start_detached(
    argv: Sequence[str], log: Path, environment: Mapping[str, str], lock: int | None = None
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own. With `lock` it has that open as well."""
    with suppress(FileNotFoundError):
        if log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_name(f"{log.name}.1"))
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd="/",
            env=dict(environment),
            start_new_session=True,
            pass_fds=() if lock is None else (lock,),
        )
    finally:
        os.close(out)


def fit_to_inherit(environment: Mapping[str, str]) -> dict[str, str]:
    """What a process of ours may know that jobs of the same account could look into: none of our settings,
    which may have passwords in them."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith("DANLU_") or name == "DANLU_LANG"
    }


async def wait_for_end(holder: LockHolder, lock: Path) -> None:
    """Return when the process has ended, also one that is no child of ours."""
    try:
        descriptor = os.pidfd_open(holder.pid)
    except OSError:
        return
    try:
        # Between finding and opening, its number may have become another's.
        if find_holder(lock) != holder:
            return
        await _readable(descriptor)
    finally:
        os.close(descriptor)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)


def stop_holder(lock: Path, patience_s: float = 15.0) -> bool:
    """Ask the process that holds the lock to end, and see to it; False when none held it. Blocks."""
    holder = find_holder(lock)
    if holder is None:
        return False
    try:
        descriptor = os.pidfd_open(holder.pid)
    except OSError:
        # It has not said who it is, or has just ended.
        return False
    try:
        if find_holder(lock) != holder:
            return False
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        for number, seconds in ((signal.SIGTERM, patience_s), (signal.SIGKILL, 10.0)):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, number)
            if ended.poll(seconds * 1000):
                break
    finally:
        os.close(descriptor)
    return True
