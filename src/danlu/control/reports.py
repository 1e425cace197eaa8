"""Takes in what the nodes report: starts and ends of tasks, late, twice or out of order."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace

from danlu.cluster.agents import Agents
from danlu.control.gangs import end_of_gang, judge_gang, learn
from danlu.control.gpu_faults import fault_behind
from danlu.control.sending import send_forget, send_stops
from danlu.control.stopping import Stop
from danlu.core.ending import judge_end
from danlu.core.errors import Unavailable
from danlu.core.job import Job, Task
from danlu.core.states import ACTIVE, IllegalTransition
from danlu.core.task import Ending, TaskFact, TaskKey
from danlu.store.attempts import (
    AttemptEnd,
    current_tasks,
    end_attempts,
    note_started,
    note_tasks,
    request_stop,
)
from danlu.store.database import Database, Transaction
from danlu.store.jobs import get_jobs
from danlu.store.transitions import Stale

log = logging.getLogger(__name__)

RETRY_S = 1.0
_SENSELESS = (ValueError, LookupError, IllegalTransition, Stale)


class Reports:
    """Facts queue here and are recorded in groups. A recorded end is then forgotten by its node."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._database = database
        self._agents = agents
        self._facts: asyncio.Queue[TaskFact] = asyncio.Queue()
        self._stopping: set[asyncio.Task[None]] = set()
        self.on_end: Callable[[TaskFact], None] | None = None
        """Told of every end that a node has reported, whether anybody wanted to know it or not."""

    def take(self, fact: TaskFact) -> None:
        self._facts.put_nowait(fact)

    async def run(self) -> None:
        while True:
            facts = [await self._facts.get()]
            while not self._facts.empty():
                facts.append(self._facts.get_nowait())
            try:
                await self._record(facts)
            except Unavailable as problem:
                # The disk is full, or the database away: they are recorded as soon as that is over.
                log.warning("could not record %d facts yet: %s", len(facts), problem)
                await asyncio.sleep(RETRY_S)
                for fact in facts:
                    self.take(fact)
            except Exception:
                # Nothing is lost: the nodes remember every end until it is recorded, and the next
                # look at what they know brings it here again.
                log.exception("could not record %d facts", len(facts))

    async def _record(self, facts: list[TaskFact]) -> None:
        stops = await self._database.write(lambda tx: record_facts(tx, facts))
        if stops:
            # Not waited for: a node that does not answer must not keep others' reports from being heard.
            stopping = asyncio.create_task(send_stops(self._agents, stops))
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)
        ended: dict[str, list[TaskKey]] = defaultdict(list)
        for fact in facts:
            if fact.end is not None:
                ended[fact.node].append(fact.key)
        await asyncio.gather(*(send_forget(self._agents, node, keys) for node, keys in ended.items()))
        if self.on_end is not None:
            for fact in facts:
                if fact.end is not None:
                    self.on_end(fact)


def record_facts(tx: Transaction, facts: list[TaskFact]) -> list[Stop]:
    """Write them down together; if one makes no sense, one by one, so that it holds up none of the others.
    Returns the tasks that are to be stopped because another of their attempt has ended."""
    try:
        with tx.undoable():
            return _record(tx, facts)
    except _SENSELESS:
        if len(facts) == 1:
            log.exception("could not record the report about task %s", facts[0].key.label)
            return []
        return [stop for fact in facts for stop in record_facts(tx, [fact])]


def _record(tx: Transaction, facts: list[TaskFact]) -> list[Stop]:
    """A fact about an attempt that is over is stale, and dropped; so is one that comes from a node which does
    not have the task: a database that was restored gives the same numbers once more."""
    jobs = {job.id: job for job in get_jobs(tx.connection, {fact.key.job for fact in facts})}
    starts: dict[int, tuple[Job, float]] = {}
    ends: dict[int, AttemptEnd] = {}
    gangs: dict[int, list[TaskFact]] = defaultdict(list)
    for fact in facts:
        job = jobs.get(fact.key.job)
        if job is None or job.attempt != fact.key.attempt or job.state not in ACTIVE:
            continue
        if job.spec.is_gang:
            gangs[job.id].append(fact)
        elif job.placed is None or job.placed.node != fact.node:
            log.warning("node %s speaks of task %s, which it does not have", fact.node, fact.key.label)
        elif fact.end is not None:
            fault = fault_behind(tx.connection, job.placed, fact.end)
            verdict = judge_end(job, fact.end, fault, fact.started_at)
            ends.setdefault(job.id, AttemptEnd(job, verdict, fact.end.ended_at, fact.started_at))
        elif fact.started_at is not None:
            starts.setdefault(job.id, (job, fact.started_at))
    # Who has ended need not be said to have started: its end knows when.
    note_started(tx, [start for job_id, start in starts.items() if job_id not in ends])
    end_attempts(tx, [_with_start(end, starts.get(job_id)) for job_id, end in ends.items()])
    return _record_gangs(tx, [jobs[job_id] for job_id in gangs], gangs) if gangs else []


def _record_gangs(tx: Transaction, jobs: list[Job], facts: Mapping[int, list[TaskFact]]) -> list[Stop]:
    stops: list[Stop] = []
    known = current_tasks(tx.connection, jobs)
    for job in jobs:
        tasks, news = learn(known[job.id], facts[job.id])
        if not news:
            continue
        note_tasks(tx, job, news)
        standing = judge_gang(job, tasks)
        if standing.decisive is not None:
            end_attempts(tx, [_end_gang(tx, job, tasks, standing.decisive)])
        elif standing.stop is not None:
            stopping = request_stop(tx, job, standing.stop, None)
            stops += [(stopping or job, task) for task in tasks if task.end is None]
        elif standing.started_at is not None:
            note_started(tx, [(job, standing.started_at)])
    return stops


def _end_gang(tx: Transaction, job: Job, tasks: tuple[Task, ...], decisive: Task) -> AttemptEnd:
    end = end_of_gang(tasks, decisive)
    faults = (fault_behind(tx.connection, task.allocation, task.end) for task in tasks if task.end)
    fault = next((each for each in faults if each), "") if end.ending is Ending.EXITED else ""
    starts = [task.started_at for task in tasks if task.started_at is not None]
    started_at = max(starts) if len(starts) == len(tasks) else None
    return AttemptEnd(job, judge_end(job, end, fault, started_at), end.ended_at, started_at)


def _with_start(end: AttemptEnd, start: tuple[Job, float] | None) -> AttemptEnd:
    return replace(end, started_at=start[1]) if start and end.started_at is None else end
