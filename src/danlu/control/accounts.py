"""Which Unix account a user's jobs run as."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass

from danlu.core.errors import Invalid
from danlu.core.task import Account
from danlu.core.user import User


@dataclass(frozen=True, slots=True)
class AccountBook:
    """`starter` is the Danlu user who started this installation: their jobs run as the server itself.

    For everybody else a server that is root needs a mapped account, and never uses root; a server
    that is not root runs everything as itself.
    """

    starter: str
    runs_as_root: bool

    def account_for(self, user: User) -> Account | None:
        """None: run as the agent itself. Raises Invalid when there is nobody to run as."""
        if user.name == self.starter or not self.runs_as_root:
            return None
        if user.unix_account is None:
            raise Invalid("no_account", name=user.name)
        return find_account(user.unix_account)

    def uid_for(self, user: User | None) -> int | None:
        """The owner that the files of this user's jobs have; None when nobody can tell any more."""
        if user is None:
            return None
        try:
            account = self.account_for(user)
        except Invalid:
            return None
        return account.uid if account else os.getuid()

    def home_for(self, user: User) -> str:
        account = self.account_for(user)
        return account.home if account else os.path.expanduser("~")  # noqa: PTH111 - text, not a Path


def find_account(name: str) -> Account:
    """The Unix account of that name. Raises Invalid when there is none or it is root's."""
    try:
        entry = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise Invalid("no_such_account", field="unix_account", account=name) from None
    if entry.pw_uid == 0:
        raise Invalid("root_account", field="unix_account")
    groups = {group.gr_gid for group in grp.getgrall() if name in group.gr_mem} | {entry.pw_gid}
    return Account(
        name, entry.pw_uid, entry.pw_gid, tuple(sorted(groups)), entry.pw_dir, entry.pw_shell or "/bin/sh"
    )
