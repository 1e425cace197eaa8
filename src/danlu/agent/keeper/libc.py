"""The few system calls that Python does not offer. Loaded once, before anything is forked."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_PR_SET_CHILD_SUBREAPER = 36
_IOPRIO_WHO_PROCESS = 1
_IOPRIO_CALLS = {"x86_64": (251, 252), "aarch64": (30, 31)}.get(os.uname().machine)
"""The numbers of ioprio_set and ioprio_get, which the C library does not wrap."""

_IOPRIO_BEST_EFFORT, _IOPRIO_CLASS_SHIFT = 2, 13

_CLOCK_BOOTTIME = 7
_TFD_CLOEXEC = os.O_CLOEXEC
_TFD_TIMER_ABSTIME = 1

_BPF_CALL = {"x86_64": 321, "aarch64": 280}.get(os.uname().machine)
_BPF_PROG_LOAD, _BPF_PROG_ATTACH = 5, 8
_BPF_PROG_TYPE_CGROUP_DEVICE, _BPF_CGROUP_DEVICE, _BPF_F_ALLOW_MULTI = 15, 6, 2

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
    _set_io_priority(0)


def set_io_level(level: int) -> None:
    """A level of the best-effort class, from 0 (first) to 7 (last), which needs no rights; 4 is usual."""
    _set_io_priority(_IOPRIO_BEST_EFFORT << _IOPRIO_CLASS_SHIFT | level)


def _set_io_priority(priority: int) -> None:
    if _IOPRIO_CALLS:
        _libc.syscall(_IOPRIO_CALLS[0], _IOPRIO_WHO_PROCESS, 0, priority)


def make_alarm() -> int:
    """A descriptor that becomes readable when its time has come, by the clock that counts on while the
    machine sleeps: a sleep of ours does not."""
    return _checked(_libc.timerfd_create(_CLOCK_BOOTTIME, _TFD_CLOEXEC), "timerfd_create")


def set_alarm(alarm: int, at: float) -> None:
    """Have it ring at this time; not before, whatever was set."""
    seconds, fraction = divmod(max(at, 1e-9), 1)
    when = struct.pack("@llll", 0, 0, int(seconds), int(fraction * 1e9))
    _checked(_libc.timerfd_settime(alarm, _TFD_TIMER_ABSTIME, when, None), "timerfd_settime")


def load_device_program(code: bytes) -> int:
    """Give the kernel a BPF program that decides over device files; its descriptor."""
    instructions = ctypes.create_string_buffer(code, len(code))
    licence = ctypes.create_string_buffer(b"Apache-2.0")
    return _bpf(
        _BPF_PROG_LOAD,
        struct.pack(
            "<IIQQ",
            _BPF_PROG_TYPE_CGROUP_DEVICE,
            len(code) // 8,
            ctypes.addressof(instructions),
            ctypes.addressof(licence),
        ),
    )


def attach_device_program(group: int, program: int) -> None:
    """Have the program decide for everything in a v2 group (a descriptor of its folder), as long as the group
    is there. Whatever groups above say holds as well, and groups below may say more."""
    _bpf(_BPF_PROG_ATTACH, struct.pack("<IIII", group, program, _BPF_CGROUP_DEVICE, _BPF_F_ALLOW_MULTI))


def _bpf(command: int, attributes: bytes) -> int:
    if _BPF_CALL is None:
        raise OSError(errno.ENOSYS, "bpf: not known on this kind of machine")
    # What is left out must be zero: the kernel reads as much as it knows of.
    buffer = ctypes.create_string_buffer(attributes, 128)
    return _checked(_libc.syscall(_BPF_CALL, command, buffer, len(buffer)), f"bpf({command})")


def _prctl(option: int, value: int) -> None:
    _checked(_libc.prctl(option, value, 0, 0, 0), f"prctl({option})")


def _checked(result: int, call: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")
    return result
