"""Who a task runs as on this machine. The order says so; a keeper that is root does not simply believe it."""

from __future__ import annotations

import os
import pwd

from danlu.agent.keeper.problem import Problem
from danlu.agent.keeper.spec import AccountSpec, Order

_REASON = "no_account"


def is_for_another(account: AccountSpec | None, uid: int) -> bool:
    """Whether a keeper of this uid would have to become somebody else for it."""
    return uid == 0 and account is not None and account["uid"] != 0


def settle_account(order: Order, uid: int) -> Order:
    """The order with the account as this machine has it; None in its place where the task runs as the keeper
    itself, whose uid this is. Raises Problem.

    May take as long as a directory service does.
    """
    account = order["account"]
    if uid != 0:
        if account is None or account.get("is_servers_own") or account["uid"] == uid:
            return {**order, "account": None}
        raise Problem(_REASON, f"only an agent that is root can run a task as {account['name']}")
    if account is None:
        why = "its order names none, and this agent is root; an older server sends such orders"
        raise Problem(_REASON, why)
    if account["uid"] != 0:
        return {**order, "account": _find_here(account)}
    if account.get("is_servers_own"):
        return {**order, "account": None}
    raise Problem(_REASON, "nothing runs as root but what the one sends who started a server that is root")


def _find_here(account: AccountSpec) -> AccountSpec:
    """The same account with the groups that it has on this machine: elsewhere they may have other numbers."""
    name, uid = account["name"], account["uid"]
    try:
        here = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise Problem(_REASON, f"{name} (uid {uid}): this node has no account of that name") from None
    if here.pw_uid != uid:
        raise Problem(_REASON, f"{name} is uid {uid} on the server and uid {here.pw_uid} on this node")
    return {**account, "gid": here.pw_gid, "groups": os.getgrouplist(name, here.pw_gid)}
