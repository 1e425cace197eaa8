"""Which nodes an ask may use at all: what they are there for, and which ones it names."""

from __future__ import annotations

from danlu.core.nodes.node import NodeRole
from danlu.core.resources import Ask


def takes_jobs(role: NodeRole, *, gpus: int) -> bool:
    """Whether such a node takes jobs at all, if they name it."""
    return role is not NodeRole.LOGIN and not (role is NodeRole.TRANSFER and gpus)


def may_use(ask: Ask, name: str, role: NodeRole) -> bool:
    """Whether the ask may have tasks on this node. Only a compute node takes those that do not name it."""
    if not takes_jobs(role, gpus=ask.gpus) or name in ask.exclude_nodes:
        return False
    if ask.node not in (None, name) or (ask.only_nodes and name not in ask.only_nodes):
        return False
    return role is NodeRole.COMPUTE or ask.node == name or name in ask.only_nodes
