"""Which Unix account a user's jobs run as."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass

from danlu.core.errors import Invalid
from danlu.core.task import UnixAccount
from danlu.core.user import User


@dataclass(frozen=True, slots=True)
class AccountBook:
    """`starter` is the Danlu user who started this installation: their jobs run as the server itself.

    For other users a server that is root needs a mapped account, and never uses root. A server that is not
    root runs everything as itself, on every node, and refuses those who are mapped to another account: it
    could not keep what that promises.
    """

    starter: str
    runs_as_root: bool

    def account_for(self, user: User) -> UnixAccount:
        """Raises Invalid when there is no account to run as."""
        if user.name == self.starter:
            return own_account()
        if self.runs_as_root:
            if user.unix_account is None:
                raise Invalid("no_account", name=user.name)
            return find_account(user.unix_account)
        own = own_account()
        if user.unix_account not in (None, own.name):
            raise Invalid("account_unusable", account=user.unix_account, own=own.name, name=user.name)
        return own

    def owner_of_files(self, user: User | None) -> UnixAccount | None:
        """Whose the files of this user's jobs are; None when that cannot be told any more."""
        if user is None:
            return None
        try:
            return self.account_for(user)
        except Invalid:
            return None

    def home_for(self, user: User) -> str:
        return self.account_for(user).home

    def check_mapping(self, name: str) -> None:
        """Whether a user may be mapped to this account. Raises Invalid."""
        if self.runs_as_root:
            find_account(name)
        elif name != (own := own_account()).name:
            raise Invalid("account_unmappable", field="unix_account", account=name, own=own.name)


def own_account() -> UnixAccount:
    """The account that the server itself runs as."""
    uid = os.geteuid()
    home = os.path.expanduser("~")  # noqa: PTH111 - text, not a Path
    try:
        entry = pwd.getpwuid(uid)
        name, shell = entry.pw_name, entry.pw_shell or "/bin/sh"
    except KeyError:
        # A container may run as a number without a name.
        name, shell = str(uid), "/bin/sh"
    groups = tuple(sorted({*os.getgroups(), os.getegid()}))
    return UnixAccount(name, uid, os.getegid(), groups, home, shell, is_servers_own=True)


def find_account(name: str) -> UnixAccount:
    """The Unix account of that name. Raises Invalid when there is none or it is root's."""
    try:
        entry = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise Invalid("no_such_account", field="unix_account", account=name) from None
    if entry.pw_uid == 0:
        raise Invalid("root_account", field="unix_account")
    groups = {group.gr_gid for group in grp.getgrall() if name in group.gr_mem} | {entry.pw_gid}
    return UnixAccount(
        name, entry.pw_uid, entry.pw_gid, tuple(sorted(groups)), entry.pw_dir, entry.pw_shell or "/bin/sh"
    )
