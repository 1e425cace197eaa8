"""Takes in what the nodes report: starts and ends of tasks, late, twice or out of order."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import replace

from danlu.cluster.agents import Agents
from danlu.control.gpu_faults import fault_behind
from danlu.core.ending import judge_end
from danlu.core.errors import Unavailable
from danlu.core.job import Job
from danlu.core.states import ACTIVE, IllegalTransition
from danlu.core.task import TaskFact, TaskKey
from danlu.store.attempts import AttemptEnd, end_attempts, note_started
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
        await self._database.write(lambda tx: record_facts(tx, facts))
        ended: dict[str, list[TaskKey]] = defaultdict(list)
        for fact in facts:
            if fact.end is not None:
                ended[fact.node].append(fact.key)
        for node, keys in ended.items():
            await self._agents.forget(node, keys)


def record_facts(tx: Transaction, facts: list[TaskFact]) -> None:
    """Write them down together; if one makes no sense, one by one, so that it holds up none of the others."""
    try:
        with tx.undoable():
            _record(tx, facts)
    except _SENSELESS:
        if len(facts) == 1:
            log.exception("could not record the report about task %s", facts[0].key.label)
            return
        for fact in facts:
            record_facts(tx, [fact])


def _record(tx: Transaction, facts: list[TaskFact]) -> None:
    """A fact about an attempt that is over is stale, and dropped."""
    jobs = {job.id: job for job in get_jobs(tx.connection, {fact.key.job for fact in facts})}
    starts: dict[int, tuple[Job, float]] = {}
    ends: dict[int, AttemptEnd] = {}
    for fact in facts:
        job = jobs.get(fact.key.job)
        if job is None or job.attempt != fact.key.attempt or job.state not in ACTIVE:
            continue
        if fact.end is not None:
            verdict = judge_end(job, fact.end, fault_behind(tx.connection, job, fact.end))
            ends.setdefault(job.id, AttemptEnd(job, verdict, fact.end.ended_at, fact.started_at))
        elif fact.started_at is not None:
            starts.setdefault(job.id, (job, fact.started_at))
    # Who has ended need not be said to have started: its end knows when.
    note_started(tx, [start for job_id, start in starts.items() if job_id not in ends])
    end_attempts(tx, [_with_start(end, starts.get(job_id)) for job_id, end in ends.items()])


def _with_start(end: AttemptEnd, start: tuple[Job, float] | None) -> AttemptEnd:
    return replace(end, started_at=start[1]) if start and end.started_at is None else end
