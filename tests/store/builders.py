"""A store that is easy to tell stories about: jobs in one line, one call for every step of their lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from danlu.core.ending import Verdict
from danlu.core.events import Event, EventKind
from danlu.core.job import Dependency, DependencyKind, Job, JobSpec, StopIntent, Task
from danlu.core.resources import Allocation
from danlu.core.states import AREAS, STATE_AFTER, EndReason, JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Database, Transaction
from danlu.store.events import events_after
from danlu.store.jobs.attempts import (
    AttemptEnd,
    AttemptStart,
    begin_attempts,
    end_attempts,
    note_started,
    request_stop,
)
from danlu.store.jobs.dependencies import drop_predecessor
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.job_rows import NewJob, get_job, get_jobs, insert_jobs
from danlu.store.jobs.transitions import Stale, change_state

T = TypeVar("T")


class HandClock:
    """Stands still until a test moves it."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


def a_spec(command: str = "train", **fields: Any) -> JobSpec:
    return JobSpec(command=command, **fields)


def after(*ids: int) -> tuple[Dependency, ...]:
    return tuple(Dependency(each) for each in ids)


def after_ok(*ids: int) -> tuple[Dependency, ...]:
    return tuple(Dependency(each, DependencyKind.OK) for each in ids)


def a_task(*gpu_ids: int, node: str = "forge", rank: int = 0) -> Task:
    return Task(rank, Allocation(node, gpu_ids, 1, 0), "/out.log", "/out.log", "boot-1")


def a_verdict(reason: EndReason, state: JobState | None = None, **facts: Any) -> Verdict:
    return Verdict(state or STATE_AFTER[reason], reason, **facts)


def insert_job(tx: Transaction, owner: str, spec: JobSpec, *, held: bool, **more: Any) -> int:
    return insert_jobs(tx, [NewJob(owner, spec, held, **more)])[0]


def begin_attempt(tx: Transaction, job: Job, tasks: tuple[Task, ...]) -> Job | None:
    return next(iter(begin_attempts(tx, [AttemptStart(job, tasks)], {})), None)


def note_start(tx: Transaction, job: Job, started_at: float) -> Job | None:
    try:
        return next(iter(note_started(tx, [(job, started_at)])), None)
    except Stale:
        return None


def end_attempt(
    tx: Transaction, job: Job, verdict: Verdict, ended_at: float, started_at: float | None
) -> Job | None:
    try:
        return end_attempts(tx, [AttemptEnd(job, verdict, ended_at, started_at)])[0]
    except Stale:
        return None


def delete_job(tx: Transaction, job: Job) -> Job | None:
    drop_predecessor(tx, job.id)
    return change_state(tx, job, JobState.DELETED, ended_at=None)


def count_areas(connection: Connection, **filters: Any) -> dict[str, int]:
    """How many jobs a list of each area has."""
    return {
        area: len(list_jobs(connection, ListQuery(area=area, limit=10_000, **filters))[0]) for area in AREAS
    }


def held_gpus(connection: Connection) -> dict[tuple[str, int], tuple[int, int]]:
    """Which attempt of which job holds each GPU."""
    return {
        (row.node, row.gpu_index): (row.job_id, row.attempt)
        for row in connection.execute(select(schema.allocations))
    }


class Shop:
    """The store in a test's hands. Each call is one write, done by the book."""

    def __init__(self, database: Database, clock: HandClock, published: list[Event] | None = None) -> None:
        """`published` is where the database tells its commits."""
        self.database = database
        self.clock = clock
        self.published = published if published is not None else []

    async def write(self, command: Callable[[Transaction], T]) -> T:
        return await self.database.write(command)

    async def read(self, question: Callable[[Connection], T]) -> T:
        return await self.database.read(question)

    async def submit(self, spec: JobSpec | None = None, *, owner: str = "ann", held: bool = False) -> Job:
        job_id = await self.write(lambda tx: insert_job(tx, owner, spec or a_spec(), held=held))
        return await self.job(job_id)

    async def submit_many(self, count: int, **fields: Any) -> list[Job]:
        return [await self.submit(a_spec(**fields)) for _ in range(count)]

    async def job(self, job_id: int) -> Job:
        job = await self.read(lambda connection: get_job(connection, job_id))
        assert job is not None, f"job {job_id} is gone"
        return job

    async def row(self, job_id: int) -> Job:
        """The job, even when it was deleted."""
        return (await self.read(lambda connection: get_jobs(connection, [job_id])))[0]

    async def change(self, job: Job, state: JobState, **columns: Any) -> Job | None:
        return await self.write(lambda tx: change_state(tx, job, state, **columns))

    async def begin(self, job: Job, *gpu_ids: int, node: str = "forge") -> Job | None:
        return await self._step(lambda tx: begin_attempt(tx, job, (a_task(*gpu_ids, node=node),)))

    async def started(self, job: Job) -> Job | None:
        return await self._step(lambda tx: note_start(tx, job, tx.now))

    async def stop(self, job: Job, intent: StopIntent = StopIntent.CANCEL) -> Job | None:
        return await self._step(lambda tx: request_stop(tx, job, intent, "ann"))

    async def end(self, job: Job, verdict: Verdict) -> Job | None:
        return await self._step(lambda tx: end_attempt(tx, job, verdict, tx.now, None))

    async def _step(self, command: Callable[[Transaction], Job | None]) -> Job | None:
        """Take it; the job as it is stored then, None when the step was stale."""
        done = await self.write(command)
        return await self.job(done.id) if done else None

    async def delete(self, job: Job) -> Job | None:
        return await self.write(lambda tx: delete_job(tx, job))

    async def run_to_end(self, job: Job, reason: EndReason = EndReason.COMPLETED) -> Job:
        """Begin, start and end it, all on no GPU."""
        begun = await self.begin(job)
        assert begun is not None
        running = await self.started(begun)
        assert running is not None
        await self.end(running, a_verdict(reason))
        return await self.job(job.id)

    async def events(self, job_id: int | None = None, kind: EventKind | None = None) -> list[Event]:
        every = await self.read(lambda connection: events_after(connection, 0, 100_000))
        return [
            event
            for event in every
            if (job_id is None or event.job_id == job_id) and (kind is None or event.kind is kind)
        ]

    async def steps(self, job_id: int) -> list[tuple[str, str]]:
        """The (before, after) of every state change of a job, in order."""
        changes = await self.events(job_id, EventKind.STATE)
        return [(event.data["before"], event.data["after"]) for event in changes]

    async def held(self) -> dict[tuple[str, int], tuple[int, int]]:
        return await self.read(held_gpus)
