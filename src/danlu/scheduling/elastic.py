"""When a running job that takes what nodes there are should have more of them, or fewer. Pure.

It is resized by starting it anew: what it holds counts as given back, and a pass places it from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from danlu.core.blockers import (
    BehindInQueue,
    Blocker,
    CpusBusy,
    ExactGpusBusy,
    ExactGpusBusyOnNodes,
    GpuMemoryBusy,
    GpusBusy,
    GpusKept,
    MemoryBusy,
    NodesBusy,
)
from danlu.core.resources import Allocation, Ask
from danlu.scheduling.placement import FreeNodes
from danlu.scheduling.plan import Plan
from danlu.scheduling.snapshot import Snapshot

_WANTS_WHAT_IS_HELD = (
    BehindInQueue,
    CpusBusy,
    ExactGpusBusy,
    ExactGpusBusyOnNodes,
    GpuMemoryBusy,
    GpusBusy,
    GpusKept,
    MemoryBusy,
    NodesBusy,
)


@dataclass(frozen=True, slots=True)
class RunningElastic:
    """An elastic job that runs and may be resized now."""

    job_id: int
    ask: Ask
    allocations: tuple[Allocation, ...]


@dataclass(frozen=True, slots=True)
class Resize:
    """Start this job anew, on `nodes` nodes at most. It makes room for the job `gives_way_to`, if any: with
    more nodes than these it would take that room again."""

    job_id: int
    nodes: int
    gives_way_to: int | None = None


def resize(snapshot: Snapshot, plan: Plan, running: Sequence[RunningElastic]) -> list[Resize]:
    """Which jobs to resize, after the plan of this snapshot was carried out. While a job in the queue lacks
    something none grows, and one shrinks, if the head of the queue can then start; else all grow that can."""
    if not running or plan.more or plan.paused:
        # What is stopped now would not start again.
        return []
    free = _free_after(snapshot, plan)
    heads = _heads_of_queue(snapshot, plan)
    if not heads:
        return _grow(free, sorted(running, key=lambda job: job.job_id))
    # The job that has most to give first, the youngest of those.
    givers = sorted(running, key=lambda job: (_surplus(job), job.job_id), reverse=True)
    for head, ask in heads:
        for job in givers:
            if (nodes := _nodes_left(free, ask, job)) is not None:
                return [Resize(job.job_id, nodes, gives_way_to=head)]
    return []


def limit_ask(ask: Ask, nodes: int) -> Ask:
    """The ask for no more than so many nodes, though never for fewer than it needs."""
    return replace(ask, nodes=max(ask.nodes_min, min(ask.nodes, nodes)))


def _grow(free: FreeNodes, running: Sequence[RunningElastic]) -> list[Resize]:
    resizes: list[Resize] = []
    for job in running:
        if len(job.allocations) >= job.ask.nodes:
            continue
        with free.trial(job.allocations):
            grown = free.place(job.ask)
        if len(grown) > len(job.allocations):
            resizes.append(Resize(job.job_id, len(grown)))
            # What it will take is not there for the next one; what it holds now may not be free in time.
            held = {each.node for each in job.allocations}
            free.hold(each for each in grown if each.node not in held)
    return resizes


def _nodes_left(free: FreeNodes, wanted: Ask, job: RunningElastic) -> int | None:
    """As many nodes as the job may keep so that both can start, whichever of them has its turn first."""
    for nodes in range(len(job.allocations) - 1, job.ask.nodes_min - 1, -1):
        smaller = limit_ask(job.ask, nodes)
        if all(_place_both(free, job.allocations, asks) for asks in ((smaller, wanted), (wanted, smaller))):
            return nodes
    return None


def _place_both(free: FreeNodes, given_back: Sequence[Allocation], asks: tuple[Ask, Ask]) -> bool:
    with free.trial(given_back):
        return all(free.place(ask) for ask in asks)


def _surplus(job: RunningElastic) -> int:
    return len(job.allocations) - job.ask.nodes_min


def _heads_of_queue(snapshot: Snapshot, plan: Plan) -> list[tuple[int, Ask]]:
    """The first of those that wait for what others hold: of the jobs that need free GPUs, and of those that
    need none."""
    asks = {job.id: job.ask for job in snapshot.waiting}
    heads: dict[bool, tuple[int, Ask]] = {}
    for job_id in plan.order:
        if _lacks_something(plan.blockers.get(job_id, ())):
            heads.setdefault(asks[job_id].needs_free_gpus, (job_id, asks[job_id]))
    return list(heads.values())


def _lacks_something(blockers: tuple[Blocker, ...]) -> bool:
    return len(blockers) == 1 and isinstance(blockers[0], _WANTS_WHAT_IS_HELD)


def _free_after(snapshot: Snapshot, plan: Plan) -> FreeNodes:
    free = FreeNodes(snapshot.nodes, with_memory=any(_needs_memory(job.ask) for job in snapshot.waiting))
    for decision in plan.decisions:
        free.hold(decision.allocations)
    return free


def _needs_memory(ask: Ask) -> bool:
    return ask.share or ask.gpu_memory_mb > 0
