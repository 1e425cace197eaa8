"""Takes in what the nodes report: starts and ends of tasks, late, twice or out of order."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from danlu.control.running.gangs import end_of_gang, judge_gang, learn
from danlu.control.running.gpu_faults import fault_behind
from danlu.control.running.order_sending import OrderSending
from danlu.control.running.setup_failures import SetupFailures
from danlu.control.running.stopping import Stop, stop_attempt
from danlu.core.clocks import place_end, place_start
from danlu.core.ending import judge_end
from danlu.core.errors import Unavailable
from danlu.core.job import Job, Task
from danlu.core.nodes.node import Node, NodeState
from danlu.core.nodes.node_fault import Blame, Scene, blame_node
from danlu.core.resources import Used, add_up
from danlu.core.states import ACTIVE, IllegalTransition
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.attempts import (
    AttemptEnd,
    current_tasks,
    end_attempts,
    note_started,
    note_tasks,
)
from danlu.store.jobs.job_rows import get_jobs
from danlu.store.jobs.output_parts import note_places
from danlu.store.jobs.transitions import Stale
from danlu.store.nodes.findings import add_finding
from danlu.store.nodes.node_rows import list_nodes

log = logging.getLogger(__name__)

RETRY_S = 1.0
_SENSELESS = (ValueError, LookupError, IllegalTransition, Stale)


class Reports:
    """Facts queue here and are recorded in groups. A recorded end is then forgotten by its node.

    `on_node_fault` is told of nodes where something could not be set up, perhaps because of them; `on_end` of
    every end that a node has reported, also where no job wanted to know it.
    """

    def __init__(
        self,
        database: Database,
        sending: OrderSending,
        folders: Sequence[str],
        setup_failures: SetupFailures,
        on_node_fault: Callable[[set[str]], None],
        on_end: Callable[[TaskFact], None],
    ) -> None:
        self._folders = tuple(folders)
        self._database = database
        self._sending = sending
        self._facts: asyncio.Queue[TaskFact] = asyncio.Queue()
        self._setup_failures = setup_failures
        self._on_node_fault = on_node_fault
        self._on_end = on_end

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
        nodes = NodesAtFault(self._folders, self._setup_failures)
        stops = await self._database.write(lambda tx: record_facts(tx, facts, nodes))
        if nodes.at_fault:
            self._on_node_fault(nodes.at_fault)
        if stops:
            # Not waited for: a node that does not answer must not keep others' reports from being heard.
            self._sending.stop_soon(stops)
        ended: dict[str, list[TaskKey]] = defaultdict(list)
        for fact in facts:
            if fact.end is not None:
                ended[fact.node].append(fact.key)
        await asyncio.gather(*(self._sending.forget(node, keys) for node, keys in ended.items()))
        for fact in facts:
            if fact.end is not None:
                self._on_end(fact)


class NodesAtFault:
    """What the nodes have to do with how tasks ended: looked up once for a group of facts, and only if one of
    them could not be set up. `at_fault` are those that may be to blame."""

    def __init__(self, folders: Sequence[str] = (), failures: SetupFailures | None = None) -> None:
        self.at_fault: set[str] = set()
        self._folders = folders
        self._failures = failures or SetupFailures()
        self._known: dict[str, Node] | None = None

    def scene_of(self, connection: Connection, job: Job, node: str, end: TaskEnd) -> Scene | None:
        if end.ending is not TaskEnding.SETUP_FAILED:
            return None
        if self._known is None:
            self._known = {each.name: each for each in list_nodes(connection)}
        known = self._known.get(node)
        return Scene(
            node,
            known.findings if known is not None else (),
            self._folders,
            tuple(each.name for each in self._known.values() if each.state is NodeState.UP),
            own_log=job.spec.stdout is None and job.spec.stderr is None,
        )

    def note(self, tx: Transaction, key: TaskKey, scene: Scene, end: TaskEnd) -> None:
        """Take a node out of service where one task after the other cannot be set up."""
        blame = blame_node(end, scene)
        if blame is None:
            return
        self.at_fault.add(scene.node)
        if blame is Blame.NODE:
            finding = self._failures.note(scene.node, key, end.detail, tx.now)
            if finding is not None:
                add_finding(tx, scene.node, finding)


def record_facts(tx: Transaction, facts: list[TaskFact], nodes: NodesAtFault | None = None) -> list[Stop]:
    """Write them down together; if one makes no sense, one by one, so that it holds up none of the others.
    Returns the tasks that are to be stopped because another of their attempt has ended."""
    nodes = nodes or NodesAtFault()
    try:
        with tx.undoable():
            return _record(tx, facts, nodes)
    except _SENSELESS:
        if len(facts) == 1:
            log.exception("could not record the report about task %s", facts[0].key.label)
            return []
        return [stop for fact in facts for stop in record_facts(tx, [fact], nodes)]


def _record(tx: Transaction, facts: list[TaskFact], nodes: NodesAtFault) -> list[Stop]:
    """A fact about an attempt that is over is stale, and dropped; so is one that comes from a node which does
    not have the task: a database that was restored gives the same numbers once more."""
    jobs = {job.id: job for job in get_jobs(tx.connection, {fact.key.job for fact in facts})}
    starts: dict[int, tuple[Job, float]] = {}
    ends: dict[int, AttemptEnd] = {}
    gangs: dict[int, list[TaskFact]] = defaultdict(list)
    named: list[TaskFact] = []
    for fact in facts:
        job = jobs.get(fact.key.job)
        if job is None or job.attempt != fact.key.attempt or job.state not in ACTIVE:
            continue
        fact = _on_our_clock(fact, job, tx.now)  # noqa: PLW2901 - whichever node told it
        if fact.stdout_at or fact.stderr_at:
            named.append(fact)
        if job.spec.is_gang:
            gangs[job.id].append(fact)
        elif job.placed is None or job.placed.node != fact.node:
            log.warning("node %s speaks of task %s, which it does not have", fact.node, fact.key.label)
        elif fact.end is not None:
            if job.id not in ends:
                ends[job.id] = _end_single(tx, job, fact.key, fact.end, fact.started_at, nodes)
        elif fact.started_at is not None:
            starts.setdefault(job.id, (job, fact.started_at))
    if named:
        _note_places(tx, named, jobs)
    # Who has ended need not be said to have started: its end knows when.
    note_started(tx, [start for job_id, start in starts.items() if job_id not in ends])
    end_attempts(tx, [_with_start(end, starts.get(job_id)) for job_id, end in ends.items()])
    return _record_gangs(tx, [jobs[job_id] for job_id in gangs], gangs, nodes) if gangs else []


def _on_our_clock(fact: TaskFact, job: Job, now: float) -> TaskFact:
    told_start, start = fact.started_at, job.started_at
    if told_start is not None and start is None:
        start = place_start(told_start, job.submitted_at, now)
    end = fact.end
    if end is not None:
        end = replace(end, ended_at=place_end(end.ended_at, told_start, start, job.submitted_at, now))
    return replace(fact, started_at=start if told_start is not None else None, end=end)


def _end_single(
    tx: Transaction, job: Job, key: TaskKey, end: TaskEnd, started_at: float | None, nodes: NodesAtFault
) -> AttemptEnd:
    placed = job.placed
    fault = fault_behind(tx.connection, placed, end)
    scene = nodes.scene_of(tx.connection, job, placed.node, end) if placed is not None else None
    if scene is not None:
        nodes.note(tx, key, scene, end)
    verdict = judge_end(job, end, tx.now, fault, started_at, scene)
    return AttemptEnd(job, verdict, end.ended_at, started_at, end.cpu_s, end.peak_memory_mb)


def _note_places(tx: Transaction, facts: list[TaskFact], jobs: Mapping[int, Job]) -> None:
    """Where the output of tasks began in files that users named. Most jobs name none."""
    tasks = current_tasks(tx.connection, [jobs[job_id] for job_id in {fact.key.job for fact in facts}])
    for fact in facts:
        for task in tasks[fact.key.job]:
            if task.rank == fact.key.rank and task.allocation.node == fact.node:
                note_places(tx, fact, {"stdout": task.stdout_path, "stderr": task.stderr_path})


def _record_gangs(
    tx: Transaction, jobs: list[Job], facts: Mapping[int, list[TaskFact]], nodes: NodesAtFault
) -> list[Stop]:
    stops: list[Stop] = []
    known = current_tasks(tx.connection, jobs)
    for job in jobs:
        tasks, news = learn(known[job.id], facts[job.id])
        if not news:
            continue
        note_tasks(tx, job, news)
        standing = judge_gang(job, tasks)
        if standing.decisive is not None:
            end_attempts(tx, [_end_gang(tx, job, tasks, standing.decisive, nodes)])
        elif standing.stop is not None:
            stops += stop_attempt(tx, job, standing.stop, None, tasks) or ()
        elif standing.started_at is not None:
            note_started(tx, [(job, standing.started_at)])
    return stops


def _end_gang(
    tx: Transaction, job: Job, tasks: tuple[Task, ...], decisive: Task, nodes: NodesAtFault
) -> AttemptEnd:
    end = end_of_gang(tasks, decisive)
    scene = nodes.scene_of(tx.connection, job, decisive.allocation.node, end)
    if scene is not None:
        nodes.note(tx, TaskKey(job.id, job.attempt, decisive.rank), scene, end)
    faults = (fault_behind(tx.connection, task.allocation, task.end) for task in tasks if task.end)
    fault = next((each for each in faults if each), "") if end.ending is TaskEnding.EXITED else ""
    starts = [task.started_at for task in tasks if task.started_at is not None]
    started_at = max(starts) if len(starts) == len(tasks) else None
    verdict = judge_end(job, end, tx.now, fault, started_at, scene)
    used = add_up(Used(task.end.cpu_s, task.end.peak_memory_mb) for task in tasks if task.end)
    return AttemptEnd(job, verdict, end.ended_at, started_at, used.cpu_s, used.peak_memory_mb)


def _with_start(end: AttemptEnd, start: tuple[Job, float] | None) -> AttemptEnd:
    return replace(end, started_at=start[1]) if start and end.started_at is None else end
