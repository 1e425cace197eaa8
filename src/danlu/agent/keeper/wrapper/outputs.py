"""Where a task's output goes."""

from __future__ import annotations

import os
import stat
from typing import NoReturn

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import AccountSpec, Order, OutputStart, Places

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY
_REASON = "output_unwritable"


def open_log(path: str, account: AccountSpec | None) -> int:
    """Danlu's own log of the task, in Danlu's own area: opened with our rights, given to the account."""
    try:
        os.makedirs(os.path.dirname(path), 0o711, exist_ok=True)
        fd = os.open(path, _APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            _refuse(path, "is not a file")
        if account is not None:
            os.fchown(fd, account["uid"], account["gid"])
        os.set_blocking(fd, True)
    except OSError as error:
        _refuse(path, error.strerror or str(error))
    return fd


def open_outputs(order: Order, log: int) -> tuple[int, int]:
    """(stdout, stderr) of the task, opened with the account's rights, relative to the current directory.

    One file for both is one open file, so that neither overwrites the other.
    """
    stdout = log if order["stdout"] is None else _open(order["stdout"])
    if order["stderr"] is None:
        return stdout, stdout
    stderr = _open(order["stderr"])
    return (stdout, stdout) if os.path.samestat(os.fstat(stdout), os.fstat(stderr)) else (stdout, stderr)


def places_of(order: Order, stdout: int, stderr: int) -> Places:
    """Where what the task writes begins in files that may have something in them already."""
    named = {"stdout": stdout} if order["stdout"] is not None else {}
    if order["stderr"] is not None:
        named["stderr"] = stderr
    return {stream: _place(fd) for stream, fd in named.items() if stat.S_ISREG(os.fstat(fd).st_mode)}


def _place(fd: int) -> OutputStart:
    facts = os.fstat(fd)
    return {"inode": facts.st_ino, "filesystem": f"{os.fstatvfs(fd).f_fsid:x}", "offset": facts.st_size}


def _open(path: str) -> int:
    try:
        # Without O_NONBLOCK a FIFO without a reader would hold the task for ever.
        fd = os.open(path, _APPEND | os.O_NONBLOCK, 0o666)
    except OSError as error:
        _refuse(path, error.strerror or str(error))
    if stat.S_ISFIFO(os.fstat(fd).st_mode):
        _refuse(path, "is a FIFO")
    os.set_blocking(fd, True)
    return fd


def _refuse(path: str, why: str) -> NoReturn:
    raise SetupProblem(_REASON, f"{path}: {why}")
