"""Carry a plan into the store. Each decision is checked again; a stale one is dropped."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.control.accounts import AccountBook
from danlu.control.orders import make_order
from danlu.control.outputs import log_path, output_paths, stored_paths
from danlu.core.ending import judge_end
from danlu.core.errors import Invalid
from danlu.core.job import Job, Task
from danlu.core.node import Node, NodeState
from danlu.core.states import EndReason, JobState
from danlu.core.task import Account, Ending, LaunchOrder, TaskEnd
from danlu.scheduling.plan import Decision, Plan
from danlu.settings import Settings
from danlu.store.attempts import begin_attempt, end_attempt
from danlu.store.database import Transaction
from danlu.store.jobs import get_job
from danlu.store.nodes import list_nodes
from danlu.store.settings import read_scheduling
from danlu.store.users import get_user


def apply_plan(
    tx: Transaction,
    plan: Plan,
    versions: Mapping[int, int],
    boot_ids: Mapping[str, str],
    accounts: AccountBook,
    settings: Settings,
) -> list[LaunchOrder]:
    """Begin an attempt for every decision that still holds; the orders to send once this is durable."""
    orders: list[LaunchOrder] = []
    for decision in _still_allowed(tx, plan.decisions):
        job = get_job(tx.connection, decision.job_id)
        if job is None or job.state is not JobState.WAITING or job.version != versions[job.id]:
            continue
        task = _make_task(job, decision, boot_ids, settings)
        started = begin_attempt(tx, job, (task,))
        if started is None:
            continue
        try:
            account = find_account_of(tx, job, accounts)
        except Invalid as problem:
            refuse(tx, started, problem)
            continue
        orders.append(make_order(started, task, account, settings))
    return orders


def _still_allowed(tx: Transaction, decisions: tuple[Decision, ...]) -> list[Decision]:
    """Without those that a pause or a drain has overtaken: once that is answered, nothing starts there."""
    if read_scheduling(tx.connection).paused:
        return []
    nodes = {node.name: node for node in list_nodes(tx.connection)}
    return [each for each in decisions if _may_start_on(nodes.get(each.allocation.node), each)]


def _may_start_on(node: Node | None, decision: Decision) -> bool:
    if node is None or node.drained or node.state is not NodeState.UP:
        return False
    drained = {gpu.index for gpu in node.facts.gpus if gpu.drained}
    return not drained.intersection(decision.allocation.gpu_ids)


def find_account_of(tx: Transaction, job: Job, accounts: AccountBook) -> Account | None:
    """Whom to run as. Raises Invalid when there is nobody."""
    owner = get_user(tx.connection, job.owner)
    if owner is None:
        raise Invalid("no_such_user", name=job.owner)
    return accounts.account_for(owner)


def _make_task(job: Job, decision: Decision, boot_ids: Mapping[str, str], settings: Settings) -> Task:
    node = decision.allocation.node
    own_log = log_path(settings.logs, job.id, job.attempt + 1, 0)
    paths = output_paths(job, job.attempt + 1, 0, node, settings.logs)
    return Task(0, decision.allocation, *stored_paths(paths, own_log), boot_ids[node])


def refuse(tx: Transaction, job: Job, problem: Invalid) -> None:
    """The attempt ends before it began: there is nobody it could run as."""
    end = TaskEnd(
        Ending.SETUP_FAILED,
        tx.now,
        problem=EndReason.NO_ACCOUNT.value,
        detail=str(problem.facts.get("account") or job.owner),
    )
    end_attempt(tx, job, judge_end(job, end), tx.now, None)
