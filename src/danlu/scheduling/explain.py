"""Why a job does not start: what keeps it out of the queue, and what it lacks when its turn comes."""

from __future__ import annotations

from dataclasses import replace

from danlu.core.blockers import (
    AvoidsNodes,
    Blocker,
    CpusBusy,
    ExactGpusBusy,
    ExactGpusBusyOnNodes,
    GpuMemoryBusy,
    GpusBusy,
    GpusKept,
    Held,
    MemoryBusy,
    NodesBusy,
    NotYet,
    OwnerLocked,
    PredecessorsFailed,
    PredecessorsRunning,
)
from danlu.core.ending import LONGEST_BACKOFF_S
from danlu.core.resources import Ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.free_node import PlacedAsk, indices_of
from danlu.scheduling.placement import FreeNodes

_LONGEST_CREDIBLE_S = 2 * LONGEST_BACKOFF_S
"""No pause is longer, even between two clocks that differ."""


def why_not_in_queue(
    job: WaitingJob, now: float, obstacles: tuple[Blocker, ...], *, locked: bool = False
) -> tuple[Blocker, ...]:
    """All that keeps the job out of the queue, the `obstacles` of its ask last; empty if it may start. Its
    owner may be `locked`."""
    own: list[Blocker] = []
    if locked:
        own.append(OwnerLocked())
    if job.held:
        own.append(Held())
    if job.failed_predecessors:
        own.append(PredecessorsFailed(job.failed_predecessors))
    if job.waits_for:
        own.append(PredecessorsRunning(job.waits_for))
    # A pause longer than any there is was set by a clock that was wrong: it is over.
    if job.not_before is not None and now < job.not_before <= now + _LONGEST_CREDIBLE_S:
        own.append(NotYet(job.not_before))
    return (*own, *obstacles) if own else obstacles


def avoid_nodes(job: WaitingJob, now: float, free: FreeNodes) -> tuple[WaitingJob, tuple[Blocker, ...]]:
    """The job as it keeps away from where it could not be set up; or, if there is nowhere else, what it waits
    for. It holds back no other job meanwhile."""
    until = {node: at for node, at in job.avoids if now < at <= now + _LONGEST_CREDIBLE_S}
    elsewhere = replace(job.ask, exclude_nodes=tuple(sorted({*job.ask.exclude_nodes, *until})))
    if free.could_ever_place(elsewhere):
        return replace(job, ask=elsewhere), ()
    return job, (AvoidsNodes(tuple(sorted(until)), min(until.values())),)


def why_not_now(ask: Ask, free: FreeNodes) -> Blocker:
    """What is missing for an ask that some node in service could run but none has room for now."""
    with free.nothing_kept() as kept:
        if kept is not None and (nodes := _missed(ask, free)):
            names = tuple(node.name for node in free.among(nodes))
            return GpusKept(kept.head, tuple(indices_of(kept.gpus)), names)
        return _what_is_missing(ask, free)


def _missed(ask: Ask, free: FreeNodes) -> int:
    """The nodes without which the ask does not fit, because they keep GPUs for another job."""
    for model in free.models_for(ask) if ask.nodes > 1 else (None,):
        nodes = free.ready_if_released(ask, model)
        if nodes and (ask.nodes == 1 or free.ready(ask, model).bit_count() >= ask.nodes_min):
            return nodes
    return 0


def _what_is_missing(ask: Ask, free: FreeNodes) -> Blocker:
    if ask.nodes > 1:
        return _why_not_on_several(ask, free)
    nodes = free.able(ask)
    if ask.share and ask.gpus:
        return _why_not_shared(ask, free, nodes)
    if ask.gpu_ids:
        busy = free.by_busy_gpus(ask, nodes)
        nodes = busy.get((), 0)
        if not nodes:
            return ExactGpusBusy(ask.node, min(busy, key=lambda ids: (len(ids), ids)))
    wish = PlacedAsk(ask, None)
    if wish.picky:
        some_free = free.among(free.with_any_free_gpu(nodes))
        suitable = {node.bit: node.suitable(ask).bit_count() for node in some_free}
        free_gpus = max(suitable.values(), default=0)
        with_room = sum(bit for bit, gpus in suitable.items() if gpus >= ask.gpus)
    else:
        free_gpus, with_room = free.most_gpus(nodes), nodes
    if free_gpus < ask.gpus:
        return GpusBusy(
            ask.gpus,
            free_gpus,
            ask.node,
            free.foreign(nodes),
            ask.gpu_model,
            ask.gpu_memory_mb,
            ask.no_sharing,
        )
    return _why_not_beside(ask, free, with_room, ask.gpus)


def _why_not_beside(ask: Ask, free: FreeNodes, nodes: int, free_gpus: int) -> CpusBusy | MemoryBusy:
    """Of nodes that have the GPUs: what they lack beside those."""
    free_cpus = free.most_cpus(nodes, free_gpus)
    if free_cpus < ask.cpus:
        return CpusBusy(ask.cpus, free_cpus, ask.node, ask.gpus)
    free_mb = free.most_memory_mb(nodes, free_gpus, ask.cpus)
    return MemoryBusy(ask.memory_mb, free_mb, ask.node, ask.gpus)


def _why_not_shared(ask: Ask, free: FreeNodes, nodes: int) -> Blocker:
    among = free.among(nodes)
    with_cards = sum(node.bit for node in among if node.cards_for(ask) is not None)
    if with_cards:
        return _why_not_beside(ask, free, with_cards, 0)
    joinable, closed = zip(*(node.joinable(ask) for node in among), strict=True)
    most = max((mb for mb in joinable if mb is not None), default=None)
    return GpuMemoryBusy(
        ask.gpus, ask.gpu_memory_mb, max(0, most or 0), ask.node, sum(closed), joinable=most is not None
    )


def _why_not_on_several(ask: Ask, free: FreeNodes) -> Blocker:
    """How many nodes are ready, of the model that is nearest to serving it."""
    able = {model: free.able(ask, model) for model in free.models_for(ask)}
    enough = [model for model, nodes in able.items() if nodes.bit_count() >= ask.nodes_min]
    if ask.gpu_ids and not ask.share:
        ready = max(free.by_busy_gpus(ask, able[model], model).get((), 0).bit_count() for model in enough)
        if ready < ask.nodes_min:
            return ExactGpusBusyOnNodes(ask.gpu_ids, ask.nodes_min, ready)
    ready_nodes = {model: free.ready(ask, model) for model in able}
    of_any_model = 0
    for nodes in ready_nodes.values():
        of_any_model |= nodes
    return NodesBusy(
        wanted=ask.nodes_min,
        ready=max(ready_nodes[model].bit_count() for model in enough),
        mixed=of_any_model.bit_count(),
        gpus=ask.gpus,
        cpus=ask.cpus,
        memory_mb=ask.memory_mb,
        gpu_memory_mb=ask.gpu_memory_mb,
        gpu_model=ask.gpu_model,
    )
