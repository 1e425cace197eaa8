"""The rules of scheduling once more, slow and obvious: full scans, plain sets, nothing remembered."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.nodes.node import NodeRole
from danlu.core.resources import Allocation, Ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.plan import Decision
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot


@dataclass
class Left:
    """What is left of a node."""

    node: NodeView
    gpus: set[int]
    cpus: int
    memory_mb: int

    def gpus_for(self, ask: Ask, model: str | None) -> set[int]:
        """Those of the model it asks for, or of the one that all its tasks are to have."""
        return {
            index
            for index in self.gpus
            if ask.gpu_model.lower() in model_of(self.node, index).lower()
            and (model is None or model == model_of(self.node, index))
        }

    def has_room(self, ask: Ask, model: str | None) -> bool:
        gpus = self.gpus_for(ask, model)
        return (
            set(ask.gpu_ids) <= gpus
            and len(gpus) >= ask.gpus
            and self.cpus >= ask.cpus
            and self.memory_mb >= ask.memory_mb
        )

    def give(self, ask: Ask, model: str | None) -> Allocation:
        rest = sorted(self.gpus_for(ask, model) - set(ask.gpu_ids))[: ask.gpus - len(ask.gpu_ids)]
        given = tuple(sorted({*ask.gpu_ids, *rest}))
        self.gpus -= set(given)
        self.cpus -= ask.cpus
        self.memory_mb -= ask.memory_mb
        return Allocation(self.node.name, given, ask.cpus, ask.memory_mb)


def model_of(node: NodeView, index: int) -> str:
    return node.gpu_models[node.gpu_ids.index(index)] if node.gpu_models else ""


def usable_gpus(node: NodeView) -> set[int]:
    return set(node.gpu_ids) - node.drained_gpus


def is_allowed(ask: Ask, node: NodeView) -> bool:
    """Whether it may be there, by the lists of the ask and what the node is there for."""
    named = ask.node == node.name or node.name in ask.only_nodes
    if node.name in ask.exclude_nodes or ((ask.node or ask.only_nodes) and not named):
        return False
    if ask.node and ask.only_nodes and not (ask.node == node.name and node.name in ask.only_nodes):
        return False
    match node.role:
        case NodeRole.LOGIN:
            return False
        case NodeRole.TRANSFER:
            return named and not ask.gpus
        case NodeRole.DEBUG:
            return named
    return True


def models_on(node: NodeView) -> set[str]:
    return {model_of(node, index) for index in node.gpu_ids}


def models_for(ask: Ask, nodes: tuple[NodeView, ...]) -> list[str | None]:
    """One after the other for several nodes with GPUs; for all others it does not matter."""
    if ask.nodes == 1 or not ask.gpus:
        return [None]
    return sorted({model for node in nodes for model in models_on(node)})


def able_nodes(ask: Ask, nodes: tuple[NodeView, ...], model: str | None) -> list[NodeView]:
    """Nodes in service that could run a task of the ask when empty."""
    return [
        node
        for node in nodes
        if node.up
        and not node.drained
        and is_allowed(ask, node)
        and Left(node, usable_gpus(node), node.cpus, node.memory_mb).has_room(ask, model)
    ]


def able_groups(ask: Ask, nodes: tuple[NodeView, ...]) -> list[tuple[str | None, list[NodeView]]]:
    groups = [(model, able_nodes(ask, nodes, model)) for model in models_for(ask, nodes)]
    return [(model, able) for model, able in groups if len(able) >= ask.nodes_min]


def may_start(job: WaitingJob, snapshot: Snapshot, policy: Policy) -> bool:
    if job.owner in policy.locked or job.held or job.waits_for or job.failed_predecessors:
        return False
    if job.not_before is not None and 0 < job.not_before - snapshot.now <= 7200:
        return False
    return bool(able_groups(job.ask, snapshot.nodes))


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
        if not any(goes_before(*standing(other.owner), *standing(job.owner)) for other in jobs)
    ]
    return min(leaders, key=lambda job: (job.position, job.id))


def preference(ask: Ask, one: Left) -> tuple[int, int, str]:
    if ask.gpus and ask.spread:
        return -len(one.gpus), -one.cpus, one.node.name
    if ask.gpus:
        return len(one.gpus), 0, one.node.name
    if ask.spread:
        return -one.cpus, len(one.gpus), one.node.name
    return len(one.gpus), -one.cpus, one.node.name


def best_nodes(ask: Ask, left: dict[str, Left], nodes: tuple[NodeView, ...]) -> tuple[str | None, list[Left]]:
    """The nodes for its tasks, in the order of names, and the model of all their GPUs."""
    allowed = [one for one in left.values() if is_allowed(ask, one.node)]
    choices = []
    for model in models_for(ask, nodes):
        fitting = [one for one in allowed if one.has_room(ask, model)]
        chosen = sorted(fitting, key=lambda one: preference(ask, one))[: ask.nodes]
        if len(chosen) >= ask.nodes_min:
            free = sum(len(one.gpus) for one in allowed if model in (None, *models_on(one.node)))
            choices.append((-len(chosen), -free if ask.spread else free, model or "", model, chosen))
    if not choices:
        return None, []
    *_, model, chosen = min(choices, key=lambda choice: choice[:3])
    return model, sorted(chosen, key=lambda one: one.node.name)


def keep(ask: Ask, left: dict[str, Left], nodes: tuple[NodeView, ...]) -> list[str]:
    """Take the exact GPUs of the head away from all others, on the nodes that lack the fewest of them."""
    choices = []
    for model, able in able_groups(ask, nodes):
        lacking = sorted(
            (len(set(ask.gpu_ids) - left[node.name].gpus_for(ask, model)), node.name) for node in able
        )[: ask.nodes_min]
        choices.append((sum(count for count, _ in lacking), model or "", [name for _, name in lacking]))
    names = min(choices)[-1]
    for name in names:
        left[name].gpus -= set(ask.gpu_ids)
    return names


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
    waiting = [job for job in snapshot.waiting if may_start(job, snapshot, policy)]
    usage = dict(snapshot.gpus_in_use)
    decisions: list[Decision] = []
    head_found = queue_is_closed = False
    while waiting:
        job = pick_next(waiting, policy, usage)
        waiting.remove(job)
        if job.ask.gpus and queue_is_closed:
            continue
        model, nodes = best_nodes(job.ask, left, snapshot.nodes)
        if nodes:
            decisions.append(Decision(job.id, tuple(node.give(job.ask, model) for node in nodes)))
            usage[job.owner] = usage.get(job.owner, 0) + job.ask.gpus * len(nodes)
        elif job.ask.gpus and not head_found:
            head_found = True
            queue_is_closed = any(
                sum(set(job.ask.gpu_ids) <= left[node.name].gpus_for(job.ask, model) for node in able)
                >= job.ask.nodes_min
                for model, able in able_groups(job.ask, snapshot.nodes)
            )
            if job.ask.gpu_ids:
                keep(job.ask, left, snapshot.nodes)
    return tuple(decisions)
