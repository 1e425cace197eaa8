"""Accounts that this machine really has, and that no person works as: a node knows no others."""

from __future__ import annotations

import os
import pwd
from dataclasses import replace
from pathlib import Path

from danlu.control.identity.accounts import find_account
from danlu.core.task import UnixAccount

_UNUSED = ("games", "news", "mail", "uucp", "lp", "sync")
"""Not `nobody`, whom other tests start servers as."""


OTHER_ACCOUNT = find_account("nobody")


def two_accounts(folder: Path) -> tuple[UnixAccount, UnixAccount]:
    """Two of them, each with a home of its own below `folder` that no other account can enter."""
    known = {entry.pw_name for entry in pwd.getpwall()}
    first, second = [name for name in _UNUSED if name in known][:2]
    return _with_home(first, folder), _with_home(second, folder)


def _with_home(name: str, folder: Path) -> UnixAccount:
    account = find_account(name)
    home = folder / name
    home.mkdir(mode=0o700)
    os.chown(home, account.uid, account.gid)
    return replace(account, home=str(home), shell="/bin/bash")
