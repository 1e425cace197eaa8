"""Keeping a task from GPUs that are not its own: a device cgroup around it, where the kernel lets us.

Only NVIDIA's own device files are closed, and of those only the ones of single GPUs: what all of them need
(nvidiactl, nvidia-modeset, nvidia-uvm) stays open.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Collection

from danlu.agent.keeper import libc
from danlu.agent.keeper.isolation.cgroups import (
    ControllerGroup,
    Grounds,
    Group,
    NoGroup,
    group_at,
    hierarchy_places,
    try_in_group,
    write_to_group,
)
from danlu.agent.keeper.isolation.guarded_group import GuardedGroup, Guarding

NVIDIA = 195
_LAST_GPU = 247
"""NVIDIA's minor numbers up to here are GPUs; the few above belong to all of them."""

_LAST_GPU_V1 = 63
"""In a v1 group each closed device is an entry of its own, and no machine has more GPUs than this."""

_TRIAL = 1
"""The device files of memory, /dev/null among them: what we keep ourselves from, to see if it works."""

_MKNOD_READ_WRITE = "rwm"
_CHARACTER_DEVICE = 2

_LOAD_WORD = 0x61
_AND = 0x57
_JUMP_IF_EQUAL = 0x15
_JUMP_IF_ABOVE = 0x25
_JUMP_UNLESS_EQUAL = 0x55
_SET = 0xB7
_EXIT = 0x95


def assemble(major: int, open_minors: Collection[int]) -> bytes:
    """A BPF program that refuses every GPU of `major` but these, and nothing else.

    The kernel hands it (access << 16 | type, major, minor), three words at r1; what it leaves in r0 is the
    answer, 1 for yes.
    """
    minors = sorted(open_minors)
    yes = 9 + len(minors)
    return b"".join(
        [
            _instruction(_LOAD_WORD, 2, source=1, offset=0),
            _instruction(_AND, 2, value=0xFFFF),
            _instruction(_JUMP_UNLESS_EQUAL, 2, value=_CHARACTER_DEVICE, offset=yes - 3),
            _instruction(_LOAD_WORD, 2, source=1, offset=4),
            _instruction(_JUMP_UNLESS_EQUAL, 2, value=major, offset=yes - 5),
            _instruction(_LOAD_WORD, 2, source=1, offset=8),
            _instruction(_JUMP_IF_ABOVE, 2, value=_LAST_GPU, offset=yes - 7),
            *(
                _instruction(_JUMP_IF_EQUAL, 2, value=minor, offset=yes - 8 - place)
                for place, minor in enumerate(minors)
            ),
            _instruction(_SET, 0, value=0),
            _instruction(_EXIT),
            _instruction(_SET, 0, value=1),
            _instruction(_EXIT),
        ]
    )


def _instruction(code: int, register: int = 0, *, source: int = 0, offset: int = 0, value: int = 0) -> bytes:
    return struct.pack("<BBhi", code, source << 4 | register, offset, value)


class ProgramGuard(NoGroup):
    """A BPF program at the task's own v2 group. It goes with the group."""

    mode = "v2"

    def __init__(self, path: str, major: int, open_minors: Collection[int]) -> None:
        self.path = path
        self._program = assemble(major, open_minors)

    def create(self) -> None:
        folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            program = libc.load_device_program(self._program)
            try:
                libc.attach_device_program(folder, program)
            finally:
                os.close(program)
        finally:
            os.close(folder)


class ListGuard(ControllerGroup):
    """A group of its own in the v1 hierarchy of devices."""

    def __init__(self, path: str, major: int, open_minors: Collection[int]) -> None:
        super().__init__(path)
        self._denied = [
            f"c {major}:{minor} {_MKNOD_READ_WRITE}"
            for minor in range(_LAST_GPU_V1 + 1)
            if minor not in open_minors
        ]

    def create(self) -> None:
        super().create()
        write_to_group(f"{self.path}/devices.deny", *self._denied)


def guard_at(mode: str, path: str, major: int, open_minors: Collection[int]) -> Group:
    match mode:
        case "v2":
            return ProgramGuard(path, major, open_minors)
        case "v1":
            return ListGuard(path, major, open_minors)
        case _:
            return NoGroup()


def choose_guarding(grounds: Grounds, label: str) -> Guarding:
    """The first guard that really keeps a process from a device here."""
    if grounds.mode == "v2" and _works(grounds, Guarding("v2", grounds.parent)):
        return Guarding("v2", grounds.parent)
    for place in hierarchy_places("v1", "devices"):
        guarding = Guarding("v1", f"{place}/danlu-{label}")
        if _works(grounds, guarding):
            return guarding
    return Guarding("", "")


def _works(grounds: Grounds, guarding: Guarding) -> bool:
    """Try it, on a device that every account may open otherwise."""
    name = f"try-{os.getpid()}"
    guard = guard_at(guarding.mode, guarding.path_for(name), _TRIAL, ())
    group = GuardedGroup(group_at(grounds.mode, grounds.path_for(name)), guard)
    return try_in_group(group, _is_kept_from_null, (grounds.parent, guarding.parent))


def _is_kept_from_null() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except PermissionError:
        return True
    return False
