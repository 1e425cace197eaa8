"""Carry a plan into the store. Each decision is checked again; a stale one is dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from danlu.control.running.orders import Orders
from danlu.control.running.outputs import log_path, output_paths, stored_paths
from danlu.core.errors import Invalid
from danlu.core.job import Job, Task
from danlu.core.nodes.doctor import find_unfit
from danlu.core.nodes.node import Node, NodeState
from danlu.core.resources import Allocation
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, UnixAccount
from danlu.scheduling.plan import Decision, Plan
from danlu.settings import Settings
from danlu.store.engine.database import Transaction
from danlu.store.jobs.arrays import insert_elements, next_elements, note_begun
from danlu.store.jobs.attempts import AttemptStart, begin_attempts
from danlu.store.jobs.job_rows import get_jobs
from danlu.store.nodes.node_rows import get_nodes
from danlu.store.settings import read_scheduling
from danlu.store.users import locked_users


@dataclass(frozen=True, slots=True)
class Applied:
    """What has begun and is to be sent, once this is durable."""

    orders: list[LaunchOrder]
    gangs: list[tuple[int, int]]
    """Job and attempt, of those whose nodes must be asked first."""

    def __len__(self) -> int:
        return len(self.orders) + len(self.gangs)


def apply_plan(
    tx: Transaction,
    plan: Plan,
    versions: Mapping[int, int],
    boot_ids: Mapping[str, str],
    orders: Orders,
    settings: Settings,
) -> Applied:
    """Begin an attempt for every decision that still holds, with all of its tasks or not at all."""
    # Of a large cluster, only those that a job starts on.
    placed_on = {place.node for each in plan.decisions for place in each.allocations}
    nodes = get_nodes(tx.connection, placed_on)
    decisions = _still_allowed(tx, nodes, plan.decisions)
    cards = {(node.name, gpu.index): gpu for node in nodes.values() for gpu in node.facts.gpus}
    found = _find_jobs(tx, decisions, versions)
    people: dict[str, UnixAccount | Invalid] = {}
    for job, _ in found:
        if job.owner not in people:
            people[job.owner] = orders.find_account(tx, job.owner)
    starts = [
        AttemptStart(job, _make_tasks(job, decision, nodes, boot_ids, settings, people[job.owner], tx.now))
        for job, decision in found
    ]
    tasks = {start.job.id: start.tasks for start in starts}
    applied = Applied([], [])
    for job in begin_attempts(tx, starts, cards):
        account = people[job.owner]
        if job.spec.is_gang and isinstance(account, UnixAccount):
            applied.gangs.append((job.id, job.attempt))
        else:
            applied.orders.extend(orders.make(tx, job, tasks[job.id], account))
    return applied


def _find_jobs(
    tx: Transaction, decisions: list[Decision], versions: Mapping[int, int]
) -> list[tuple[Job, Decision]]:
    """The jobs that are still as the pass saw them, each with its decision; of arrays the next elements. Once
    a lock is answered, nothing of its user starts."""
    locked = locked_users(tx.connection)
    waiting = {
        job.id: job
        for job in get_jobs(tx.connection, {each.job_id for each in decisions})
        if job.state is JobState.WAITING and job.version == versions.get(job.id) and job.owner not in locked
    }
    found: list[tuple[Job, Decision]] = []
    for job_id, group in _by_job(decisions).items():
        job = waiting.get(job_id)
        if job is not None and job.is_array:
            elements, begun = next_elements(tx.connection, job, len(group))
            found += zip(insert_elements(tx, elements), group, strict=False)
            note_begun(tx, job, begun)
        elif job is not None:
            found.append((job, group[0]))
    return found


def _by_job(decisions: list[Decision]) -> dict[int, list[Decision]]:
    groups: dict[int, list[Decision]] = defaultdict(list)
    for each in decisions:
        groups[each.job_id].append(each)
    return groups


def _still_allowed(
    tx: Transaction, nodes: Mapping[str, Node], decisions: tuple[Decision, ...]
) -> list[Decision]:
    """Without those that a pause or a drain has overtaken: once that is answered, nothing starts there."""
    if read_scheduling(tx.connection).paused:
        return []
    return [
        each
        for each in decisions
        if all(_may_start_on(nodes.get(part.node), part) for part in each.allocations)
    ]


def _may_start_on(node: Node | None, allocation: Allocation) -> bool:
    if node is None or node.drained or node.quarantine or node.state is not NodeState.UP or find_unfit(node):
        return False
    usable = {gpu.index for gpu in node.facts.gpus if gpu.managed and not gpu.drained and not gpu.fault}
    return usable.issuperset(allocation.gpu_ids)


def _make_tasks(
    job: Job,
    decision: Decision,
    nodes: Mapping[str, Node],
    boot_ids: Mapping[str, str],
    settings: Settings,
    account: UnixAccount | Invalid,
    now: float,
) -> tuple[Task, ...]:
    home = account.home if isinstance(account, UnixAccount) else ""

    def make(rank: int, allocation: Allocation) -> Task:
        node = nodes[allocation.node]
        own_log = log_path(settings.task_logs, job.id, job.attempt + 1, rank)
        paths = output_paths(job, job.attempt + 1, rank, node.name, settings.task_logs, home)
        leased = job.spec.may_move and node.facts.leased
        boot_id = boot_ids[node.name]
        return Task(rank, allocation, *stored_paths(paths, own_log), boot_id, leased=leased, begun_at=now)

    return tuple(make(rank, allocation) for rank, allocation in enumerate(decision.allocations))
