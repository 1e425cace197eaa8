"""Touching files with the rights of an account, in this thread alone.

The kernel has the rights to files, and the groups, by thread. The C library sets the groups of all threads at
once, so that call is made without it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator, Sequence

from danlu.agent.keeper.spec import AccountSpec

_SETGROUPS = {"x86_64": 116, "aarch64": 159, "riscv64": 159, "ppc64le": 81}.get(os.uname().machine)
_ASK = -1
"""For a uid that there is none of, the kernel changes nothing and answers with the present one."""

_libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def acting_as(account: AccountSpec | None) -> Iterator[None]:
    """Whatever is opened in this block is opened by that account (None: by ourselves). Only for root."""
    if account is None:
        yield
        return
    before = os.getgroups()
    try:
        _set_groups(account["groups"])
        _take(account["uid"], account["gid"])
        yield
    finally:
        _take(os.geteuid(), os.getegid())
        _set_groups(before)


def _take(uid: int, gid: int) -> None:
    _libc.setfsgid(gid)
    _libc.setfsuid(uid)
    if (_libc.setfsuid(_ASK), _libc.setfsgid(_ASK)) != (uid, gid):
        raise PermissionError(f"the rights of uid {uid} cannot be taken")


def _set_groups(groups: Sequence[int]) -> None:
    if _SETGROUPS is None:
        raise PermissionError("the groups of one thread cannot be set on this kind of machine")
    numbers = (ctypes.c_uint32 * len(groups))(*groups)
    if _libc.syscall(_SETGROUPS, len(groups), numbers) < 0:
        raise PermissionError(ctypes.get_errno(), "the groups of the account cannot be taken")
