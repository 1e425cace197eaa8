"""What stands in the way of an ask that no node in service could run, even if nothing else ran."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from danlu.core.blockers import (
    Blocker,
    ExactGpusDrained,
    ExactGpusFaulty,
    NodeNotForJobs,
    NodesUnavailable,
    NodeUnavailable,
    NoSuchHardware,
    TooFewGpus,
    TooFewNodes,
)
from danlu.core.resources import Ask
from danlu.scheduling.models import gpus_of_model
from danlu.scheduling.roles import may_use, takes_jobs
from danlu.scheduling.snapshot import NodeView


def can_ever_run(ask: Ask, nodes: Iterable[NodeView]) -> Blocker | None:
    """None if the totals of known nodes satisfy the ask; lost and drained nodes count too."""
    known = list(nodes)
    return None if _find_groups(ask, known) else _why_never(ask, known)


def count_able(ask: Ask, nodes: Iterable[NodeView]) -> int:
    """On how many nodes tasks of the ask could run together, by the totals of known nodes."""
    return len(find_able(ask, nodes))


def find_able(ask: Ask, nodes: Iterable[NodeView]) -> list[str]:
    """The nodes on which tasks of the ask could run together: with GPUs of one model, if it wants several."""
    known = list(nodes)
    able = (sorted(node.name for node in _able(ask, known, model)) for model in _models(ask, known))
    return min(able, key=lambda names: (-len(names), names), default=[])


def find_obstacles(ask: Ask, nodes: Iterable[NodeView]) -> tuple[Blocker, ...]:
    """What prevents an ask that no node in service could run, even if nothing else ran there."""
    known = list(nodes)
    groups = _find_groups(ask, known)
    if not groups:
        return (_why_never(ask, known),)
    if ask.nodes > 1:
        return (_too_few(ask, groups),)
    able = groups[0][1]
    in_service = [node for node in able if node.in_service]
    if in_service:
        return _why_unusable(ask, in_service, [node for node in able if not node.in_service])
    if ask.node is not None:
        node = able[0]
        return (NodeUnavailable(ask.node, node.drained, node.quarantined, node.closed, node.unfit),)
    by_name = sorted(able, key=lambda node: node.name)
    unfit = tuple((node.name, node.unfit[0]) for node in by_name if _state_of(node) == "unfit")
    names, states = tuple(node.name for node in by_name), tuple(map(_state_of, by_name))
    return (NodesUnavailable(names, unfit, states),)


def _why_unusable(ask: Ask, nodes: list[NodeView], others: list[NodeView]) -> tuple[Blocker, ...]:
    """Of nodes in service that would be enough, if only all their GPUs could be used."""
    if ask.gpu_ids:
        exact = [
            (_named(ask, node.drained_gpus), _named(ask, node.faulty_gpus - node.drained_gpus))
            for node in nodes
        ]
        drained, faulty = min(exact, key=lambda each: (len(each[0]) + len(each[1]), each))
        found = [ExactGpusDrained(ask.node, drained)] if drained else []
        if drained or faulty:
            return (*found, *([ExactGpusFaulty(ask.node, faulty)] if faulty else []))
    nearest = min(nodes, key=lambda node: (-len(_suitable(node, node.usable_gpus, ask, None)), node.name))
    suitable = _suitable(nearest, frozenset(nearest.gpu_ids), ask, None)
    return (
        TooFewGpus(
            wanted=ask.gpus,
            usable=len(suitable & nearest.usable_gpus),
            node=nearest.name,
            drained=tuple(sorted(suitable & nearest.drained_gpus)),
            faulty=tuple(sorted((suitable & nearest.faulty_gpus) - nearest.drained_gpus)),
            others=tuple(sorted(node.name for node in others)),
        ),
    )


def _named(ask: Ask, gpus: frozenset[int]) -> tuple[int, ...]:
    return tuple(index for index in ask.gpu_ids if index in gpus)


def _state_of(node: NodeView) -> str:
    if not node.up:
        return "lost"
    if node.quarantined:
        return "quarantined"
    return "unfit" if node.unfit else "closed" if node.closed else "drained"


Group = tuple[str | None, list[NodeView]]


def _find_groups(ask: Ask, nodes: list[NodeView]) -> list[Group]:
    """As many nodes with the totals as it takes at least; if it wants GPUs on several nodes, those of each
    model by themselves."""
    groups = ((model, _able(ask, nodes, model)) for model in _models(ask, nodes))
    return [(model, able) for model, able in groups if len(able) >= ask.nodes_min]


def _models(ask: Ask, nodes: list[NodeView]) -> Sequence[str | None]:
    if ask.nodes == 1 or not ask.gpus:
        return [None]
    return sorted({model for node in nodes for model in node.gpu_models or ("",)})


def _able(ask: Ask, nodes: list[NodeView], model: str | None) -> list[NodeView]:
    gpus = ask.gpus
    return [node for node in nodes if len(node.gpu_ids) >= gpus and _is_enough(node, None, ask, model)]


def _is_enough(node: NodeView, usable: frozenset[int] | None, ask: Ask, model: str | None) -> bool:
    """Whether the node is enough for a task of the ask, with all of its GPUs or those that are usable."""
    if node.cpus < ask.cpus or node.memory_mb < ask.memory_mb or not may_use(ask, node.name, node.role):
        return False
    if ask.stage and not node.stages:
        return False
    gpus = _suitable(node, frozenset(node.gpu_ids) if usable is None else usable, ask, model)
    return len(gpus) >= ask.gpus and gpus.issuperset(ask.gpu_ids)


def _suitable(node: NodeView, gpus: frozenset[int], ask: Ask, model: str | None) -> frozenset[int]:
    """Those of the GPUs that are large enough and of the model."""
    if ask.gpu_memory_mb and node.gpu_memory_mb:
        sizes = zip(node.gpu_ids, node.gpu_memory_mb, strict=True)
        gpus = gpus.intersection(index for index, memory_mb in sizes if memory_mb >= ask.gpu_memory_mb)
    if ask.gpu_model or model is not None:
        gpus &= gpus_of_model(node.gpu_ids, node.gpu_models, ask.gpu_model, model)
    return gpus


def _too_few(ask: Ask, groups: list[Group]) -> TooFewNodes:
    """Of the models that could serve it, the one of which most nodes are in service."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for model, able in groups:
        missing = [
            node.name
            for node in able
            if not (node.in_service and _is_enough(node, node.usable_gpus, ask, model))
        ]
        found.append((len(able) - len(missing), tuple(sorted(missing))))
    in_service, missing_names = min(found, key=lambda each: (-each[0], each[1]))
    return TooFewNodes(ask.nodes_min, in_service, missing_names)


def _why_never(ask: Ask, nodes: list[NodeView]) -> Blocker:
    if ask.node is not None:
        for node in nodes:
            if node.name == ask.node and not takes_jobs(node.role, gpus=ask.gpus):
                return NodeNotForJobs(node.name, node.role.value)
    return NoSuchHardware(
        ask.gpus,
        ask.cpus,
        ask.memory_mb,
        ask.node,
        ask.gpu_ids,
        ask.gpu_memory_mb,
        ask.nodes_min,
        ask.gpu_model,
        ask.only_nodes,
        ask.exclude_nodes,
        _count_mixed(ask, nodes),
        ask.stage,
        count_able(ask, nodes),
        _with_removed(ask, nodes),
    )


def _with_removed(ask: Ask, nodes: list[NodeView]) -> tuple[str, ...]:
    """The nodes that might be enough with the GPUs that were taken away from Danlu."""
    return tuple(
        sorted(
            node.name
            for node in nodes
            if node.removed_gpus
            and _is_enough(node, None, replace(ask, gpus=0, gpu_ids=()), None)
            and len(node.gpu_ids) + len(node.removed_gpus) >= ask.gpus
            and {*node.gpu_ids, *node.removed_gpus}.issuperset(ask.gpu_ids)
        )
    )


def _count_mixed(ask: Ask, nodes: list[NodeView]) -> int:
    """How many nodes could run tasks of it if they need not have GPUs of one model; 0: not enough."""
    if ask.nodes == 1 or not ask.gpus:
        return 0
    names = {node.name for model in _models(ask, nodes) for node in _able(ask, nodes, model)}
    return len(names) if len(names) >= ask.nodes_min else 0
