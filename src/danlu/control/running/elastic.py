"""Gives running jobs that take what nodes there are more of them, or fewer: by ending their attempt, since to
begin anew from a checkpoint is what works with every framework."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from danlu.control.running.order_sending import OrderSending
from danlu.control.running.stopping import Stop, stop_attempt
from danlu.core.job import Job, StopIntent
from danlu.core.resources import Allocation
from danlu.core.states import JobState
from danlu.scheduling.elastic import Resize, RunningElastic, resize
from danlu.scheduling.plan import Plan
from danlu.scheduling.snapshot import Snapshot
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.job_rows import get_job, get_jobs
from danlu.store.users import locked_users


def find_resizable(
    jobs: Iterable[Job], held: Mapping[int, Sequence[Allocation]], now: float, pause_s: float
) -> tuple[list[RunningElastic], float | None]:
    """The jobs that may be resized now, and when the next one may be."""
    ready: list[RunningElastic] = []
    later: list[float] = []
    for job in jobs:
        if job.state is not JobState.RUNNING or job.started_at is None or job.id not in held:
            continue
        if job.started_at + pause_s <= now:
            ready.append(RunningElastic(job.id, job.spec.ask, tuple(held[job.id])))
        else:
            later.append(job.started_at + pause_s)
    return ready, min(later, default=None)


class Resizing:
    def __init__(
        self,
        database: Database,
        sending: OrderSending,
        clock: Callable[[], float],
        pause_s: float,
    ) -> None:
        self._database = database
        self._sending = sending
        self._clock = clock
        self._pause_s = pause_s

    async def consider(
        self, snapshot: Snapshot, plan: Plan, held: Mapping[int, Sequence[Allocation]]
    ) -> float | None:
        """Resize what should be, now that the plan is carried out; `held` is what elastic jobs have. Returns
        when to look again, if nothing happens before."""
        jobs = await self._database.read(lambda connection: _may_begin_anew(connection, held))
        ready, again_at = find_resizable(jobs, held, self._clock(), self._pause_s)
        resizes = resize(snapshot, plan, ready)
        if resizes:
            seen = {job.id: job.version for job in jobs}
            stops = await self._database.write(lambda tx: order_resizes(tx, resizes, seen))
            self._sending.stop_soon(stops)
        return again_at


def _may_begin_anew(connection: Connection, job_ids: Iterable[int]) -> list[Job]:
    """Not the jobs of locked users: they run on, and once ended would not begin again."""
    locked = locked_users(connection)
    return [job for job in get_jobs(connection, job_ids) if job.owner not in locked]


def order_resizes(tx: Transaction, resizes: Iterable[Resize], seen: Mapping[int, int]) -> list[Stop]:
    """Mark these jobs for their new beginning; their tasks. One that changed meanwhile is left alone."""
    stops: list[Stop] = []
    locked = locked_users(tx.connection)
    for each in resizes:
        job = get_job(tx.connection, each.job_id)
        if job is None or job.state is not JobState.RUNNING or job.version != seen[job.id]:
            continue
        if job.owner in locked:
            continue
        # It must not take back what it gives way with; its next attempt lifts that again.
        limit: dict[str, Any] = {"nodes": each.nodes} if each.gives_way_to is not None else {}
        stops += stop_attempt(tx, job, StopIntent.RESIZE, None, **limit) or ()
    return stops
