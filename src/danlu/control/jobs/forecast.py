"""What would become of a job if it stood in the queue now: the scheduler's own pass, in memory. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from danlu.core.array import parse_array
from danlu.core.blockers import Blocker
from danlu.core.job import Job, JobSpec, is_failed_need, is_still_to_end
from danlu.core.job_id import LARGEST_JOB
from danlu.core.resources import Allocation
from danlu.core.states import IN_QUEUE, JobState
from danlu.core.waiting_job import ArrayRoom, WaitingJob
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import Policy, Snapshot

NEWCOMER = LARGEST_JOB
"""Stands for the id that a new job has yet to get: behind all others."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """It would begin at once, on its nodes with `allocations`; of an array `started` would, the first of them
    there. Or `blockers` say why not. `ahead` jobs stand before it in the queue."""

    allocations: tuple[Allocation, ...]
    started: int
    blockers: tuple[Blocker, ...]
    ahead: int

    @property
    def allocation(self) -> Allocation | None:
        """On the first of its nodes."""
        return self.allocations[0] if self.allocations else None


def enqueue(
    spec: JobSpec, owner: str, states: Mapping[int, JobState], *, held: bool, job: Job | None
) -> WaitingJob:
    """The job as it would stand in the queue. `job` is there when it is being edited: in the queue it keeps
    its place, one that has ended goes to the end. `states` are those of its predecessors."""
    in_queue = job is not None and job.state in IN_QUEUE
    needs = [each for each in spec.dependencies if each.job_id in states]
    return WaitingJob(
        id=job.id if job else NEWCOMER,
        owner=owner,
        ask=spec.ask,
        position=job.position if job and in_queue else float(NEWCOMER),
        urgent=spec.urgent,
        held=held,
        not_before=job.not_before if job and in_queue else None,
        waits_for=tuple(each.job_id for each in needs if is_still_to_end(states[each.job_id])),
        failed_predecessors=tuple(
            each.job_id for each in needs if is_failed_need(each.kind, states[each.job_id])
        ),
        left=len(parse_array(spec.array)) if spec.array else 1,
    )


def foresee(snapshot: Snapshot, policy: Policy, job: WaitingJob, at_most: int | None) -> Forecast:
    """What a pass over this snapshot would decide about the job, be it new or in the place of its own row."""
    waiting = (*(each for each in snapshot.waiting if each.id != job.id), job)
    arrays = {array: room for array, room in snapshot.arrays.items() if array != job.id}
    if at_most is not None:
        arrays[job.id] = ArrayRoom(at_most, 0)
    # What is decided here is not started, so there is no need to stop before the job's own turn.
    plan = schedule(replace(snapshot, waiting=waiting, arrays=arrays), policy, most_starts=None)
    own = [decision.allocations for decision in plan.decisions if decision.job_id == job.id]
    return Forecast(
        allocations=own[0] if own else (),
        started=len(own),
        blockers=() if own else plan.blockers[job.id],
        ahead=0 if own else plan.places.get(job.id, 1) - 1,
    )
