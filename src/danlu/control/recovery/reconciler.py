"""Keeps the nodes and the store in step: at the start, when a node comes or goes, and every so often."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.event_bus import EventBus
from danlu.control.recovery.differences import Action, Desired, Forget, Launch, Report, Stop, reconcile
from danlu.control.recovery.fencing import fence
from danlu.control.recovery.flapping import comes_and_goes, note_loss
from danlu.control.recovery.node_loss import declare_dead, stop_gangs_on
from danlu.control.running.closed_nodes import ClosedNodes
from danlu.control.running.launching import Launching
from danlu.control.running.order_sending import OrderSending
from danlu.control.running.reports import Reports
from danlu.control.running.scheduling_loop import SchedulingLoop
from danlu.core.nodes.node import Node, NodeFacts, NodeState
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.attempts import current_tasks
from danlu.store.jobs.board import read_holdings
from danlu.store.jobs.job_rows import active_jobs, get_job
from danlu.store.nodes.node_rows import (
    list_nodes,
    losses_of,
    mark_lost,
    remove_node,
    save_facts,
    save_losses,
    set_quarantine,
)

log = logging.getLogger(__name__)

RETRY_S = 1.0
MOST_ON_ONE_NODE_S = 60.0
"""So long a round settles differences with one node, however slowly that answers; the next goes on."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that a round's outcome follows from; `commits` stands for what the store has."""

    commits: int
    nodes: tuple[NodeFacts, ...]
    tasks: frozenset[TaskFact]


def _seen(commits: int, nodes: Iterable[NodeFacts], tasks: Iterable[TaskFact]) -> _Seen:
    return _Seen(commits, tuple(sorted(nodes, key=lambda facts: facts.name)), frozenset(tasks))


class Reconciler:
    """Level-triggered: each round compares everything, so nothing depends on a message having arrived.

    A round that found nothing to do need not be repeated
    while nothing was committed and the nodes say the same: it would find nothing again.

    `lost` are the nodes that cannot be reached, each with since-when. Which of the others are `closed` for
    the moment, the reconciler says too.
    """

    def __init__(
        self,
        database: Database,
        bus: EventBus,
        agents: Agents,
        loop: SchedulingLoop,
        reports: Reports,
        launching: Launching,
        sending: OrderSending,
        closed: ClosedNodes,
        settings: Settings,
        clock: Callable[[], float],
        monotonic: Callable[[], float],
        own_node: str | None,
    ) -> None:
        self.lost: Mapping[str, float] = {}
        self._closed = closed
        self._bus = bus
        self._settled: _Seen | None = None
        self._database = database
        self._agents = agents
        self._loop = loop
        self._reports = reports
        self._launching = launching
        self._sending = sending
        self._settings = settings
        self._clock = clock
        self._monotonic = monotonic
        self._since = monotonic()
        self._due_at: float | None = None
        self._own_node = own_node
        self._connection_down_at = -math.inf
        self._moved: set[str] = set()
        self._wake = asyncio.Event()

    def begin(self) -> None:
        """From now on this server has its say: what another one granted, it granted before."""
        self._since = self._monotonic()

    def hear(self, node: str, _state: NodeState) -> None:
        """A node was lost, or came back: look at once."""
        self._note_connection()
        self._moved.add(node)
        self._settled = None
        self._wake.set()

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s()):
                    await self._wake.wait()
            self._wake.clear()
            try:
                if self._is_due() or not await self._is_settled():
                    await self.round()
            except Exception:
                log.exception("could not compare the nodes with the store")
                self._settled = None
                await asyncio.sleep(RETRY_S)

    def _pause_s(self) -> float:
        if self._due_at is None:
            return self._settings.resync_s
        return min(self._settings.resync_s, max(0.0, self._due_at - self._monotonic()))

    def _is_due(self) -> bool:
        return self._due_at is not None and self._due_at <= self._monotonic()

    async def round(self) -> None:
        """Refresh what is known of the nodes, then settle every difference about tasks."""
        self._settled, self._due_at, commits = None, None, self._bus.commits
        reachable = await self._agents.nodes()
        await self._note_nodes(reachable)
        before = await self._database.read(read_desired)
        self._moved.clear()
        observed = await self._agents.tasks()
        # One that did not answer, though it does again perhaps, has not told what it knows.
        answering = {facts.name for facts in await self._agents.nodes()} - self._moved
        boot_ids = {facts.name: facts.boot_id for facts in reachable if facts.name in answering}
        told = frozenset(boot_ids)
        after = await self._database.read(read_desired)
        if self._agents.is_one_machine and reachable:
            boot_ids = dict.fromkeys((each.node for each in after), reachable[0].boot_id) | boot_ids
        actions = reconcile(before, observed, after, boot_ids, self._clock())
        self._closed.orphans = _find_orphans(actions, [*before, *after])
        orphaned = {node for _, node in self._closed.orphans}
        self._closed.unsettled = (self._closed.unsettled - told) | orphaned
        await self._carry_out_all(actions, {each.key: each.node for each in after})
        self._end_fenced(after)
        self._loop.resync()
        if not actions and not self._moved:
            self._settled = _seen(commits, reachable, observed)

    async def _is_settled(self) -> bool:
        """Whether everything is as it was when a round last found nothing to do. Asks the nodes, and the
        database nothing."""
        if self._settled is None or self._settled.commits != self._bus.commits or self._database.in_doubt:
            return False
        return (
            _seen(self._bus.commits, await self._agents.nodes(), await self._agents.tasks()) == self._settled
        )

    async def _note_nodes(self, reachable: list[NodeFacts]) -> None:
        """Write down who is there, who is lost, and who comes and goes; and stop the gangs of which a lost
        node has a part: it stops that part by itself."""
        silent_since = self._silent_since()
        self._note_connection()

        def write(tx: Transaction) -> list[Node]:
            up = {node.name for node in list_nodes(tx.connection) if node.state is NodeState.UP}
            # Before a pass can see that they are back.
            self._closed.returning = frozenset(facts.name for facts in reachable) - up
            lost = _save_nodes(tx, reachable, lambda node: silent_since(node) is not None)
            for name in self._lost_by_themselves(lost, up):
                losses = note_loss(losses_of(tx.connection, name), tx.now)
                save_losses(tx, name, losses)
                if comes_and_goes(losses):
                    log.warning("node %s comes and goes: nothing starts there until it is undrained", name)
                    set_quarantine(tx, name, losses)
            return list_nodes(tx.connection)

        nodes = await self._database.write(write)
        self._closed.unsettled |= self._closed.returning
        self._closed.returning = frozenset()
        self.lost = {node.name: node.since for node in nodes if node.state is NodeState.LOST}
        there = {facts.name for facts in reachable}
        self._closed.silent = frozenset(
            node.name for node in nodes if node.name not in there and node.state is NodeState.UP
        )
        for name in self._closed.silent:
            self._note_due(self._grant_of(name) + self._lease_s)
        if self.lost:
            stops = await self._database.write(lambda tx: stop_gangs_on(tx, self.lost))
            await self._sending.stop(stops)

    def _note_connection(self) -> None:
        if not self._agents.is_connected:
            self._connection_down_at = self._monotonic()

    def _lost_by_themselves(self, lost: list[str], up: set[str]) -> list[str]:
        """Without those that were lost because no node could be heard: not since our own connection was down,
        or not any of several at once."""
        others = up - {self._own_node}
        if len(lost) > 1 and others.issubset(lost):
            return []
        return [name for name in lost if self._grant_of(name) > self._connection_down_at]

    def _silent_since(self) -> Callable[[Node], float | None]:
        """For a node that does not answer: since when it is lost; None while it may merely be slow. One with
        a lease has time to be heard of for as long as that."""
        now = self._monotonic()

        def since(node: Node) -> float | None:
            if not node.facts.leased and self._settings.cluster is None:
                return now
            silent = self._grant_of(node.name) + self._lease_s
            return silent if silent <= now else None

        return since

    def _grant_of(self, node: str) -> float:
        return max(self._agents.last_grants().get(node, self._since), self._since)

    @property
    def _lease_s(self) -> float:
        return self._settings.cluster.lease_s if self._settings.cluster else 0.0

    def _end_fenced(self, tasks: Iterable[Desired]) -> None:
        """End what lost nodes must have stopped by now, and see when there will be more of it."""
        fenced = fence(
            tasks,
            self.lost,
            self._agents.last_grants(),
            self._since,
            self._lease_s,
            self._monotonic(),
        )
        for task in fenced.over:
            log.warning("task %s is over: its node %s is lost", task.key.label, task.node)
            end = TaskEnd(TaskEnding.NODE_LOST, self._clock())
            self._reports.take(TaskFact(task.key, task.node, end=end))
        self._note_due(fenced.again_at)

    def _note_due(self, at: float | None) -> None:
        if at is not None:
            self._due_at = at if self._due_at is None else min(self._due_at, at)

    async def declare_dead(self, node: str, actor: str, *, is_empty: bool = False) -> list[int]:
        """A lost node will not come back as it was: whatever it had is over, and the jobs whose that was.
        What it stops by itself is over within seconds; where it `is_empty` by its own word, now."""
        jobs, stops = await self._database.write(lambda tx: declare_dead(tx, node, actor, is_empty=is_empty))
        await self._sending.stop(stops)
        return jobs

    async def _carry_out_all(self, actions: Iterable[Action], nodes: Mapping[TaskKey, str]) -> None:
        """Each node's in their order, the nodes side by side: one that is slow holds up no other."""
        by_node: dict[str, list[Action]] = defaultdict(list)
        for action in actions:
            by_node[_node_of(action, nodes)].append(action)
        await asyncio.gather(*(self._carry_out_on(node, each) for node, each in by_node.items()))

    async def _carry_out_on(self, node: str, actions: Iterable[Action]) -> None:
        until = self._monotonic() + MOST_ON_ONE_NODE_S
        for action in actions:
            if self._monotonic() > until:
                log.warning("node %s answers too slowly: the rest is left to the next comparison", node)
                return
            try:
                await self._carry_out(action)
            except NodeUnreachable:
                log.warning("node %s does not answer any more; it is looked at again when it does", node)
                return
            except Exception:
                # One thing that goes wrong must keep nothing else from being done.
                log.exception("could not settle a difference about node %s", node)
                self._note_due(self._monotonic() + RETRY_S)

    async def _carry_out(self, action: Action) -> None:
        match action:
            case Launch(key):
                for order in await self._orders_again(key):
                    # At once, not as a task of its own: the end of this very attempt may be on its way
                    # to be recorded, and the node must not forget the task before it has seen this again.
                    await self._launching.send(order)
            case Stop(key, node):
                await self._sending.stop_task(node, key, await self._grace_of(key))
            case Report(fact):
                self._reports.take(fact)
            case Forget(key, node):
                await self._agents.forget(node, [key])

    async def _grace_of(self, key: TaskKey) -> float:
        job = await self._database.read(lambda connection: get_job(connection, key.job))
        return job.grace_s if job else 10.0

    async def _orders_again(self, key: TaskKey) -> list[LaunchOrder]:
        """The order of a task that should be starting, unless that is no longer so."""
        orders = await self._launching.orders_for(key.job, key.attempt)
        return [order for order in orders if order.key == key]


def _find_orphans(actions: Iterable[Action], wanted: Iterable[Desired]) -> set[tuple[TaskKey, str]]:
    """The tasks that live on nodes that answered, and that should not run."""
    stops = {(action.key, action.node) for action in actions if isinstance(action, Stop)}
    return stops - {(each.key, each.node) for each in wanted}


def _node_of(action: Action, nodes: Mapping[TaskKey, str]) -> str:
    match action:
        case Launch(key):
            return nodes[key]
        case Report(fact):
            return fact.node
        case Stop(_, node) | Forget(_, node):
            return node


def read_desired(connection: Connection) -> list[Desired]:
    """Every task that an active job has and that has not ended."""
    jobs = active_jobs(connection)
    tasks = current_tasks(connection, jobs)
    return [
        Desired(
            TaskKey(job.id, job.attempt, task.rank),
            task.allocation.node,
            JobState.RUNNING if task.started_at and job.state is JobState.STARTING else job.state,
            task.boot_id,
            task.leased,
        )
        for job in jobs
        for task in tasks[job.id]
        if task.end is None
    ]


def _save_nodes(tx: Transaction, reachable: list[NodeFacts], is_lost: Callable[[Node], bool]) -> list[str]:
    """Write down who is there; the nodes that were lost just now."""
    save_facts(tx, reachable)
    names = {facts.name for facts in reachable}
    held = {holding.allocation.node for holding in read_holdings(tx.connection)}
    lost: list[str] = []
    for node in list_nodes(tx.connection):
        if node.name in names or not is_lost(node):
            continue
        if node.facts.simulated and not node.facts.leased and node.name not in held:
            # It has no jobs, and nothing should be promised on it.
            remove_node(tx, node.name)
        elif mark_lost(tx, node.name):
            lost.append(node.name)
    return lost
