"""The same wish for many jobs, each on its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from danlu.control.jobs.job_service import JobService
from danlu.control.jobs.missing_paths import Missing
from danlu.core.errors import DanluError, NotFound
from danlu.core.states import ACTIVE, ENDED, IN_QUEUE, JobState
from danlu.core.user import User
from danlu.wire.jobs import JobAction, RunningSuccessors


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one job: done, with the id of a copy where one was made; or refused."""

    copy: int | None = None
    refusal: DanluError | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    action: JobAction
    with_successors: bool = False
    running: RunningSuccessors = "refuse"
    now: bool = False


SUITABLE: dict[JobAction, frozenset[JobState]] = {
    "cancel": IN_QUEUE | ACTIVE,
    "hold": frozenset({JobState.WAITING}),
    "release": frozenset({JobState.HELD}),
    "delete": IN_QUEUE | ENDED,
    "resubmit": IN_QUEUE | ACTIVE | ENDED,
}
"""For jobs in which states a wish means something."""


async def act_on_jobs(jobs: JobService, user: User, wish: Wish, ids: Sequence[int]) -> dict[int, Outcome]:
    """Do it to each, in this order, as if they were asked for one by one; each job once.

    The writes wait together, so that many of them share a commit.
    """
    deleted: set[int] = set()
    once = list(dict.fromkeys(ids))
    # Looked for before the first is written: copies get their numbers in the order that was asked for.
    missing = await jobs.look_for_copies(once) if wish.action == "resubmit" else [None] * len(once)
    outcomes = await asyncio.gather(
        *(_act(jobs, user, wish, job_id, deleted, lacks) for job_id, lacks in zip(once, missing, strict=True))
    )
    return {
        # One that was deleted as the successor of another is gone, as was wished.
        job_id: Outcome() if isinstance(outcome.refusal, NotFound) and job_id in deleted else outcome
        for job_id, outcome in zip(once, outcomes, strict=True)
    }


async def _act(
    jobs: JobService, user: User, wish: Wish, job_id: int, deleted: set[int], missing: Missing | None
) -> Outcome:
    try:
        match wish.action:
            case "cancel":
                await jobs.cancel(user, job_id, now=wish.now)
            case "hold":
                await jobs.hold(user, job_id)
            case "release":
                await jobs.release(user, job_id)
            case "resubmit":
                return Outcome(copy=await jobs.resubmit(user, job_id, missing))
            case "delete":
                gone, _, _ = await jobs.delete(
                    user, job_id, with_successors=wish.with_successors, running=wish.running
                )
                deleted.update(gone)
    except DanluError as refusal:
        return Outcome(refusal=refusal)
    return Outcome()
