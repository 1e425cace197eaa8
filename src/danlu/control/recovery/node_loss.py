"""What a lost node means for the jobs that have a part of themselves there."""

from __future__ import annotations

import logging
from collections.abc import Collection

from danlu.control.running.reports import record_facts
from danlu.control.running.stopping import Stop, stop_attempt
from danlu.core.errors import Conflict, NotFound
from danlu.core.events import EventKind
from danlu.core.job import StopIntent
from danlu.core.job_id import job_of, label_of
from danlu.core.nodes.node import NodeState
from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.store.engine.database import Transaction
from danlu.store.jobs.attempts import current_tasks
from danlu.store.jobs.job_rows import active_jobs
from danlu.store.nodes.node_rows import get_node, list_nodes

log = logging.getLogger(__name__)


def stop_gangs_on(tx: Transaction, lost: Collection[str]) -> list[Stop]:
    """A part of a gang that may move stops by itself with its node's lease. The others are stopped now, not
    only when that is certain: all of them begin anew together. Returns the tasks to stop."""
    gangs = [job for job in active_jobs(tx.connection) if job.spec.is_gang and job.spec.may_move]
    tasks = current_tasks(tx.connection, gangs)
    stops: list[Stop] = []
    for job in gangs:
        doomed = [
            task
            for task in tasks[job.id]
            if task.end is None and task.leased and task.allocation.node in lost
        ]
        if not doomed or job.state is JobState.STOPPING:
            continue
        left = stop_attempt(tx, job, StopIntent.NODE_LOST, None, tasks[job.id])
        if left is not None:
            log.warning("job %s begins anew: node %s is lost", label_of(job.id), doomed[0].allocation.node)
            stops += [stop for stop in left if stop[1].allocation.node not in lost]
    return stops


def declare_dead(
    tx: Transaction, name: str, actor: str, *, is_empty: bool = False
) -> tuple[list[int], list[Stop]]:
    """End whatever a lost node has: an admin knows that it is gone. What stops by itself with the node's
    lease is left to that, which takes seconds and is certain; unless the node `is_empty` by its own word.
    Returns the jobs that had something there, and the tasks to stop elsewhere."""
    node = get_node(tx.connection, name)
    if node is None:
        names = ", ".join(each.name for each in list_nodes(tx.connection))
        raise NotFound("no_such_node", node=name, nodes=names)
    if node.state is not NodeState.LOST:
        raise Conflict("node_answers", node=name)
    jobs = active_jobs(tx.connection)
    tasks = current_tasks(tx.connection, jobs)
    end = TaskEnd(TaskEnding.NODE_LOST, tx.now)
    there = [
        (job, task)
        for job in jobs
        for task in tasks[job.id]
        if task.allocation.node == name and task.end is None
    ]
    facts = [
        TaskFact(TaskKey(job.id, job.attempt, task.rank), name, end=end)
        for job, task in there
        if is_empty or not task.leased
    ]
    ended = sorted({job_of(job.id) for job, _ in there})
    tx.record(EventKind.NODE_DECLARED_DEAD, node=name, actor=actor, jobs=ended)
    return ended, record_facts(tx, facts) if facts else []
