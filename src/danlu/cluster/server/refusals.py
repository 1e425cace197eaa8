"""What the control side makes of an agent's refusal."""

from __future__ import annotations

from danlu.agent.logs.log_files import LogRefused
from danlu.cluster.refusal_codes import FILE_REFUSED, ORDER_REFUSED, OVERTAKEN, STALE_SERVER
from danlu.cluster.server.agents import NodeUnreachable, OrderRefused, StaleServer
from danlu.cluster.server.node_messages import NodeRefusal


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
