"""Numbers for a job whose owner leaves them to Danlu: how many GPUs, on how many nodes. Pure.

`gpu_memory_mb` of a wish is what one copy of the model takes. One node holds a copy, with the fewest GPUs
that can; where the nodes are left open too and no node could, as many nodes as it takes. Without it a job
gets the GPUs that are free now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from danlu.core.auto import AutoReason
from danlu.core.resources import Ask
from danlu.scheduling.capacity import count_able
from danlu.scheduling.free_node import ANY_MEMORY_MB
from danlu.scheduling.models import gpus_of_model
from danlu.scheduling.roles import may_use
from danlu.scheduling.snapshot import NodeView


@dataclass(frozen=True, slots=True)
class AutoWish:
    """What is to be found out."""

    gpus: bool
    nodes: bool
    gpu_memory_mb: int = 0


@dataclass(frozen=True, slots=True)
class AutoLimits:
    """The most that a job gets whose owner does not say a number."""

    gpus: int = 8
    """On each node."""
    nodes: int = 8


@dataclass(frozen=True, slots=True)
class ChosenNumbers:
    gpus: int
    nodes_min: int
    nodes: int
    gpu_memory_mb: int
    """On each GPU."""
    reason: AutoReason
    node: str = ""


@dataclass(frozen=True, slots=True)
class MemoryTooLarge:
    """Nothing that it may use has so much GPU memory: `most_mb` is what would have found a place."""

    most_mb: int


def choose(
    wish: AutoWish, ask: Ask, nodes: Sequence[NodeView], limits: AutoLimits
) -> ChosenNumbers | MemoryTooLarge:
    """The numbers that the wish leaves open. `ask` has all that was said; what was not said counts as one."""
    # Numbers that nothing can have need not be tried.
    most_cards = max((len(node.gpu_ids) for node in nodes), default=0)
    limits = AutoLimits(max(1, min(limits.gpus, most_cards)), max(1, min(limits.nodes, len(nodes))))
    spans = wish.nodes or ask.nodes > 1
    ask = replace(ask, gpus=1, gpu_memory_mb=0) if wish.gpus else ask
    least = 1 if wish.nodes else ask.nodes_min
    if not wish.gpus:
        chosen = ChosenNumbers(ask.gpus, least, ask.nodes, ask.gpu_memory_mb, AutoReason.SAID)
    elif wish.gpu_memory_mb:
        found = _hold_copy(wish, ask, nodes, limits, least, spans=spans)
        if isinstance(found, MemoryTooLarge):
            return found
        chosen = found
    else:
        chosen = _take_free(ask, nodes, limits, least, spans=spans)
    return _span(chosen, ask, nodes, limits) if wish.nodes else chosen


def choose_for_later(
    wish: AutoWish, ask: Ask, nodes: Sequence[NodeView], limits: AutoLimits
) -> ChosenNumbers:
    """The numbers of a job that is too large for all there is and waits for more: as if there were enough of
    the largest GPUs that there are; where not even those would do, as many parts as it may have."""
    ask = replace(ask, gpus=1, gpu_memory_mb=0)
    able = [node for node in nodes if _may_run(ask, node, _Level.KNOWN)]
    cards = [size for node in able or nodes for size in _cards_mb(ask, node, _Level.KNOWN, None)]
    largest_mb, most_parts = max(cards, default=0), limits.nodes if wish.nodes else 1
    pieces = limits.gpus * most_parts
    if largest_mb:
        pieces = min(pieces, -(-wish.gpu_memory_mb // largest_mb))
    parts = -(-pieces // limits.gpus)
    gpus = -(-pieces // parts)
    each_mb = -(-wish.gpu_memory_mb // (gpus * parts))
    least_nodes, most_nodes = (parts, parts) if wish.nodes else (ask.nodes_min, ask.nodes)
    return ChosenNumbers(gpus, least_nodes, most_nodes, each_mb, AutoReason.MEMORY)


class _Level(IntEnum):
    """What of the nodes counts."""

    KNOWN = 0
    """All there is, be it lost or drained."""
    IN_SERVICE = 1
    FREE = 2


class _Table:
    """For every number of GPUs, what the smallest of so many has on each node: of the best GPUs there."""

    def __init__(self, ask: Ask, nodes: Sequence[NodeView], level: _Level, most: int, *, spans: bool) -> None:
        allowed = [node for node in nodes if _may_run(ask, node, level)]
        # Tasks on several nodes have GPUs of one model.
        models = sorted({name for node in allowed for name in node.gpu_models or ("",)}) if spans else [None]
        self._most = most
        self._groups: list[list[list[int]]] = []
        for model in models:
            at: list[list[int]] = [[] for _ in range(most + 1)]
            for node in allowed:
                cards = sorted(_cards_mb(ask, node, level, model), reverse=True)
                for gpus, size_mb in enumerate(cards[:most], start=1):
                    at[gpus].append(size_mb)
            for sizes in at:
                sizes.sort()
            self._groups.append(at)

    def fits(self, gpus: int, nodes: int, size_mb: int = 0) -> bool:
        """Whether so many nodes have so many GPUs of this size."""
        if gpus > self._most:
            return False
        return any(len(at[gpus]) - bisect_left(at[gpus], size_mb) >= nodes for at in self._groups)

    def most_mb(self, most_parts: int, least: int) -> int:
        """The largest copy that they hold: in that many parts, if there are as many nodes at least."""
        return max(
            (
                gpus * parts * sizes[-max(parts, least)]
                for at in self._groups
                for gpus, sizes in enumerate(at)
                for parts in range(1, most_parts + 1)
                if len(sizes) >= max(parts, least)
            ),
            default=0,
        )


def _hold_copy(
    wish: AutoWish, ask: Ask, nodes: Sequence[NodeView], limits: AutoLimits, least: int, *, spans: bool
) -> ChosenNumbers | MemoryTooLarge:
    """The fewest nodes, and on them the fewest GPUs, that hold a copy; better with what is in service."""
    most_mb = 0
    for level in (_Level.IN_SERVICE, _Level.KNOWN):
        table = _Table(ask, nodes, level, limits.gpus, spans=spans)
        for parts in range(1, limits.nodes + 1 if wish.nodes else 2):
            for gpus in range(1, limits.gpus + 1):
                each_mb = -(-wish.gpu_memory_mb // (parts * gpus))
                if table.fits(gpus, max(parts, least), each_mb):
                    return ChosenNumbers(gpus, max(parts, least), ask.nodes, each_mb, AutoReason.MEMORY)
        most_mb = max(most_mb, table.most_mb(limits.nodes if wish.nodes else 1, least))
    return MemoryTooLarge(most_mb)


def _take_free(
    ask: Ask, nodes: Sequence[NodeView], limits: AutoLimits, least: int, *, spans: bool
) -> ChosenNumbers:
    """As many GPUs as are free on the best node, or on each of the best ones; at least one."""
    table = _Table(ask, nodes, _Level.FREE, limits.gpus + 1, spans=spans)
    gpus = next((gpus for gpus in range(limits.gpus, 0, -1) if table.fits(gpus, least)), 0)
    if not gpus:
        return ChosenNumbers(1, least, ask.nodes, 0, AutoReason.NONE_FREE)
    reason = AutoReason.LIMIT if gpus == limits.gpus and table.fits(gpus + 1, least) else AutoReason.FREE
    names = (
        node.name
        for node in nodes
        if _may_run(ask, node, _Level.FREE) and len(_cards_mb(ask, node, _Level.FREE, None)) >= gpus
    )
    return ChosenNumbers(gpus, least, ask.nodes, 0, reason, min(names, default="") if least == 1 else "")


def _span(chosen: ChosenNumbers, ask: Ask, nodes: Sequence[NodeView], limits: AutoLimits) -> ChosenNumbers:
    """As many nodes as could ever run a task of it together."""
    task = replace(ask, gpus=chosen.gpus, gpu_memory_mb=chosen.gpu_memory_mb, nodes=2, nodes_min=1)
    most = max(chosen.nodes_min, min(count_able(task, nodes), limits.nodes))
    return replace(chosen, nodes=most)


def _may_run(ask: Ask, node: NodeView, level: _Level) -> bool:
    if not may_use(ask, node.name, node.role) or (ask.stage and not node.stages):
        return False
    if level is not _Level.KNOWN and not node.in_service:
        return False
    cpus, memory_mb = node.cpus, node.memory_mb
    if level is _Level.FREE:
        cpus, memory_mb = cpus - node.used_cpus, memory_mb - node.used_memory_mb
    return cpus >= ask.cpus and memory_mb >= ask.memory_mb


def _cards_mb(ask: Ask, node: NodeView, level: _Level, model: str | None) -> list[int]:
    """The memory of each GPU of the node that counts."""
    indices = frozenset(node.gpu_ids) if level is _Level.KNOWN else node.usable_gpus
    if level is _Level.FREE:
        indices -= node.used_gpus
        if ask.no_sharing:
            indices -= node.partly_used
    indices &= gpus_of_model(node.gpu_ids, node.gpu_models, ask.gpu_model, model)
    sizes_mb = node.gpu_memory_mb or (ANY_MEMORY_MB,) * len(node.gpu_ids)
    return [size for index, size in zip(node.gpu_ids, sizes_mb, strict=True) if index in indices]
