"""Attempts: begun with their resources in one transaction, ended with them freed in one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Float, and_, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from danlu.core.ending import Verdict
from danlu.core.job import Attempt, Job, StopIntent, Task
from danlu.core.states import ENDED, JobState
from danlu.store import schema
from danlu.store.database import Transaction, in_parts
from danlu.store.records import attempt_from_row, task_from_row
from danlu.store.transitions import change_state

_A = schema.attempts.c
_T = schema.tasks.c
_H = schema.allocations.c

_THIS_ATTEMPT = and_(_A.job_id == bindparam("wanted"), _A.number == bindparam("attempt"))
_INSERT_ATTEMPT = insert(schema.attempts)
_INSERT_TASKS = insert(schema.tasks)
_INSERT_ALLOCATIONS = insert(schema.allocations)
_START_ATTEMPT = update(schema.attempts).where(_THIS_ATTEMPT).values(started_at=bindparam("started_at"))
_END_ATTEMPT = (
    update(schema.attempts)
    .where(_THIS_ATTEMPT)
    .values(
        # An end that does not know its start leaves the one already told.
        started_at=func.coalesce(bindparam("started_at", type_=Float), _A.started_at),
        ended_at=bindparam("ended_at"),
        end_reason=bindparam("end_reason"),
        exit_code=bindparam("exit_code"),
        signal=bindparam("signal"),
        detail=bindparam("detail"),
    )
)
_FREE_ALLOCATIONS = delete(schema.allocations).where(
    _H.job_id == bindparam("wanted"), _H.attempt == bindparam("attempt")
)


def begin_attempt(tx: Transaction, job: Job, tasks: tuple[Task, ...]) -> Job | None:
    """Give a waiting job its resources and its next attempt number.

    None when the decision is stale: the job changed, or a GPU is held by somebody else. Nothing is
    written then.
    """
    number = job.attempt + 1
    first = tasks[0].allocation
    placed = {
        "node": first.node,
        "gpu_ids": list(first.gpu_ids),
        "cpus": first.cpus,
        "memory_mb": first.memory_mb,
    }
    try:
        with tx.connection.begin_nested() as savepoint:
            started = change_state(
                tx,
                job,
                JobState.STARTING,
                told={"node": first.node, "gpu_ids": list(first.gpu_ids)},
                attempt=number,
                placed=placed,
                not_before=None,
                stop_intent=None,
                started_at=None,
                end_reason=None,
                exit_code=None,
                signal=None,
                detail="",
            )
            if started is None:
                savepoint.rollback()
                return None
            attempt = {"job_id": job.id, "number": number, "created_at": tx.now, "detail": ""}
            tx.connection.execute(_INSERT_ATTEMPT, attempt)
            tx.connection.execute(_INSERT_TASKS, [_task_row(job.id, number, task) for task in tasks])
            held = [row for task in tasks for row in _allocation_rows(job.id, number, task)]
            if held:
                tx.connection.execute(_INSERT_ALLOCATIONS, held)
            return started
    except IntegrityError:
        tx.events.pop()
        return None


def _task_row(job_id: int, attempt: int, task: Task) -> dict[str, Any]:
    return {
        "job_id": job_id,
        "attempt": attempt,
        "rank": task.rank,
        "node": task.allocation.node,
        "gpu_ids": list(task.allocation.gpu_ids),
        "cpus": task.allocation.cpus,
        "memory_mb": task.allocation.memory_mb,
        "stdout_path": task.stdout_path,
        "stderr_path": task.stderr_path,
        "boot_id": task.boot_id,
    }


def _allocation_rows(job_id: int, attempt: int, task: Task) -> list[dict[str, Any]]:
    return [
        {
            "node": task.allocation.node,
            "gpu_index": index,
            "slot": 0,
            "job_id": job_id,
            "attempt": attempt,
            "rank": task.rank,
        }
        for index in task.allocation.gpu_ids
    ]


def note_started(tx: Transaction, job: Job, started_at: float) -> Job | None:
    """Its command runs. None when that is no news."""
    if job.state is not JobState.STARTING:
        return None
    running = change_state(tx, job, JobState.RUNNING, started_at=started_at)
    if running is not None:
        this = {"wanted": job.id, "attempt": job.attempt}
        tx.connection.execute(_START_ATTEMPT, {**this, "started_at": started_at})
    return running


def request_stop(
    tx: Transaction, job: Job, intent: StopIntent, actor: str | None, **columns: Any
) -> Job | None:
    """An active job is to be stopped; None when that is no news.

    Its resources stay its own until its processes are gone.
    """
    if job.state is not JobState.STOPPING:
        told = {"intent": intent.value}
        return change_state(
            tx, job, JobState.STOPPING, actor=actor, told=told, stop_intent=intent.value, **columns
        )
    if intent is StopIntent.CANCEL and job.stop_intent is StopIntent.REQUEUE:
        # It was to go back to the line; now it shall not.
        tx.connection.execute(
            update(schema.jobs).where(schema.jobs.c.id == job.id).values(stop_intent=intent.value)
        )
    return job if intent is StopIntent.CANCEL else None


def end_attempt(
    tx: Transaction, job: Job, verdict: Verdict, ended_at: float, started_at: float | None
) -> Job | None:
    """Record the end of the current attempt, free what it held, and move the job on."""
    outcome: dict[str, Any] = {
        "end_reason": verdict.reason.value,
        "exit_code": verdict.exit_code,
        "signal": verdict.signal,
        "detail": verdict.detail,
    }
    moved = change_state(
        tx,
        job,
        verdict.state,
        # Everybody sees events; `detail` names the owner's paths and stays with the job.
        told={key: value for key, value in outcome.items() if key != "detail" and value is not None},
        ended_at=ended_at if verdict.state in ENDED else None,
        started_at=job.started_at or started_at,
        not_before=verdict.not_before,
        retries_used=verdict.retries_used,
        stop_intent=None,
        **outcome,
    )
    if moved is None:
        return None
    this = {"wanted": job.id, "attempt": job.attempt}
    times = {"ended_at": ended_at, "started_at": started_at}
    tx.connection.execute(_END_ATTEMPT, {**this, **times, **outcome})
    tx.connection.execute(_FREE_ALLOCATIONS, this)
    return moved


def attempts_of(connection: Connection, job_id: int) -> list[Attempt]:
    """All attempts of a job with their tasks, oldest first."""
    tasks: dict[int, list[Task]] = {}
    for row in connection.execute(select(schema.tasks).where(_T.job_id == job_id).order_by(_T.rank)):
        tasks.setdefault(row.attempt, []).append(task_from_row(row))
    rows = connection.execute(select(schema.attempts).where(_A.job_id == job_id).order_by(_A.number))
    return [attempt_from_row(row, tuple(tasks.get(row.number, ()))) for row in rows]


def current_tasks(connection: Connection, jobs: Iterable[Job]) -> dict[int, tuple[Task, ...]]:
    """The tasks of the current attempt of each of these jobs."""
    attempts = {job.id: job.attempt for job in jobs}
    found: dict[int, list[Task]] = {job_id: [] for job_id in attempts}
    for part in in_parts(attempts):
        rows = connection.execute(select(schema.tasks).where(_T.job_id.in_(part)).order_by(_T.rank))
        for row in rows:
            if row.attempt == attempts[row.job_id]:
                found[row.job_id].append(task_from_row(row))
    return {job_id: tuple(tasks) for job_id, tasks in found.items()}
