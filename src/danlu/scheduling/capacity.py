"""What stands in the way of an ask that no node in service could run, even if nothing else ran."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.core.blockers import (
    Blocker,
    ExactGpusDrained,
    ExactGpusFaulty,
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
    for kind, unusable in (
        (ExactGpusDrained, [node.drained_gpus for node in in_service]),
        (ExactGpusFaulty, [node.faulty_gpus for node in in_service]),
    ):
        named = [tuple(index for index in ask.gpu_ids if index in gpus) for gpus in unusable]
        if named and all(named):
            return (kind(ask.node, min(named, key=lambda ids: (len(ids), ids))),)
    return (NodesUnavailable(tuple(sorted(node.name for node in able))),)


def _has_totals(node: NodeView, ask: Ask) -> bool:
    gpus = node.gpu_ids
    if ask.gpu_memory_mb and node.gpu_memory_mb:
        sizes = zip(gpus, node.gpu_memory_mb, strict=True)
        gpus = tuple(index for index, memory_mb in sizes if memory_mb >= ask.gpu_memory_mb)
    return (
        len(gpus) >= ask.gpus
        and node.cpus >= ask.cpus
        and node.memory_mb >= ask.memory_mb
        and (ask.node is None or node.name == ask.node)
        and all(index in gpus for index in ask.gpu_ids)
    )


def _no_such_hardware(ask: Ask) -> NoSuchHardware:
    return NoSuchHardware(ask.gpus, ask.cpus, ask.memory_mb, ask.node, ask.gpu_ids, ask.gpu_memory_mb)
