"""An array in the queue: as if its elements stood there one behind the other, at the price of one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.core.blockers import ArrayFull, BehindInQueue, GpusBusy
from danlu.core.waiting_job import ArrayRoom, WaitingJob
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import Ordering, Policy, Snapshot
from tests.scheduling.builders import NOW, a_job, a_node
from tests.scheduling.worlds import policies, snapshots


def plan_of(nodes: list, jobs: list[WaitingJob], rooms: dict[int, ArrayRoom] | None = None):  # type: ignore[no-untyped-def, type-arg]
    numbered = tuple(
        replace(job, id=job.id or number, position=job.position or float(number))
        for number, job in enumerate(jobs, 1)
    )
    return schedule(Snapshot(NOW, tuple(nodes), numbered, {}, rooms or {}), Policy(Ordering.FIFO))


def test_as_many_start_as_fit_and_the_rest_is_the_head_of_the_queue() -> None:
    plan = plan_of([a_node(gpus=4)], [a_job(1, left=10), a_job(1)])
    assert [each.job_id for each in plan.decisions] == [1, 1, 1, 1]
    assert [each.allocation.gpu_ids for each in plan.decisions] == [(0,), (1,), (2,), (3,)]
    assert plan.blockers == {1: (GpusBusy(1, 0, None),), 2: (BehindInQueue(1, 2),)}
    assert plan.order == (1, 2)


def test_an_array_at_its_limit_holds_back_nobody() -> None:
    plan = plan_of([a_node(gpus=4)], [a_job(1, left=10), a_job(1)], {1: ArrayRoom(at_most=3, active=1)})
    assert [each.job_id for each in plan.decisions] == [1, 1, 2]
    assert plan.blockers == {1: (ArrayFull(3),)}


def test_a_task_that_waits_by_itself_counts_for_its_arrays_limit() -> None:
    again = a_job(1, id=77, position=0.5, array=1)
    plan = plan_of([a_node(gpus=4)], [a_job(1, left=10), again], {1: ArrayRoom(at_most=2, active=1)})
    assert [each.job_id for each in plan.decisions] == [77]
    assert plan.blockers == {1: (ArrayFull(2),)}


def test_ten_thousand_tasks_behind_a_busy_cluster_cost_no_more_than_one() -> None:
    plan = plan_of([a_node(gpus=1, busy=[0])], [a_job(1, left=10_000)])
    assert plan.blockers == {1: (GpusBusy(1, 0, None),)}


@settings(max_examples=300, deadline=None)
@given(snapshots(), policies(), st.data())
def test_it_starts_what_its_tasks_would_as_jobs_of_their_own(
    snapshot: Snapshot, policy: Policy, data: st.DataObject
) -> None:
    sizes = {job.id: data.draw(st.sampled_from([1, 1, 2, 5])) for job in snapshot.waiting}
    arrays = [replace(job, id=job.id * 100, left=sizes[job.id]) for job in snapshot.waiting]
    # Of one array, and of equal age: only their ids keep them in order.
    single = [replace(job, id=job.id * 100 + n) for job in snapshot.waiting for n in range(sizes[job.id])]
    together = schedule(replace(snapshot, waiting=tuple(arrays)), policy)
    apart = schedule(replace(snapshot, waiting=tuple(single)), policy)
    assert [each.allocation for each in together.decisions] == [each.allocation for each in apart.decisions]
    started = Counter(each.job_id for each in together.decisions)
    assert started == Counter(each.job_id // 100 * 100 for each in apart.decisions)
    for job in arrays:
        assert (job.id in together.blockers) == (started[job.id] < job.left)
