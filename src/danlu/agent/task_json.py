"""Orders and facts between our own types and the keeper's JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from danlu.agent.keeper.spec import AccountSpec, End, Fact, GangSpec, Order, StagingSpec
from danlu.core.task import (
    Gang,
    LaunchOrder,
    OutputPlace,
    Staging,
    TaskEnd,
    TaskEnding,
    TaskFact,
    TaskKey,
    UnixAccount,
)


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
        "account": None if order.account is None else account_to_json(order.account),
        "call_path": order.call_path,
        "result_path": order.result_path,
        "gang": None if order.gang is None else _gang_to_json(order.gang),
        "leased": order.leased,
        "checkpoint_dir": order.checkpoint_dir,
        "job_secret": order.job_secret,
        "server": order.server,
        "servers": list(order.servers),
        "staging": None if order.staging is None else _staging_to_json(order, order.staging),
        "gpu_devices": None if order.gpu_devices is None else list(order.gpu_devices),
        "gpu_names": list(order.gpu_names),
        "log_limit": order.log_limit,
    }


def fact_from_json(fact: Fact) -> TaskFact:
    return TaskFact(
        key=TaskKey.parse(fact["key"]),
        node=fact["node"],
        started_at=fact["started_at"],
        end=None if fact["end"] is None else _end_from_json(fact["end"]),
        stdout_at=_place_from_json(fact, "stdout"),
        stderr_at=_place_from_json(fact, "stderr"),
    )


def _place_from_json(fact: Fact, stream: str) -> OutputPlace | None:
    place = (fact.get("outputs") or {}).get(stream)
    return None if place is None else OutputPlace(place["inode"], place["filesystem"], place["offset"])


def account_to_json(account: UnixAccount) -> AccountSpec:
    return {
        "name": account.name,
        "uid": account.uid,
        "gid": account.gid,
        "groups": list(account.groups),
        "home": account.home,
        "shell": account.shell,
        "is_servers_own": account.is_servers_own,
    }


def _staging_to_json(order: LaunchOrder, staging: Staging) -> StagingSpec:
    return {
        "paths": [{"path": path, "entry": _digest(path)} for path in staging.paths],
        "folder": staging.folder,
        "disk_percent": staging.disk_percent,
        # Not the secret itself: it is said aloud, between the nodes of a gang.
        "proof": _digest(f"staged {order.key.job}-{order.key.attempt} {order.job_secret}"),
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:40]


def _gang_to_json(gang: Gang) -> GangSpec:
    return {
        "members": [
            {"node": member.node, "address": member.address, "gpus": member.gpus} for member in gang.members
        ],
        "port": gang.port,
        "second_port": gang.second_port,
        "launcher": gang.launcher,
    }


def _end_from_json(end: End) -> TaskEnd:
    return TaskEnd(
        ending=TaskEnding(end["ending"]),
        ended_at=end["ended_at"],
        wait_status=end["wait_status"],
        problem=end["problem"],
        detail=end["detail"],
    )
