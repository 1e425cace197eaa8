"""Whatever is done in whatever order, also by those who look away too long, the books stay right."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from danlu.core.events import Event, EventKind
from danlu.core.job import Job, StopIntent
from danlu.core.states import ACTIVE, RETRYABLE, TRANSITIONS, EndReason, IllegalTransition, JobState
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import Location
from danlu.store.events import events_after
from danlu.store.jobs.attempts import current_tasks, request_stop
from danlu.store.jobs.board import read_holdings
from danlu.store.jobs.job_rows import active_jobs, get_jobs
from danlu.store.jobs.transitions import change_state
from tests.store.builders import (
    HandClock,
    a_spec,
    a_task,
    a_verdict,
    begin_attempt,
    delete_job,
    end_attempt,
    held_gpus,
    insert_job,
    note_start,
)
from tests.store.conftest import NewLocation

S = JobState
GPUS = st.sets(st.integers(0, 3), max_size=2).map(sorted).map(tuple)


@dataclass(frozen=True)
class Step:
    act: str
    job: int
    gpus: tuple[int, ...]
    stale: bool
    """Act on the job as it was when first seen, not as it is."""
    flag: bool


STEPS = st.builds(
    Step,
    act=st.sampled_from(
        ["insert", "hold", "release", "begin", "begin", "begin", "started", "stop", "end", "end", "delete"]
    ),
    job=st.integers(0, 4),
    gpus=GPUS,
    stale=st.sampled_from([False] * 5 + [True]),
    flag=st.booleans(),
)


def take(tx: Transaction, step: Step, job: Job) -> Job | None:
    """One act on a job, just as the control side does it."""
    match step.act:
        case "hold":
            return change_state(tx, job, S.HELD)
        case "release":
            return change_state(tx, job, S.WAITING) if job.state is S.HELD else None
        case "begin":
            return begin_attempt(tx, job, (a_task(*step.gpus),))
        case "started":
            return note_start(tx, job, tx.now)
        case "stop":
            return request_stop(tx, job, StopIntent.CANCEL if step.flag else StopIntent.REQUEUE, None)
        case "delete":
            return delete_job(tx, job)
        case _:
            return end_attempt(tx, job, a_verdict(*_outcome(step, job)), tx.now, None)


def _outcome(step: Step, job: Job) -> tuple[EndReason, JobState | None]:
    if job.stop_intent is StopIntent.CANCEL:
        return EndReason.CANCELLED, None
    if job.stop_intent is StopIntent.REQUEUE:
        return EndReason.REQUEUED, None
    if step.flag:
        return EndReason.COMPLETED, None
    return sorted(RETRYABLE)[step.job], S.WAITING if step.gpus else S.FAILED


@dataclass(frozen=True)
class Books:
    jobs: list[Job]
    events: list[Event]
    held: dict[tuple[str, int], tuple[int, int]]
    wanted: dict[tuple[str, int], tuple[int, int]]


def open_books(connection: Connection) -> Books:
    active = active_jobs(connection)
    tasks = current_tasks(connection, active)
    claims = [
        (("forge", index), (job.id, job.attempt))
        for job in active
        for task in tasks[job.id]
        for index in task.allocation.gpu_ids
    ]
    assert len(claims) == len(dict(claims)), "one GPU, two active jobs"
    holdings = {holding.job_id for holding in read_holdings(connection)}
    assert holdings == {job.id for job in active}
    jobs = get_jobs(connection, range(1, 100))
    return Books(jobs, events_after(connection, 0, 10_000), held_gpus(connection), dict(claims))


def audit(books: Books) -> None:
    assert books.held == books.wanted
    submitted = {e.job_id: e.data["state"] for e in books.events if e.kind is EventKind.SUBMITTED}
    states: dict[int, list[str]] = defaultdict(list)
    for event in books.events:
        if event.kind is EventKind.STATE and event.job_id is not None:
            before, after = event.data["before"], event.data["after"]
            assert (S(before), S(after)) in TRANSITIONS
            chain = states[event.job_id] or [submitted[event.job_id]]
            assert chain[-1] == before, "a step that does not follow from the one before"
            states[event.job_id] = [*chain, after]
    for job in books.jobs:
        chain = states[job.id] or [submitted[job.id]]
        assert chain[-1] == job.state
        assert chain.count(S.STARTING) == job.attempt
        assert (job.ended_at is not None) == (job.state in {S.SUCCEEDED, S.FAILED, S.CANCELLED})
        assert job.stop_intent is None or job.state is S.STOPPING


async def live_through(database: Database, published: list[Event], steps: list[Step]) -> None:
    first_seen: dict[int, Job] = {}
    for step in steps:
        before = await database.read(open_books)
        present = {job.id: job for job in before.jobs}
        if step.act == "insert" or step.job + 1 not in present:
            job_id = await database.write(
                lambda tx, held=step.flag: insert_job(tx, "ann", a_spec(), held=held)
            )
            first_seen[job_id] = (await database.read(lambda c, i=job_id: get_jobs(c, [i])))[0]
            continue
        now = present[step.job + 1]
        job = first_seen[now.id] if step.stale else now
        try:
            done = await database.write(lambda tx, job=job, step=step: take(tx, step, job))
        except IllegalTransition:
            done = None
        books = await database.read(open_books)
        audit(books)
        if done is None or job.version != now.version:
            assert (books.jobs, books.events, books.held) == (before.jobs, before.events, before.held)
        if step.act == "begin" and now.state is S.WAITING and not step.stale:
            taken = any(("forge", index) in before.held for index in step.gpus)
            assert (done is None) == taken
    assert published == (await database.read(open_books)).events


@settings(max_examples=25, deadline=None)
@given(st.lists(STEPS, min_size=5, max_size=40))
def test_no_order_of_acts_can_make_the_books_wrong(new_location: NewLocation, steps: list[Step]) -> None:
    async def story(location: Location) -> None:
        published: list[Event] = []
        database = Database(location, HandClock(), on_commit=published.extend)
        database.start()
        try:
            await live_through(database, published, steps)
        finally:
            await database.close()

    asyncio.run(story(new_location()))


def test_the_acts_above_visit_every_active_state() -> None:
    """A property that is never reached proves nothing: these are the ways into the active states."""
    entering = {edge for edge in TRANSITIONS if edge[1] in ACTIVE}
    assert entering == {
        (S.WAITING, S.STARTING),
        (S.STARTING, S.RUNNING),
        (S.STARTING, S.STOPPING),
        (S.RUNNING, S.STOPPING),
    }
