"""The tasks of one attempt over several nodes, seen together. Pure.

They are told of each other before the first of them starts, and they end together: the first that ends badly
takes the others with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from danlu.core.job import CANCELLING, Job, StopIntent, Task
from danlu.core.states import JobState
from danlu.core.task import Gang, GangMember, Prepared, TaskEnd, TaskEnding, TaskFact

OF_NODE = frozenset({TaskEnding.NODE_LOST, TaskEnding.LEASE_LOST, TaskEnding.REBOOTED})
"""What happened to a node explains whatever else happened to the tasks on the others."""

_BY_ORDER = frozenset({TaskEnding.STOPPED, TaskEnding.NEVER_STARTED})
_OURS = frozenset(
    CANCELLING | {StopIntent.REQUEUE, StopIntent.RESIZE, StopIntent.NODE_LOST, StopIntent.GPU_FAULT}
)
"""Stops that did not begin with a task: one that breaks off because another was stopped explains nothing."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an attempt stands. `stop` says that the tasks which are left are to be stopped, and why;
    `decisive` is the task whose end is that of the attempt, once all have ended."""

    started_at: float | None = None
    """When the last of its tasks had started; None while one has not."""
    stop: StopIntent | None = None
    decisive: Task | None = None


def learn(tasks: Sequence[Task], facts: Iterable[TaskFact]) -> tuple[tuple[Task, ...], list[Task]]:
    """The tasks with what these facts say of them, and those among them for which that is news. What is known
    stays as it was first told; a node speaks of its own tasks alone."""
    known = {task.rank: task for task in tasks}
    news: dict[int, Task] = {}
    for fact in facts:
        task = known.get(fact.key.rank)
        if task is None or task.end is not None or task.allocation.node != fact.node:
            continue
        learnt = replace(
            task,
            started_at=task.started_at if task.started_at is not None else fact.started_at,
            end=fact.end,
        )
        if learnt != task:
            known[task.rank] = news[task.rank] = learnt
    return tuple(known.values()), list(news.values())


def judge_gang(job: Job, tasks: Sequence[Task]) -> Standing:
    """Where the attempt of `job` stands with its tasks like that."""
    ended = [task for task in tasks if task.end is not None]
    if len(ended) == len(tasks):
        return Standing(decisive=_decide(job, tasks))
    if job.state is JobState.STOPPING:
        return Standing()
    if job.spec.follows_first and tasks[0].end is not None:
        return Standing(stop=StopIntent.TASK_FAILED if is_bad(tasks[0].end) else StopIntent.TASK_DONE)
    if any(is_bad(task.end) for task in ended):
        return Standing(stop=StopIntent.TASK_FAILED)
    starts = [task.started_at for task in tasks if task.started_at is not None]
    return Standing(started_at=max(starts) if len(starts) == len(tasks) else None)


def is_bad(end: TaskEnd | None) -> bool:
    """Whether a task ended other than well. A wait status of 0 is exit code 0."""
    return end is not None and not (end.ending is TaskEnding.EXITED and end.wait_status == 0)


def _decide(job: Job, tasks: Sequence[Task]) -> Task:
    """The task whose end is that of the attempt, now that all have ended."""
    if job.spec.follows_first and not is_bad(tasks[0].end):
        return tasks[0]
    of_node = [task for task in tasks if task.end is not None and task.end.ending in OF_NODE]
    by_order = [task for task in tasks if task.end is not None and task.end.ending in _BY_ORDER]
    if of_node:
        return _first(of_node)
    if job.stop_intent in _OURS and by_order:
        return _first(by_order)
    starved = [task for task in tasks if task.end and task.end.ending is TaskEnding.OUT_OF_MEMORY]
    if starved:
        # What the others say is that they lost it.
        return _first(starved)
    if job.spec.follows_first and _ended_itself(tasks[0]):
        return tasks[0]
    bad = [task for task in tasks if is_bad(task.end)]
    of_itself = [task for task in bad if task not in by_order]
    return _first(of_itself or bad or tasks)


def _ended_itself(task: Task) -> bool:
    return task.end is not None and task.end.ending is TaskEnding.EXITED


def _first(tasks: Sequence[Task]) -> Task:
    return min(tasks, key=lambda task: (task.end.ended_at if task.end else 0.0, task.rank))


def end_of_gang(tasks: Sequence[Task], decisive: Task) -> TaskEnd:
    """The end of an attempt, which says whose it was if it was a bad one; it is over with its last task."""
    end = decisive.end
    if end is None:
        raise ValueError(f"task {decisive.rank} has not ended")
    over_at = max(task.end.ended_at for task in tasks if task.end is not None)
    if len(tasks) == 1 or not is_bad(end):
        return replace(end, ended_at=over_at)
    whose = f"rank {decisive.rank} on {decisive.allocation.node}"
    return replace(end, ended_at=over_at, detail=f"{whose}: {end.detail}" if end.detail else whose)


def gather(tasks: Sequence[Task], prepared: Mapping[int, Prepared]) -> tuple[Task, ...]:
    """The tasks with what their nodes said; the first of them alone listens for the others."""
    return tuple(
        replace(
            task,
            address=prepared[task.rank].address,
            port=prepared[task.rank].port if task.rank == 0 else None,
            second_port=prepared[task.rank].second_port if task.rank == 0 else None,
        )
        for task in tasks
    )


def gang_of(job: Job, tasks: Sequence[Task]) -> Gang | None:
    """What the tasks of an attempt are told of each other; None for a job that needs nothing of the kind, or
    before its nodes were asked."""
    if not job.spec.is_gang or not is_gathered(tasks):
        return None
    first = tasks[0]
    return Gang(
        tuple(GangMember(task.allocation.node, task.address, len(task.allocation.gpu_ids)) for task in tasks),
        first.port or 0,
        first.second_port or 0,
        job.spec.launcher.value,
    )


def is_gathered(tasks: Sequence[Task]) -> bool:
    return tasks[0].port is not None
