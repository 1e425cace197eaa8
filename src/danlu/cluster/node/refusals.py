"""What an agent answers when it does not do what was asked."""

from __future__ import annotations

from typing import Any

from danlu.agent.keeper_link import KeeperRefused
from danlu.agent.keeper_process import KeeperUnavailable
from danlu.cluster.connection import NoConnection
from danlu.cluster.fetching import FetchRefused
from danlu.cluster.node.order_fence import Overtaken
from danlu.cluster.refusal_codes import FAILED, FILE_REFUSED, ORDER_REFUSED, OVERTAKEN, UNAVAILABLE


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
