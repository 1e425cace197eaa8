"""Ending jobs: what is written down, and which tasks are then to be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from danlu.core.errors import Conflict
from danlu.core.job import Job, StopIntent, Task
from danlu.core.job_id import label_of
from danlu.core.states import IN_QUEUE, EndReason, JobState
from danlu.store.engine.database import Transaction
from danlu.store.jobs.arrays import give_up_rest, has_rows, insert_elements, open_elements
from danlu.store.jobs.attempts import current_tasks, request_stop
from danlu.store.jobs.transitions import change_state, settle_array

Stop = tuple[Job, Task]
"""A job, and a task of it that is to be stopped."""


def stop_attempt(
    tx: Transaction,
    job: Job,
    intent: StopIntent,
    actor: str | None,
    tasks: Sequence[Task] | None = None,
    **columns: Any,
) -> list[Stop] | None:
    """Write down that the attempt of an active job is to be stopped; its tasks that have not ended. None when
    that is no news. `tasks` are those of the attempt where the caller has them already."""
    stopping = request_stop(tx, job, intent, actor, **columns)
    if stopping is None:
        return None
    if tasks is None:
        tasks = current_tasks(tx.connection, [job])[job.id]
    return [(stopping, task) for task in tasks if task.end is None]


def cancel_job(tx: Transaction, job: Job, actor: str, intent: StopIntent = StopIntent.CANCEL) -> list[Stop]:
    """Cancel a job that waits or runs; the tasks to stop when some are under way. With the intent KILL they
    get no grace, and one that is under way ends."""
    if job.is_array:
        return _cancel_array(tx, job, actor, intent)
    if job.version == 0:
        # An element of an array that has not begun, and now never will.
        job = insert_elements(tx, [job])[0]
    if job.state in IN_QUEUE:
        _cancel_waiting(tx, job, actor)
        return []
    stops = stop_attempt(tx, job, intent, actor)
    if stops is None:
        raise Conflict("changed_meanwhile", job=label_of(job.id))
    return stops


def _cancel_waiting(tx: Transaction, job: Job, actor: str) -> None:
    done = change_state(
        tx,
        job,
        JobState.CANCELLED,
        actor=actor,
        ended_at=tx.now,
        end_reason=EndReason.CANCELLED.value,
        not_before=None,
        exit_code=None,
        signal=None,
        detail="",
    )
    if done is None:
        raise Conflict("changed_meanwhile", job=label_of(job.id))


def _cancel_array(tx: Transaction, array: Job, actor: str, intent: StopIntent) -> list[Stop]:
    """What has not begun is given up; what waits by itself or runs is cancelled one by one."""
    rows = open_elements(tx.connection, array.id)
    give_up_rest(tx, array)
    if array.state in IN_QUEUE and not has_rows(tx.connection, array.id):
        _cancel_waiting(tx, array, actor)
        return []
    if array.state in IN_QUEUE:
        array = change_state(tx, array, JobState.RUNNING, actor=actor) or array
    if array.state in (JobState.RUNNING, JobState.STOPPING):
        request_stop(tx, array, intent, actor)
    tx.at_end(f"array {array.id}", partial(settle_array, array_id=array.id))
    return [stop for element in rows for stop in cancel_job(tx, element, actor, intent)]


def cancel_waiting_elements(tx: Transaction, array: Job, actor: str) -> None:
    """Nothing of a deleted array may begin any more."""
    for element in open_elements(tx.connection, array.id):
        if element.state in IN_QUEUE:
            _cancel_waiting(tx, element, actor)
