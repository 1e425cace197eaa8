"""Becoming another account: the one place where a process gives up root's rights, for good.

What one thread opens with an account's rights, for a moment, is in `agent/files/file_rights.py`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence


def become(uid: int, gid: int, groups: Sequence[int]) -> None:
    """Have this account's rights alone: real, effective and saved, so that there is no way back. Only for
    root."""
    # The groups first: who is no longer root cannot change them.
    os.setgroups(groups)
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
