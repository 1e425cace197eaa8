"""Before the first task of a gang starts, all of its nodes are asked: either every task is sent, or none."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents
from danlu.control.identity.accounts import AccountBook
from danlu.control.running.apply import find_account_of, refuse
from danlu.control.running.gangs import gang_of, gather, is_gathered
from danlu.control.running.orders import make_order
from danlu.control.running.staging import find_staging
from danlu.core.ending import judge_end
from danlu.core.errors import Invalid
from danlu.core.job import Job, Task
from danlu.core.job_id import label_of
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, Prepared, TaskEnd, TaskEnding, TaskKey
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.attempts import AttemptEnd, current_tasks, end_attempts, note_gathered
from danlu.store.jobs.job_rows import get_job

log = logging.getLogger(__name__)


class GangLaunch:
    """Nothing was launched before what the nodes said is stored. So an attempt for which nothing is stored
    may be given up, and one for which something is can be sent again as often as it takes."""

    def __init__(self, database: Database, agents: Agents, accounts: AccountBook, settings: Settings) -> None:
        self._database = database
        self._agents = agents
        self._accounts = accounts
        self._settings = settings

    async def orders_for(self, job_id: int, attempt: int) -> list[LaunchOrder]:
        """The orders of all tasks that have yet to start; none when the attempt is no longer starting, or had
        to be given up because a node of it does not answer."""
        found = await self._database.read(lambda connection: _find_starting(connection, job_id, attempt))
        if found is None:
            return []
        job, tasks = found
        prepared = None if is_gathered(tasks) else await self._ask(job, tasks)
        return await self._database.write(lambda tx: self._settle(tx, job_id, attempt, prepared))

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
        if not is_gathered(tasks):
            if prepared is None or len(prepared) < len(tasks):
                _give_up(tx, job, [task for task in tasks if task.rank not in (prepared or {})])
                return []
            tasks = gather(tasks, prepared)
            note_gathered(tx, job, tasks)
        try:
            account = find_account_of(tx, job, self._accounts)
        except Invalid as problem:
            log.warning("job %s has nobody to run as any more", label_of(job.id))
            refuse(tx, job, problem)
            return []
        gang, staging = gang_of(job, tasks), find_staging(tx.connection, job.spec)
        return [
            make_order(job, task, account, self._settings, gang, staging)
            for task in tasks
            if task.started_at is None and task.end is None
        ]


def _find_starting(connection: Connection, job_id: int, attempt: int) -> tuple[Job, tuple[Task, ...]] | None:
    job = get_job(connection, job_id)
    if job is None or job.attempt != attempt or job.state is not JobState.STARTING:
        return None
    return job, current_tasks(connection, [job])[job.id]


def _give_up(tx: Transaction, job: Job, missing: list[Task]) -> None:
    nodes = ", ".join(task.allocation.node for task in missing)
    end = TaskEnd(TaskEnding.NEVER_STARTED, tx.now, detail=nodes)
    end_attempts(tx, [AttemptEnd(job, judge_end(job, end, tx.now), tx.now)])
