"""Who something is done as on this machine. The server says so; who is root does not simply believe it."""

from __future__ import annotations

import os
import pwd

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import AccountSpec

_REASON = "no_account"


def is_for_another(account: AccountSpec | None, uid: int) -> bool:
    """Whether a keeper of this uid would have to change its account for it."""
    return uid == 0 and account is not None and account["uid"] != 0


def settle_account(account: AccountSpec | None, uid: int) -> AccountSpec | None:
    """The account as this machine has it; None where what is asked for is done as ourselves, whose uid this
    is. Raises SetupProblem.

    May take as long as a directory service does.
    """
    if uid != 0:
        if account is None or account.get("is_servers_own") or account["uid"] == uid:
            return None
        raise SetupProblem(_REASON, f"only an agent that is root can act as {account['name']}")
    if account is None:
        raise SetupProblem(
            _REASON, "none is named, and this agent is root; an older server sends such orders"
        )
    if account["uid"] != 0:
        return _find_here(account)
    if account.get("is_servers_own"):
        return None
    raise SetupProblem(_REASON, "nothing is done as root but for the one who started a server that is root")


def _find_here(account: AccountSpec) -> AccountSpec:
    """The same account with the groups that it has on this machine: elsewhere they may have other numbers."""
    name, uid = account["name"], account["uid"]
    try:
        here = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise SetupProblem(_REASON, f"{name} (uid {uid}): this node has no account of that name") from None
    if here.pw_uid != uid:
        raise SetupProblem(_REASON, f"{name} is uid {uid} on the server and uid {here.pw_uid} on this node")
    return {**account, "gid": here.pw_gid, "groups": os.getgrouplist(name, here.pw_gid)}
