"""Keeps the nodes and the store in step: at the start, when a node comes back, and every so often."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.cluster.agents import Agents
from danlu.control.accounts import AccountBook
from danlu.control.apply import find_account_of, refuse
from danlu.control.loop import SchedulingLoop
from danlu.control.orders import make_order
from danlu.control.reconcile import Action, Desired, Forget, Launch, Report, Stop, reconcile
from danlu.control.reports import Reports
from danlu.core.errors import Invalid
from danlu.core.job_id import label_of
from danlu.core.node import NodeFacts
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, TaskFact, TaskKey
from danlu.settings import Settings
from danlu.store.attempts import current_tasks
from danlu.store.board import read_holdings
from danlu.store.database import Database, Transaction
from danlu.store.jobs import active_jobs, get_job
from danlu.store.nodes import list_nodes, mark_lost, remove_node, save_facts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that a round's outcome follows from; `commits` stands for what the store has."""

    commits: int
    nodes: tuple[NodeFacts, ...]
    tasks: frozenset[TaskFact]


def _seen(commits: int, nodes: Iterable[NodeFacts], tasks: Iterable[TaskFact]) -> _Seen:
    return _Seen(commits, tuple(sorted(nodes, key=lambda facts: facts.name)), frozenset(tasks))


class Keeping:
    """Level-triggered: each round compares everything, so nothing depends on a message having arrived.

    `commits` grows with everything that is committed. A round that found nothing to do need not be repeated
    while nothing was committed and the nodes say the same: it would find nothing again.
    """

    def __init__(
        self,
        database: Database,
        agents: Agents,
        loop: SchedulingLoop,
        reports: Reports,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
        commits: Callable[[], int],
    ) -> None:
        self._commits = commits
        self._settled: _Seen | None = None
        self._database = database
        self._agents = agents
        self._loop = loop
        self._reports = reports
        self._accounts = accounts
        self._settings = settings
        self._clock = clock

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._settings.resync_s)
            try:
                if not await self._is_settled():
                    await self.round()
            except Exception:
                log.exception("could not compare the nodes with the store")

    async def round(self) -> None:
        """Refresh what is known of the nodes, then settle every difference about tasks."""
        self._settled, commits = None, self._commits()
        reachable = await self._agents.nodes()
        await self._database.write(lambda tx: _save_nodes(tx, reachable))
        boot_ids = {facts.name: facts.boot_id for facts in reachable}
        before = await self._database.read(read_desired)
        observed = await self._agents.tasks()
        after = await self._database.read(read_desired)
        if self._agents.is_one_machine and reachable:
            boot_ids = dict.fromkeys((each.node for each in after), reachable[0].boot_id) | boot_ids
        actions = reconcile(before, observed, after, boot_ids, self._clock())
        for action in actions:
            await self._carry_out(action)
        self._loop.resync()
        if not actions:
            self._settled = _seen(commits, reachable, observed)

    async def _is_settled(self) -> bool:
        """Whether everything is as it was when a round last found nothing to do. Asks the nodes, and the
        database nothing."""
        if self._settled is None or self._settled.commits != self._commits() or self._database.in_doubt:
            return False
        return _seen(self._commits(), await self._agents.nodes(), await self._agents.tasks()) == self._settled

    async def stop_task(self, node: str, key: TaskKey, grace_s: float) -> None:
        """Order a stop. What fails here, the next round repeats."""
        try:
            await self._agents.stop(node, key, grace_s)
        except Exception:
            log.exception("could not order node %s to stop task %s", node, key.label)

    async def _carry_out(self, action: Action) -> None:
        match action:
            case Launch(key):
                order = await self._database.write(lambda tx: self._order_again(tx, key))
                if order is not None:
                    # At once, not as a task of its own: the end of this very attempt may be on its way
                    # to be recorded, and the node must not forget the task before it has seen this again.
                    await self._loop.launch(order)
            case Stop(key, node):
                await self.stop_task(node, key, await self._grace_of(key))
            case Report(fact):
                self._reports.take(fact)
            case Forget(key, node):
                await self._agents.forget(node, [key])

    async def _grace_of(self, key: TaskKey) -> float:
        job = await self._database.read(lambda connection: get_job(connection, key.job))
        return job.spec.grace_s if job else 10.0

    def _order_again(self, tx: Transaction, key: TaskKey) -> LaunchOrder | None:
        """The order of a task that should be starting; None when that is no longer so."""
        job = get_job(tx.connection, key.job)
        if job is None or job.attempt != key.attempt or job.state is not JobState.STARTING:
            return None
        task = current_tasks(tx.connection, [job])[job.id][key.rank]
        try:
            account = find_account_of(tx, job, self._accounts)
        except Invalid as problem:
            log.warning("job %s has nobody to run as any more", label_of(job.id))
            refuse(tx, job, problem)
            return None
        return make_order(job, task, account, self._settings)


def read_desired(connection: Connection) -> list[Desired]:
    """Every task that an active job has."""
    jobs = active_jobs(connection)
    tasks = current_tasks(connection, jobs)
    return [
        Desired(TaskKey(job.id, job.attempt, task.rank), task.allocation.node, job.state, task.boot_id)
        for job in jobs
        for task in tasks[job.id]
    ]


def _save_nodes(tx: Transaction, reachable: list[NodeFacts]) -> None:
    for facts in reachable:
        save_facts(tx, facts)
    names = {facts.name for facts in reachable}
    held = {holding.allocation.node for holding in read_holdings(tx.connection)}
    for node in list_nodes(tx.connection):
        if node.name in names:
            continue
        if node.facts.simulated and node.name not in held:
            # Nobody will miss it, and nothing should be promised on it.
            remove_node(tx, node.name)
        else:
            mark_lost(tx, node.name)
