"""A task that is a Python function: its call and the place for its result, as open files.

Both lie where only the server's account can go. They are opened with our rights and inherited by the command,
which may run as any account: it can use these two, and reach nothing else there.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import Order

_SAFE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NOCTTY | os.O_NONBLOCK


class CallFiles(NamedTuple):
    call: int
    result: int

    def close(self) -> None:
        for descriptor in self:
            os.close(descriptor)

    def pass_on(self) -> dict[str, str]:
        """Let the command inherit them; the variables that tell it where they are."""
        for descriptor in self:
            os.set_inheritable(descriptor, True)
        return {"DANLU_CALL_FD": str(self.call), "DANLU_RESULT_FD": str(self.result)}


def open_call(order: Order) -> CallFiles | None:
    """None when the task is a plain command."""
    call, result = order.get("call_path"), order.get("result_path")
    if call is None or result is None:
        return None
    return CallFiles(_open(call, os.O_RDONLY), _open_result(result))


def _open_result(path: str) -> int:
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    except OSError as error:
        raise SetupProblem("launch_failed", f"{path}: {error.strerror}") from error
    return _open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)


def _open(path: str, how: int) -> int:
    try:
        fd = os.open(path, how | _SAFE, 0o600)
    except OSError as error:
        raise SetupProblem("launch_failed", f"{path}: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise SetupProblem("launch_failed", f"{path}: is not a file")
    os.set_blocking(fd, True)
    return fd
