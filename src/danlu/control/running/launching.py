"""From an attempt that has begun to its tasks on their nodes: orders are made, and sent.

Before the first task of a gang starts, all of its nodes are asked: either every task is sent, or none.
Nothing was launched before what the nodes said is stored. So an attempt for which nothing is stored may be
given up, and one for which something is can be sent again as often as it takes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents, NodeUnreachable, OnFact, OrderRefused
from danlu.control.running.gangs import gather, is_gathered
from danlu.control.running.orders import Orders
from danlu.core.ending import judge_end
from danlu.core.job import Job, Task
from danlu.core.job_id import label_of
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, Prepared, TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.attempts import AttemptEnd, current_tasks, end_attempts, note_gathered
from danlu.store.jobs.job_rows import get_job

log = logging.getLogger(__name__)


class Launching:
    """`on_refused` is told the end of a task whose order its node refuses for good."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        orders: Orders,
        clock: Callable[[], float],
        on_refused: OnFact,
    ) -> None:
        self._database = database
        self._agents = agents
        self._orders = orders
        self._clock = clock
        self._on_refused = on_refused
        self._sending: set[asyncio.Task[None]] = set()

    def send_soon(self, order: LaunchOrder) -> None:
        """Send without waiting for the node. What fails here, reconciling sends again."""
        self._begin(self.send(order))

    def launch_soon(self, job_id: int, attempt: int) -> None:
        """Make and send all orders of an attempt, in the same way."""
        self._begin(self._launch(job_id, attempt))

    async def send(self, order: LaunchOrder) -> None:
        """Send an order and wait for its node. An order refused for good is the end of its attempt."""
        try:
            await self._agents.launch(order)
        except OrderRefused as problem:
            end = TaskEnd(TaskEnding.SETUP_FAILED, self._clock(), detail=str(problem))
            self._on_refused(TaskFact(order.key, order.node, end=end))
        except NodeUnreachable:
            log.warning("could not send task %s to node %s yet: no answer", order.key.label, order.node)
        except Exception:
            log.exception("could not send task %s to node %s", order.key.label, order.node)

    async def orders_for(self, job_id: int, attempt: int) -> list[LaunchOrder]:
        """The orders of all tasks that have yet to start; none when the attempt is no longer starting, or had
        to be given up because a node of it does not answer."""
        found = await self._database.read(lambda connection: _find_starting(connection, job_id, attempt))
        if found is None:
            return []
        job, tasks = found
        prepared = await self._ask(job, tasks) if _must_gather(job, tasks) else None
        return await self._database.write(lambda tx: self._settle(tx, job_id, attempt, prepared))

    def _begin(self, sending: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _launch(self, job_id: int, attempt: int) -> None:
        try:
            orders = await self.orders_for(job_id, attempt)
        except Exception:
            log.exception("could not gather the nodes of job %s", label_of(job_id))
            return
        await asyncio.gather(*(self.send(order) for order in orders))

    async def _ask(self, job: Job, tasks: tuple[Task, ...]) -> dict[int, Prepared]:
        """What the nodes say; those that do not answer are not in it."""
        keys = [TaskKey(job.id, job.attempt, task.rank) for task in tasks]
        said = await asyncio.gather(
            *(self._agents.prepare(task.allocation.node, key) for task, key in zip(tasks, keys, strict=True)),
            return_exceptions=True,
        )
        for task, answer in zip(tasks, said, strict=True):
            if isinstance(answer, BaseException):
                label, node = label_of(job.id), task.allocation.node
                log.warning("job %s does not start now: node %s is not ready: %s", label, node, answer)
        return {
            task.rank: answer
            for task, answer in zip(tasks, said, strict=True)
            if not isinstance(answer, BaseException)
        }

    def _settle(
        self, tx: Transaction, job_id: int, attempt: int, prepared: dict[int, Prepared] | None
    ) -> list[LaunchOrder]:
        found = _find_starting(tx.connection, job_id, attempt)
        if found is None:
            return []
        job, tasks = found
        if _must_gather(job, tasks):
            if prepared is None or len(prepared) < len(tasks):
                _give_up(tx, job, [task for task in tasks if task.rank not in (prepared or {})])
                return []
            tasks = gather(tasks, prepared)
            note_gathered(tx, job, tasks)
        return self._orders.make(tx, job, tasks)


def _must_gather(job: Job, tasks: tuple[Task, ...]) -> bool:
    return job.spec.is_gang and not is_gathered(tasks)


def _find_starting(connection: Connection, job_id: int, attempt: int) -> tuple[Job, tuple[Task, ...]] | None:
    job = get_job(connection, job_id)
    if job is None or job.attempt != attempt or job.state is not JobState.STARTING:
        return None
    return job, current_tasks(connection, [job])[job.id]


def _give_up(tx: Transaction, job: Job, missing: list[Task]) -> None:
    nodes = ", ".join(task.allocation.node for task in missing)
    end = TaskEnd(TaskEnding.NEVER_STARTED, tx.now, detail=nodes)
    end_attempts(tx, [AttemptEnd(job, judge_end(job, end, tx.now), tx.now)])
