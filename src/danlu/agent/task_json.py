"""Orders and facts between our own types and the keeper's JSON."""

from __future__ import annotations

from collections.abc import Sequence

from danlu.agent.keeper.spec import AccountSpec, End, Fact, Order
from danlu.core.task import Account, Ending, LaunchOrder, TaskEnd, TaskFact, TaskKey


def order_to_json(order: LaunchOrder, environment_roots: Sequence[str]) -> Order:
    return {
        "key": str(order.key),
        "node": order.node,
        "job_name": order.job_name,
        "user": order.user,
        "directory": order.directory,
        "command": order.command,
        "arguments": list(order.arguments),
        "environment": order.environment,
        "environment_roots": list(environment_roots),
        "gpu_ids": list(order.gpu_ids),
        "gpu_memory_mb": order.gpu_memory_mb,
        "gpu_arg": order.gpu_arg,
        "variables": order.variables,
        "stdout": order.stdout,
        "stderr": order.stderr,
        "log_path": order.log_path,
        "time_limit_s": order.time_limit_s,
        "grace_s": order.grace_s,
        "kill_leftovers": order.kill_leftovers,
        "account": None if order.account is None else _account_to_json(order.account),
        "call_path": order.call_path,
        "result_path": order.result_path,
        "gpu_devices": None if order.gpu_devices is None else list(order.gpu_devices),
        "gpu_names": list(order.gpu_names),
    }


def fact_from_json(fact: Fact) -> TaskFact:
    return TaskFact(
        key=TaskKey.parse(fact["key"]),
        node=fact["node"],
        started_at=fact["started_at"],
        end=None if fact["end"] is None else _end_from_json(fact["end"]),
    )


def _account_to_json(account: Account) -> AccountSpec:
    return {
        "name": account.name,
        "uid": account.uid,
        "gid": account.gid,
        "groups": list(account.groups),
        "home": account.home,
        "shell": account.shell,
    }


def _end_from_json(end: End) -> TaskEnd:
    return TaskEnd(
        ending=Ending(end["ending"]),
        ended_at=end["ended_at"],
        wait_status=end["wait_status"],
        problem=end["problem"],
        detail=end["detail"],
    )
