"""What stands in the way of an ask that no node in service could run, even if nothing else ran."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.core.blockers import (
    Blocker,
    ExactGpusDrained,
    NodesUnavailable,
    NodeUnavailable,
    NoSuchHardware,
)
from danlu.core.resources import Ask
from danlu.scheduling.snapshot import NodeView


def can_ever_run(ask: Ask, nodes: Iterable[NodeView]) -> Blocker | None:
    """None if the totals of some known node satisfy the ask; lost and drained nodes count too."""
    return None if any(_has_totals(node, ask) for node in nodes) else _no_such_hardware(ask)


def find_obstacles(ask: Ask, nodes: Iterable[NodeView]) -> tuple[Blocker, ...]:
    """What prevents an ask that no node in service could run, even if nothing else ran there."""
    able = [node for node in nodes if _has_totals(node, ask)]
    if not able:
        return (_no_such_hardware(ask),)
    in_service = [node for node in able if node.in_service]
    if ask.node is not None and not in_service:
        return (NodeUnavailable(ask.node, able[0].drained),)
    drained = [tuple(index for index in ask.gpu_ids if index in node.drained_gpus) for node in in_service]
    if drained and all(drained):
        return (ExactGpusDrained(ask.node, min(drained, key=lambda ids: (len(ids), ids))),)
    return (NodesUnavailable(tuple(sorted(node.name for node in able))),)


def _has_totals(node: NodeView, ask: Ask) -> bool:
    return (
        len(node.gpu_ids) >= ask.gpus
        and node.cpus >= ask.cpus
        and node.memory_mb >= ask.memory_mb
        and (ask.node is None or node.name == ask.node)
        and all(index in node.gpu_ids for index in ask.gpu_ids)
    )


def _no_such_hardware(ask: Ask) -> NoSuchHardware:
    return NoSuchHardware(ask.gpus, ask.cpus, ask.memory_mb, ask.node, ask.gpu_ids)
