"""The few system calls that Python does not offer. Loaded once, before anything is forked."""

from __future__ import annotations

import ctypes
import os

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_PR_SET_CHILD_SUBREAPER = 36
_IOPRIO_WHO_PROCESS = 1
_IOPRIO_CALLS = {"x86_64": (251, 252), "aarch64": (30, 31)}.get(os.uname().machine)
"""The numbers of ioprio_set and ioprio_get, which the C library does not wrap."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]


def adopt_orphans() -> None:
    """Orphaned descendants become children of this process instead of init's."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send `signal_number` when the parent dies. A change of uid forgets it again."""
    _prctl(_PR_SET_PDEATHSIG, signal_number)


def set_process_name(name: str) -> None:
    """Set what `ps` and `top` show (15 bytes)."""
    buffer = ctypes.create_string_buffer(name.encode()[:15])
    _prctl(_PR_SET_NAME, ctypes.addressof(buffer))


def io_priority() -> int:
    """The I/O priority of this process as the kernel writes it; 0 is the usual one."""
    return _libc.syscall(_IOPRIO_CALLS[1], _IOPRIO_WHO_PROCESS, 0) if _IOPRIO_CALLS else 0


def reset_io_priority() -> None:
    if _IOPRIO_CALLS:
        _libc.syscall(_IOPRIO_CALLS[0], _IOPRIO_WHO_PROCESS, 0, 0)


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}): {os.strerror(code)}")
