"""Arrays: one job with many elements, each with a life of its own."""

from __future__ import annotations

import random

import pytest

from danlu.core.array import ArrayCounts
from danlu.core.blockers import ArrayFull
from danlu.core.errors import Conflict, DanluError, Invalid, NotFound
from danlu.core.events import EventKind
from danlu.core.job import Dependency
from danlu.core.job_id import element_id, is_element, job_of, label_of
from danlu.core.states import ACTIVE, EndReason, JobState
from danlu.store.archive.restoring import settle
from danlu.store.jobs.arrays import list_array
from danlu.store.jobs.dependencies import set_dependencies
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.transitions import change_state
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World, launches
from tests.store.builders import count_areas

S = JobState


async def never_mind(*_: object) -> None:
    """A node that takes its time to stop a task."""


async def counts_of(world: World, job_id: int) -> ArrayCounts:
    counts = (await world.job(job_id)).counts
    assert counts is not None
    return counts


async def states_of(world: World, job_id: int, state: JobState | None = None) -> dict[str, JobState]:
    array = await world.job(job_id)
    elements, _ = await world.control.database.read(lambda c: list_array(c, array, 0, 1000, state))
    return {label_of(element.id): element.state for element in elements}


class TestALife:
    async def test_its_tasks_start_in_order_as_many_as_fit(self, world: World) -> None:
        array = await world.submit(array="0-5", gpus=1)
        for index in range(4):
            order = await world.launch_of(element_id(array, index))
            assert (order.gpu_ids, order.command) == ((index,), "train")
            assert order.log_path.endswith(f"logs/{array}/task-{index}/1.log")
        await world.settle()
        assert launches(world.agents) == [element_id(array, index) for index in range(4)]
        assert await counts_of(world, array) == ArrayCounts(6, begun=4, active=4)
        assert await states_of(world, array, S.WAITING) == {
            f"{array}[4]": S.WAITING,
            f"{array}[5]": S.WAITING,
        }

    async def test_it_succeeds_with_its_last_task(self, world: World) -> None:
        array = await world.submit(array="3,5,9", gpus=1)
        for index in (9, 3):
            await world.runs_to_end(element_id(array, index))
        assert (await world.job(array)).state is S.RUNNING
        await world.runs_to_end(element_id(array, 5))
        job = await world.until(array, S.SUCCEEDED)
        assert (job.end_reason, job.attempt) == (EndReason.COMPLETED, 0)
        assert job.started_at is not None
        assert await world.steps(array) == ["waiting", "running", "succeeded"]

    async def test_one_that_fails_makes_it_fail_in_the_end_and_stops_none_of_the_others(
        self, world: World
    ) -> None:
        array = await world.submit(array="0-2", gpus=1)
        await world.runs_to_end(element_id(array, 0), code=3)
        for index in (1, 2):
            await world.runs_to_end(element_id(array, index))
        job = await world.until(array, S.FAILED)
        assert (job.end_reason, job.detail) == (EndReason.ELEMENTS_FAILED, "1/3")
        assert (await world.job(element_id(array, 0))).exit_code == 3

    async def test_each_task_has_its_own_retries(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=1, retries=1, retry_backoff_s=0.0)
        again = await world.runs_to_end(element_id(array, 1), code=1)
        assert again.retries_used == 1
        await world.runs_to_end(element_id(array, 1), attempt=2)
        await world.runs_to_end(element_id(array, 0))
        await world.until(array, S.SUCCEEDED)
        assert [len(await world.attempts(element_id(array, index))) for index in (0, 1)] == [1, 2]

    async def test_no_more_than_its_limit_run_at_a_time_and_others_pass(self, world: World) -> None:
        array = await world.submit(array="0-9%2", gpus=1)
        other = await world.submit(gpus=1)
        await world.starts(other)
        first = await world.starts(element_id(array, 0))
        await world.settle()
        assert world.control.scheduling_loop.blockers == {array: (ArrayFull(2),)}
        assert (await counts_of(world, array)).active == 2
        world.agents.ends(first)
        await world.launch_of(element_id(array, 2))
        await world.settle()
        assert (await counts_of(world, array)).active == 2

    async def test_it_is_one_row_in_every_list_and_in_two_areas_while_it_is_in_both(
        self, world: World
    ) -> None:
        array = await world.submit(array="0-99", gpus=1)
        await world.starts(element_id(array, 0))

        def look(connection):  # type: ignore[no-untyped-def]
            lists = {
                area: list_jobs(connection, ListQuery(area=area))[0] for area in (None, "waiting", "running")
            }
            return {area: [job.id for job in jobs] for area, jobs in lists.items()}, count_areas(connection)

        ids, counts = await world.control.database.read(look)
        assert ids == {None: [array], "waiting": [array], "running": [array]}
        assert counts == {"waiting": 1, "running": 1, "history": 0}

    async def test_who_waits_for_it_waits_for_all_of_it(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=1)
        after = await world.submit(after=[array])
        await world.runs_to_end(element_id(array, 0))
        await world.settle()
        assert after not in launches(world.agents)
        await world.runs_to_end(element_id(array, 1))
        await world.launch_of(after)

    async def test_ids_are_not_used_up_by_tasks(self, world: World) -> None:
        array = await world.submit(array="0-3", gpus=1)
        await world.runs_to_end(element_id(array, 3))
        assert await world.submit() == array + 1

    async def test_it_survives_a_restart_of_the_server(self, world: World) -> None:
        array = await world.submit(array="0-5", gpus=1)
        key = await world.starts(element_id(array, 1))
        await world.restart()
        world.agents.ends(key)
        await world.until(element_id(array, 1), S.SUCCEEDED)
        for index in (0, 2, 3, 4, 5):
            await world.runs_to_end(element_id(array, index))
        await world.until(array, S.SUCCEEDED)
        assert sorted(launches(world.agents)) == [element_id(array, index) for index in range(6)]

    async def test_stopped_with_the_service_its_tasks_wait_again_each_by_itself(self, world: World) -> None:
        array = await world.submit(array="0-5", gpus=1)
        await world.starts(element_id(array, 0))
        await world.control.stop_jobs()
        assert await counts_of(world, array) == ArrayCounts(6, begun=4)
        await world.restart()
        for index in range(4):
            await world.runs_to_end(element_id(array, index), attempt=2)
        for index in (4, 5):
            await world.runs_to_end(element_id(array, index))
        await world.until(array, S.SUCCEEDED)


class TestCancelling:
    async def test_one_that_has_not_begun_costs_nothing(self, world: World) -> None:
        array = await world.submit(array="0-9999", gpus=9, wait_for_hardware=True)
        await world.control.jobs.cancel(await world.user("bo"), array)
        job = await world.job(array)
        assert (job.state, job.end_reason, job.counts) == (
            S.CANCELLED,
            EndReason.CANCELLED,
            ArrayCounts(10_000, begun=10_000, cancelled=10_000),
        )
        assert set((await states_of(world, array)).values()) == {S.CANCELLED}

    async def test_all_that_runs_is_stopped_and_nothing_more_begins(self, world: World) -> None:
        array = await world.submit(array="0-9", gpus=1)
        await world.runs_to_end(element_id(array, 0))
        await world.starts(element_id(array, 1))
        await world.control.jobs.cancel(await world.user("bo"), array)
        job = await world.until(array, S.CANCELLED)
        assert job.counts is not None
        assert (job.counts.succeeded, job.counts.cancelled, job.counts.active) == (1, 9, 0)
        assert all(state in (S.SUCCEEDED, S.CANCELLED) for state in (await states_of(world, array)).values())

    async def test_one_task_at_a_time_begun_or_not(self, world: World) -> None:
        array = await world.submit(array="0-9%1", gpus=1)
        user = await world.user("bo")
        await world.starts(element_id(array, 0))
        await world.control.jobs.cancel(user, element_id(array, 7))
        await world.control.jobs.cancel(user, element_id(array, 0))
        await world.until(element_id(array, 0), S.CANCELLED)
        assert await world.state(element_id(array, 7)) is S.CANCELLED
        for index in (1, 2, 3, 4, 5, 6, 8, 9):
            await world.runs_to_end(element_id(array, index))
        job = await world.until(array, S.CANCELLED)
        assert job.counts == ArrayCounts(10, 10, 0, 8, 0, 2, at_most=1)
        assert element_id(array, 7) not in launches(world.agents)
        with pytest.raises(Conflict):
            await world.control.jobs.cancel(user, element_id(array, 7))

    async def test_cancelling_each_of_its_tasks_is_the_end_of_it(self, world: World) -> None:
        array = await world.submit(array="0-2", hold=True)
        for index in (2, 0, 1):
            await world.control.jobs.cancel(await world.user("bo"), element_id(array, index))
        assert (await world.job(array)).state is S.CANCELLED


class TestAsAWhole:
    async def test_hold_edit_move_delete_and_resubmit_are_for_the_whole(self, world: World) -> None:
        array = await world.submit(array="0-9", hold=True)
        ann, one = await world.user("ann"), element_id(array, 3)
        jobs = world.control.jobs
        for act in (
            jobs.hold(ann, one),
            jobs.release(ann, one),
            jobs.move(ann, one, 1),
            jobs.resubmit(ann, one),
            jobs.edit(ann, one, JobEdit(set=JobFields(gpus=1))),
            jobs.delete(ann, one, with_successors=False, running="refuse"),
        ):
            with pytest.raises(Conflict) as refusal:
                await act
            assert refusal.value.code == "element_of_array"

    async def test_before_it_has_begun_everything_can_be_edited(self, world: World) -> None:
        array = await world.submit(array="0-9", gpus=1, hold=True)
        user = await world.user("bo")
        await world.control.jobs.edit(user, array, JobEdit(set=JobFields(array="5-7%2")))
        assert await counts_of(world, array) == ArrayCounts(3, at_most=2)
        await world.control.jobs.edit(user, array, JobEdit(clear=["array"]))
        assert (await world.job(array)).counts is None
        await world.control.jobs.edit(user, array, JobEdit(set=JobFields(array="1-2", hold=False)))
        await world.launch_of(element_id(array, 2))

    async def test_once_begun_it_cannot_be_edited_any_more(self, world: World) -> None:
        user = await world.user("bo")
        edit = JobEdit(set=JobFields(name="other"))
        begun = await world.submit(array="0-5%2", gpus=1)
        await world.starts(element_id(begun, 0))
        one_cancelled = await world.submit(array="0-5", hold=True)
        await world.control.jobs.cancel(user, element_id(one_cancelled, 3))
        ended = await world.submit(array="0-0")
        await world.runs_to_end(element_id(ended, 0))
        await world.until(ended, S.SUCCEEDED)
        for array in (begun, one_cancelled, ended):
            with pytest.raises(Conflict) as refusal:
                await world.control.jobs.edit(user, array, edit)
            assert refusal.value.code == "array_begun"
        plain = await world.submit()
        await world.runs_to_end(plain)
        with pytest.raises(Invalid) as refused:
            await world.control.jobs.edit(user, plain, JobEdit(set=JobFields(array="0-3")))
        assert refused.value.field == "array"

    async def test_its_tasks_that_wait_by_themselves_are_held_with_it(self, world: World) -> None:
        array = await world.submit(array="0-9%1", gpus=1, retries=1, retry_backoff_s=0.0)
        key = await world.starts(element_id(array, 0))
        await world.control.jobs.hold(await world.user("bo"), array)
        world.agents.ends(key, code=1)
        await world.until(element_id(array, 0), S.WAITING)
        await world.settle()
        assert [order.key for order in world.agents.launched] == [key]
        await world.control.jobs.release(await world.user("bo"), array)
        await world.launch_of(element_id(array, 0), attempt=2)

    async def test_deleted_with_a_task_that_waits_for_its_retry_nothing_runs(self, world: World) -> None:
        array = await world.submit(array="0-9%2", gpus=1, retries=1, retry_backoff_s=3000.0)
        user = await world.user("bo")
        await world.runs_to_end(element_id(array, 0), code=1)
        await world.launch_of(element_id(array, 2))
        await world.control.jobs.hold(user, array)
        for index in (1, 2):
            await world.runs_to_end(element_id(array, index))
        began = len(launches(world.agents))
        await world.control.jobs.delete(user, array, with_successors=False, running="refuse")
        world.clock.advance(4000.0)
        await world.settle()
        assert len(launches(world.agents)) == began

    async def test_a_task_put_on_hold_by_itself_is_released_by_itself(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=1)
        for index in (0, 1):
            await world.starts(element_id(array, index))
        await world.control.stop_jobs()
        held = element_id(array, 0)
        job = await world.job(held)
        await world.control.database.write(lambda tx: change_state(tx, job, S.HELD))
        await world.restart()
        await world.launch_of(element_id(array, 1), attempt=2)
        await world.settle()
        assert held not in [order.key.job for order in world.agents.launched if order.key.attempt == 2]
        await world.control.jobs.release(await world.user("bo"), held)
        await world.launch_of(held, attempt=2)

    async def test_restored_from_a_backup_its_tasks_under_way_are_on_hold(self, world: World) -> None:
        array = await world.submit(array="0-9", gpus=1)
        for index in range(4):
            await world.starts(element_id(array, index))
        await world.control.database.write(settle)
        assert await counts_of(world, array) == ArrayCounts(10, begun=4)
        assert list(await states_of(world, array, S.HELD)) == [f"{array}[{index}]" for index in range(4)]

    async def test_what_was_cancelled_before_it_began_does_not_stand_in_line(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=3)
        await world.starts(element_id(array, 0))
        small = await world.submit(gpus=1)
        await world.settle()
        assert small not in launches(world.agents)
        await world.control.jobs.cancel(await world.user("bo"), element_id(array, 1))
        await world.launch_of(small)
        assert (await world.job(array)).state is S.RUNNING

    async def test_cancelling_the_head_of_the_queue_lets_the_next_go(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=3)
        key = await world.starts(element_id(array, 0))
        small = await world.submit(gpus=1)
        await world.settle()
        world.agents.stop = never_mind  # type: ignore[method-assign]
        await world.control.jobs.cancel(await world.user("bo"), array)
        await world.launch_of(small)
        world.agents.ends(key)
        await world.until(array, S.CANCELLED)

    async def test_two_arrays_cancelled_in_one_act_are_counted_once_each(self, world: World) -> None:
        first = await world.submit(hold=True)
        arrays = [
            await world.submit(array="0-3", gpus=1, retries=1, retry_backoff_s=3000.0) for _ in range(2)
        ]
        await world.runs_to_end(element_id(arrays[0], 0))
        await world.runs_to_end(element_id(arrays[0], 1), code=1)
        await world.starts(element_id(arrays[1], 0))
        user = await world.user("bo")
        for array in arrays:
            await world.control.database.write(
                lambda tx, array=array: set_dependencies(tx, array, (Dependency(first),))
            )
        await world.control.jobs.delete(user, first, with_successors=True, running="cancel")
        for array in arrays:
            job = await world.until(array, S.CANCELLED)
            assert job.counts is not None
            assert job.counts.ended == job.counts.total == 4

    async def test_held_it_begins_nothing_more(self, world: World) -> None:
        array = await world.submit(array="0-9%1", gpus=1)
        key = await world.starts(element_id(array, 0))
        await world.control.jobs.hold(await world.user("bo"), array)
        world.agents.ends(key)
        await world.until(element_id(array, 0), S.SUCCEEDED)
        await world.settle()
        assert launches(world.agents) == [element_id(array, 0)]
        await world.control.jobs.release(await world.user("bo"), array)
        await world.launch_of(element_id(array, 1))

    async def test_deleted_it_is_gone_with_its_tasks(self, world: World) -> None:
        array = await world.submit(array="0-1", gpus=1)
        for index in (0, 1):
            await world.runs_to_end(element_id(array, index))
        await world.until(array, S.SUCCEEDED)
        user = await world.user("bo")
        await world.control.jobs.delete(user, array, with_successors=False, running="refuse")
        assert await world.state(array) is None
        assert await world.state(element_id(array, 0)) is None
        with pytest.raises(NotFound):
            await world.control.jobs.cancel(user, element_id(array, 1))

    async def test_only_its_indices_are_tasks_of_it(self, world: World) -> None:
        array = await world.submit(array="2,4", hold=True)
        assert await world.state(element_id(array, 4)) is S.HELD
        assert await world.state(element_id(array, 3)) is None
        assert await world.state(element_id(await world.submit(), 0)) is None


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_the_numbers_are_those_of_the_tasks(open_world: OpenWorld, seed: int) -> None:
    """Starts, ends, retries, cancels and restarts in any order: nothing runs twice, nothing is forgotten."""
    rng = random.Random(seed)
    world = await open_world(RecordingAgents(a_machine(gpus=3)))
    arrays = [
        await world.submit(array=text, gpus=1, retries=rng.choice([0, 1]), retry_backoff_s=0.0)
        for text in ("0-6%2", "1,4,9", "0-20:5")
    ]
    user = await world.user("bo")
    for _ in range(60):
        match rng.choice(["begin", "begin", "end", "end", "end", "cancel", "restart", "settle"]):
            case "begin":
                waiting = [
                    k for k, fact in world.agents.known.items() if fact.started_at is None and not fact.end
                ]
                if waiting:
                    world.agents.begins(rng.choice(waiting))
            case "end":
                living = [key for key, fact in world.agents.known.items() if fact.end is None]
                if living:
                    world.agents.ends(rng.choice(living), code=rng.choice([0, 0, 1]))
            case "cancel" if rng.random() < 0.3:
                chosen = rng.choice(arrays)
                target = rng.choice([chosen, element_id(chosen, rng.randint(0, 20))])
                try:
                    await world.control.jobs.cancel(user, target)
                except DanluError:
                    continue
            case "restart" if rng.random() < 0.3:
                await world.restart()
            case _:
                await world.settle()
    for _ in range(40):
        for key in [key for key, fact in world.agents.known.items() if fact.end is None]:
            world.agents.ends(key)
        await world.settle()
    for array in arrays:
        job = await world.job(array)
        states = list((await states_of(world, array)).values())
        assert job.counts is not None
        assert (job.counts.active, job.counts.waiting) == (0, 0)
        assert job.counts.succeeded == states.count(S.SUCCEEDED)
        assert job.counts.failed == states.count(S.FAILED)
        assert job.counts.cancelled == states.count(S.CANCELLED)
        assert job.state not in ACTIVE | {S.WAITING}
    keys = [order.key for order in world.agents.launched]
    assert all(is_element(key.job) and job_of(key.job) in arrays for key in keys)


async def test_every_change_of_a_task_is_an_event_of_that_task(world: World) -> None:
    array = await world.submit(array="0-0", gpus=1)
    await world.runs_to_end(element_id(array, 0))
    told = [
        event.data["after"]
        for event in await world.events(element_id(array, 0))
        if event.kind is EventKind.STATE
    ]
    assert told == ["starting", "running", "succeeded"]


async def test_many_jobs_in_one_request_are_all_accepted_or_none(world: World) -> None:
    user = await world.user("bo")
    good = JobFields(command="true", directory="/work", gpus=1)
    accepted = await world.control.submissions.submit_many(user, [good] * 5, "key-1")
    first = accepted.ids[0]
    assert accepted.ids == list(range(first, first + 5))
    assert accepted.gpus == [1] * 5
    assert await world.control.submissions.submit_many(user, [good] * 5, "key-1") == accepted
    with pytest.raises(Conflict):
        await world.control.submissions.submit_many(user, [good] * 4, "key-1")
    with pytest.raises(Invalid) as refusal:
        await world.control.submissions.submit_many(user, [good, JobFields(command="true", gpus=99)])
    assert refusal.value.field == "jobs.1.gpus"
    assert await world.submit() == accepted.ids[-1] + 1
