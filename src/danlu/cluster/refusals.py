"""What an agent answers when it does not do what was asked, and what the control side makes of it."""

from __future__ import annotations

from typing import Any

from danlu.agent.keeper_link import KeeperRefused
from danlu.agent.keeper_process import KeeperUnavailable
from danlu.agent.logs.log_files import LogRefused
from danlu.cluster.connection import NoConnection
from danlu.cluster.fetching import FetchRefused
from danlu.cluster.node.order_fence import OVERTAKEN, STALE_SERVER, Overtaken
from danlu.cluster.server.agents import NodeUnreachable, OrderRefused, StaleServer
from danlu.cluster.server.node_messages import NodeRefusal

ORDER_REFUSED = "order_refused"
FILE_REFUSED = "file_refused"
UNAVAILABLE = "unavailable"
FAILED = "failed"


def describe(problem: Exception) -> dict[str, Any]:
    match problem:
        case KeeperRefused() | FetchRefused():
            return {"code": ORDER_REFUSED, "text": str(problem)}
        case Overtaken():
            return {"code": OVERTAKEN, "text": str(problem)}
        case OSError():
            return {
                "code": FILE_REFUSED,
                "text": problem.strerror or str(problem),
                "errno": problem.errno,
                "file": problem.filename if isinstance(problem.filename, str) else None,
            }
        case KeeperUnavailable() | NoConnection():
            return {"code": UNAVAILABLE, "text": str(problem)}
        case _:
            return {"code": FAILED, "text": f"{type(problem).__name__}: {problem}"}


def refusal_of(node: str, said: NodeRefusal) -> Exception:
    """The exception that says the same here. What is not known (from a newer agent) may pass."""
    if said.code == ORDER_REFUSED:
        return OrderRefused(said.text)
    if said.code == FILE_REFUSED:
        return LogRefused(said.text) if said.errno is None else LogRefused(said.errno, said.text, said.file)
    if said.code == STALE_SERVER:
        return StaleServer(node)
    if said.code == OVERTAKEN:
        return NodeUnreachable(f"{node}: the order came too late")
    return NodeUnreachable(f"{node}: {said.text}")
