"""The rules of scheduling once more, slow and obvious: full scans, plain sets, nothing remembered."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.plan import Decision
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot, WaitingJob


@dataclass
class Left:
    """What is left of a node."""

    node: NodeView
    gpus: set[int]
    cpus: int
    memory_mb: int

    def has_room(self, ask: Ask) -> bool:
        return (
            set(ask.gpu_ids) <= self.gpus
            and len(self.gpus) >= ask.gpus
            and self.cpus >= ask.cpus
            and self.memory_mb >= ask.memory_mb
        )

    def give(self, ask: Ask) -> Allocation:
        rest = sorted(self.gpus - set(ask.gpu_ids))[: ask.gpus - len(ask.gpu_ids)]
        given = tuple(sorted({*ask.gpu_ids, *rest}))
        self.gpus -= set(given)
        self.cpus -= ask.cpus
        self.memory_mb -= ask.memory_mb
        return Allocation(self.node.name, given, ask.cpus, ask.memory_mb)


def usable_gpus(node: NodeView) -> set[int]:
    return set(node.gpu_ids) - node.drained_gpus


def able_nodes(ask: Ask, nodes: tuple[NodeView, ...]) -> list[NodeView]:
    """Nodes in service that could run the ask when empty."""
    return [
        node
        for node in nodes
        if node.up
        and not node.drained
        and (ask.node is None or ask.node == node.name)
        and Left(node, usable_gpus(node), node.cpus, node.memory_mb).has_room(ask)
    ]


def may_start(job: WaitingJob, snapshot: Snapshot) -> bool:
    if job.held or job.waits_for or job.failed_predecessors:
        return False
    if job.not_before is not None and 0 < job.not_before - snapshot.now <= 7200:
        return False
    return bool(able_nodes(job.ask, snapshot.nodes))


def goes_before(mine: float, my_gpus: int, theirs: float, their_gpus: int) -> bool:
    """Whether priority `mine` with `my_gpus` in use goes strictly before `theirs`."""
    if mine < 0 or theirs < 0:
        return mine < theirs
    if mine == 0 or theirs == 0:
        return mine == 0 and theirs != 0
    return my_gpus / mine < their_gpus / theirs


def pick_next(jobs: list[WaitingJob], policy: Policy, usage: dict[str, int]) -> WaitingJob:
    jobs = [job for job in jobs if job.urgent] or jobs
    if policy.ordering is Ordering.FIFO:
        return min(jobs, key=lambda job: (job.position, job.id))

    def standing(user: str) -> tuple[float, int]:
        return policy.priorities.get(user, 1.0), usage.get(user, 0)

    leaders = [
        job
        for job in jobs
        if not any(goes_before(*standing(other.user), *standing(job.user)) for other in jobs)
    ]
    return min(leaders, key=lambda job: (job.position, job.id))


def best_node(ask: Ask, left: dict[str, Left]) -> Left | None:
    fitting = [
        candidate
        for name, candidate in left.items()
        if (ask.node is None or ask.node == name) and candidate.has_room(ask)
    ]
    if ask.gpus:
        return min(fitting, key=lambda one: (len(one.gpus), one.node.name), default=None)
    return min(fitting, key=lambda one: (len(one.gpus), -one.cpus, one.node.name), default=None)


def decide(snapshot: Snapshot, policy: Policy) -> tuple[Decision, ...]:
    if policy.paused:
        return ()
    left = {
        node.name: Left(
            node,
            usable_gpus(node) - node.used_gpus,
            max(0, node.cpus - node.used_cpus),
            max(0, node.memory_mb - node.used_memory_mb),
        )
        for node in snapshot.nodes
        if node.up and not node.drained
    }
    waiting = [job for job in snapshot.waiting if may_start(job, snapshot)]
    usage = dict(snapshot.gpus_in_use)
    decisions: list[Decision] = []
    head_found = line_is_closed = False
    while waiting:
        job = pick_next(waiting, policy, usage)
        waiting.remove(job)
        if job.ask.gpus and line_is_closed:
            continue
        node = best_node(job.ask, left)
        if node is not None:
            decisions.append(Decision(job.id, (node.give(job.ask),)))
            usage[job.user] = usage.get(job.user, 0) + job.ask.gpus
        elif job.ask.gpus and not head_found:
            head_found = True
            exact = set(job.ask.gpu_ids)
            able = able_nodes(job.ask, snapshot.nodes)
            line_is_closed = any(exact <= left[node.name].gpus for node in able)
    return tuple(decisions)
