"""Takes in what the nodes report: starts and ends of tasks, late, twice or out of order."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict

from danlu.cluster.agents import Agents
from danlu.core.ending import judge_end
from danlu.core.states import ACTIVE, IllegalTransition
from danlu.core.task import TaskFact, TaskKey
from danlu.store.attempts import end_attempt, note_started
from danlu.store.database import Database, Transaction
from danlu.store.jobs import get_job

log = logging.getLogger(__name__)


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
    for fact in facts:
        told = len(tx.events)
        try:
            with tx.connection.begin_nested():
                _record_fact(tx, fact)
        except (ValueError, LookupError, IllegalTransition):
            # One report that makes no sense must not hold up all that came with it.
            del tx.events[told:]
            log.exception("could not record the report about task %s", fact.key)


def _record_fact(tx: Transaction, fact: TaskFact) -> None:
    """Write one fact down, unless it tells of an attempt that is over: then it is stale and dropped."""
    job = get_job(tx.connection, fact.key.job)
    if job is None or job.attempt != fact.key.attempt or job.state not in ACTIVE:
        return
    if fact.end is not None:
        end_attempt(tx, job, judge_end(job, fact.end), fact.end.ended_at, fact.started_at)
    elif fact.started_at is not None:
        note_started(tx, job, fact.started_at)
