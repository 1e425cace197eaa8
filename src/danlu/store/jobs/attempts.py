"""Attempts: begun with their resources in one transaction, ended with them freed in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Float, and_, bindparam, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from danlu.codec import encode
from danlu.core.ending import Verdict
from danlu.core.events import EventKind
from danlu.core.job import CANCELLING, Attempt, Job, StopIntent, Task
from danlu.core.resources import Used
from danlu.core.states import ENDED, JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction, in_parts
from danlu.store.engine.records import (
    attempt_from_row,
    node_faults_to_json,
    task_from_row,
    used_from_row,
)
from danlu.store.jobs.queue_order import head_position
from danlu.store.jobs.slots import Cards, Taken, read_taken, take_slots
from danlu.store.jobs.transitions import Stale, StateChange, change_state, change_states

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
        cpu_s=bindparam("cpu_s"),
        peak_memory_mb=bindparam("peak_memory_mb"),
        gpu_s=bindparam("gpu_s"),
    )
)
_FREE_ALLOCATIONS = delete(schema.allocations).where(
    _H.job_id == bindparam("wanted"), _H.attempt == bindparam("attempt")
)
_THIS_TASK = and_(
    _T.job_id == bindparam("wanted"), _T.attempt == bindparam("of_attempt"), _T.rank == bindparam("of_rank")
)
_GATHER = (
    update(schema.tasks)
    .where(_THIS_TASK)
    .values({name: bindparam(name) for name in ("address", "port", "second_port")})
)
_NOTE_TASK = (
    update(schema.tasks)
    .where(_THIS_TASK)
    .values({name: bindparam(name, type_=_T[name].type) for name in ("started_at", "ending")})
)
_TASKS_OF_ATTEMPTS = select(schema.tasks, _A.created_at.label("begun_at")).join(
    schema.attempts, and_(_A.job_id == _T.job_id, _A.number == _T.attempt)
)


@dataclass(frozen=True, slots=True)
class AttemptStart:
    """A waiting job and the tasks of its next attempt."""

    job: Job
    tasks: tuple[Task, ...]


def begin_attempts(tx: Transaction, starts: Sequence[AttemptStart], cards: Cards) -> list[Job]:
    """Give waiting jobs their resources and their next attempt number; those that got them.

    A decision is stale when the job changed, or a GPU is not to be had: nothing is written for it then.
    """
    if not starts:
        return []
    try:
        with tx.undoable():
            return _begin(tx, starts, read_taken(tx.connection, starts_nodes(starts)), cards)
    except (Stale, IntegrityError):
        if len(starts) == 1:
            return []
    return [job for start in starts for job in begin_attempts(tx, [start], cards)]


def starts_nodes(starts: Iterable[AttemptStart]) -> set[str]:
    """The nodes whose GPUs are asked for."""
    return {task.allocation.node for start in starts for task in start.tasks if task.allocation.gpu_ids}


def _begin(tx: Transaction, starts: Sequence[AttemptStart], taken: Taken, cards: Cards) -> list[Job]:
    changes: list[StateChange] = []
    attempts: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    held: list[dict[str, Any]] = []
    for start in starts:
        number = start.job.attempt + 1
        changes.append(_begin_change(start, number))
        attempts.append({"job_id": start.job.id, "number": number, "created_at": tx.now, "detail": ""})
        for task in start.tasks:
            tasks.append(_task_row(start.job.id, number, task))
            held += take_slots(taken, cards, start.job.id, number, task)
    begun = change_states(tx, changes)
    tx.connection.execute(_INSERT_ATTEMPT, attempts)
    tx.connection.execute(_INSERT_TASKS, tasks)
    if held:
        tx.connection.execute(_INSERT_ALLOCATIONS, held)
    return begun


def _begin_change(start: AttemptStart, number: int) -> StateChange:
    first = start.tasks[0].allocation
    names = [task.allocation.node for task in start.tasks]
    several = {"nodes": names} if len(names) > 1 else {}
    columns = {
        "attempt": number,
        "placed": encode(first) | several,
        "not_before": None,
        "stop_intent": None,
        "started_at": None,
        "end_reason": None,
        "exit_code": None,
        "signal": None,
        "detail": "",
    }
    if start.job.spec.is_elastic:
        # Whatever it was allowed this time: the next time it may have all it asks for.
        columns["nodes"] = start.job.spec.nodes
    told = {"node": first.node, "gpu_ids": list(first.gpu_ids)} | several
    if several:
        told["gpus_on_nodes"] = [list(task.allocation.gpu_ids) for task in start.tasks]
    return StateChange(start.job, JobState.STARTING, columns, told)


def _task_row(job_id: int, attempt: int, task: Task) -> dict[str, Any]:
    return {
        "job_id": job_id,
        "attempt": attempt,
        "rank": task.rank,
        **encode(task.allocation),
        "stdout_path": task.stdout_path,
        "stderr_path": task.stderr_path,
        "boot_id": task.boot_id,
        "leased": task.leased,
    }


def note_started(tx: Transaction, started: Sequence[tuple[Job, float]]) -> list[Job]:
    """Their commands run; those for which that is news. Raises Stale."""
    news = [(job, at) for job, at in started if job.state is JobState.STARTING]
    if not news:
        return []
    running = change_states(tx, [StateChange(job, JobState.RUNNING, {"started_at": at}) for job, at in news])
    rows = [{"wanted": job.id, "attempt": job.attempt, "started_at": at} for job, at in news]
    tx.connection.execute(_START_ATTEMPT, rows)
    return running


def note_gathered(tx: Transaction, job: Job, tasks: Sequence[Task]) -> None:
    """The nodes of these tasks were asked, and are there: how each is reached."""
    rows = [
        {
            **_this_task(job, task),
            "address": task.address,
            "port": task.port,
            "second_port": task.second_port,
        }
        for task in tasks
    ]
    tx.connection.execute(_GATHER, rows)


def note_tasks(tx: Transaction, job: Job, tasks: Sequence[Task]) -> None:
    """Tasks of an attempt that has several: when they started, how they ended."""
    rows = [
        {
            **_this_task(job, task),
            "started_at": task.started_at,
            "ending": None if task.end is None else encode(task.end),
        }
        for task in tasks
    ]
    tx.connection.execute(_NOTE_TASK, rows)
    for task in tasks:
        tx.record(
            EventKind.TASK,
            job_id=job.id,
            attempt=job.attempt,
            node=task.allocation.node,
            owner=job.owner,
            rank=task.rank,
            ending=task.end.ending.value if task.end else None,
        )


def _this_task(job: Job, task: Task) -> dict[str, Any]:
    return {"wanted": job.id, "of_attempt": job.attempt, "of_rank": task.rank}


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
    if intent not in CANCELLING:
        return None
    if job.stop_intent in (intent, StopIntent.KILL):
        return job
    # It was to go back to the queue, or might have been tried again, and now shall not; or its grace is over.
    tx.connection.execute(
        update(schema.jobs).where(schema.jobs.c.id == job.id).values(stop_intent=intent.value)
    )
    tx.record(
        EventKind.STOP_CHANGED,
        job_id=job.id,
        attempt=job.attempt or None,
        actor=actor,
        owner=job.owner,
        intent=intent.value,
    )
    return replace(job, stop_intent=intent)


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """The end of a job's current attempt, and what it means for the job."""

    job: Job
    verdict: Verdict
    ended_at: float
    started_at: float | None = None
    cpu_s: float | None = None
    peak_memory_mb: int | None = None

    @property
    def gpu_s(self) -> float | None:
        """For how long it ran, times the GPUs that it held; None where it held none."""
        began_at = self.job.started_at or self.started_at
        gpus = len(self.job.placed.gpu_ids) * max(1, len(self.job.on_nodes)) if self.job.placed else 0
        return gpus * max(0.0, self.ended_at - began_at) if gpus and began_at is not None else None


def end_attempts(tx: Transaction, ends: Sequence[AttemptEnd]) -> list[Job]:
    """Record the ends of current attempts, free what they held, and move the jobs on. Raises Stale."""
    if not ends:
        return []
    positions = _head_positions(tx, ends)
    moved = change_states(tx, [_end_change(end, positions) for end in ends])
    these = [{"wanted": end.job.id, "attempt": end.job.attempt} for end in ends]
    outcomes = [
        {
            **this,
            "ended_at": end.ended_at,
            "started_at": end.started_at,
            "cpu_s": end.cpu_s,
            "peak_memory_mb": end.peak_memory_mb,
            "gpu_s": end.gpu_s,
            **_outcome(end.verdict),
        }
        for this, end in zip(these, ends, strict=True)
    ]
    tx.connection.execute(_END_ATTEMPT, outcomes)
    # A job without GPUs has no slots to free.
    holders = [
        this for this, end in zip(these, ends, strict=True) if not end.job.placed or end.job.placed.gpu_ids
    ]
    if holders:
        tx.connection.execute(_FREE_ALLOCATIONS, holders)
    return moved


def _head_positions(tx: Transaction, ends: Sequence[AttemptEnd]) -> dict[int, float]:
    """New places for those that go to the head of the queue, in the order in which they stood there."""
    first = sorted(
        (end.job for end in ends if end.verdict.to_head), key=lambda job: (job.position, job.id), reverse=True
    )
    if not first:
        return {}
    head = head_position(tx.connection)
    return {job.id: head - number for number, job in enumerate(first)}


def _end_change(end: AttemptEnd, positions: Mapping[int, float]) -> StateChange:
    outcome, verdict = _outcome(end.verdict), end.verdict
    columns = {
        "ended_at": end.ended_at if verdict.state in ENDED else None,
        "started_at": end.job.started_at or end.started_at,
        "not_before": verdict.not_before,
        "retries_used": verdict.retries_used,
        "node_faults": node_faults_to_json(verdict.node_faults),
        "stop_intent": None,
        **outcome,
    }
    if end.job.id in positions:
        columns["position"] = positions[end.job.id]
    # Every user sees events; `detail` names the owner's paths and stays with the job.
    told = {key: value for key, value in outcome.items() if key != "detail" and value is not None}
    return StateChange(end.job, verdict.state, columns, told)


def _outcome(verdict: Verdict) -> dict[str, Any]:
    return {
        "end_reason": verdict.reason.value,
        "exit_code": verdict.exit_code,
        "signal": verdict.signal,
        "detail": verdict.detail,
    }


def attempts_of(connection: Connection, job_id: int) -> list[Attempt]:
    """All attempts of a job with their tasks, oldest first."""
    tasks: dict[int, list[Task]] = {}
    rows = connection.execute(select(schema.attempts).where(_A.job_id == job_id).order_by(_A.number)).all()
    made_at = {row.number: row.created_at for row in rows}
    for row in connection.execute(select(schema.tasks).where(_T.job_id == job_id).order_by(_T.rank)):
        tasks.setdefault(row.attempt, []).append(task_from_row(row, made_at[row.attempt]))
    return [attempt_from_row(row, tuple(tasks.get(row.number, ()))) for row in rows]


def used_by_elements(connection: Connection, array_id: int) -> Used:
    """What all attempts of all elements of an array have used."""
    weight = func.sum(case((_A.gpu_load.is_not(None), _A.gpu_s)))
    row = connection.execute(
        select(
            func.sum(_A.cpu_s).label("cpu_s"),
            func.max(_A.peak_memory_mb).label("peak_memory_mb"),
            func.sum(_A.gpu_s).label("gpu_s"),
            (func.sum(_A.gpu_load * _A.gpu_s) / func.nullif(weight, 0)).label("gpu_load"),
            func.max(_A.gpu_load_peak).label("gpu_load_peak"),
            (func.sum(_A.gpu_memory_mb * _A.gpu_s) / func.nullif(weight, 0)).label("gpu_memory_mb"),
            func.max(_A.gpu_memory_peak_mb).label("gpu_memory_peak_mb"),
        )
        .join(schema.jobs, schema.jobs.c.id == _A.job_id)
        .where(schema.jobs.c.array_id == array_id)
    ).one()
    used = used_from_row(row)
    return replace(used, gpu_memory_mb=None if used.gpu_memory_mb is None else round(used.gpu_memory_mb))


def begun_at(connection: Connection, job_id: int, attempt: int) -> float | None:
    """When this attempt was made; None where there is none."""
    found = connection.execute(
        select(_A.created_at).where(_A.job_id == job_id, _A.number == attempt)
    ).scalar_one_or_none()
    return None if found is None else float(found)


def current_tasks(connection: Connection, jobs: Iterable[Job]) -> dict[int, tuple[Task, ...]]:
    """The tasks of the current attempt of each of these jobs."""
    attempts = {job.id: job.attempt for job in jobs}
    found: dict[int, list[Task]] = {job_id: [] for job_id in attempts}
    for part in in_parts(attempts):
        rows = connection.execute(_TASKS_OF_ATTEMPTS.where(_T.job_id.in_(part)).order_by(_T.rank))
        for row in rows:
            if row.attempt == attempts[row.job_id]:
                found[row.job_id].append(task_from_row(row, row.begun_at))
    return {job_id: tuple(tasks) for job_id, tasks in found.items()}
