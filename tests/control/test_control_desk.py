"""What people do with jobs, and what they may not."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from danlu.control.jobs import auto_numbers
from danlu.core.errors import Conflict, DanluError, Forbidden, Invalid, NotFound
from danlu.core.events import EventKind
from danlu.core.job import Dependency
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.core.user import Role
from danlu.scheduling.auto import choose
from danlu.store.jobs.dependencies import dependencies_of
from danlu.store.pruning import events_known
from danlu.store.settings import change_general
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.agents import StubbornAgents
from tests.control.conftest import OpenWorld
from tests.control.world import World, launches

S = JobState


@pytest.fixture
async def quiet(world: World) -> World:
    """A world in which nothing starts: what is in the queue stays there."""
    await world.schedule(paused=True)
    return world


async def edit(
    world: World, job_id: int, user: str = "bo", clear: list[str] | None = None, **fields: object
) -> None:
    change = JobEdit(set=JobFields(**fields), clear=clear or [])  # type: ignore[arg-type]
    await world.control.jobs.edit(await world.user(user), job_id, change)


async def cancel(world: World, job_id: int, user: str = "bo") -> None:
    await world.control.jobs.cancel(await world.user(user), job_id)


async def delete(
    world: World, job_id: int, *, successors: bool = False, running: str = "refuse"
) -> tuple[list[int], list[int], list[int]]:
    bo = await world.user("bo")
    return await world.control.jobs.delete(bo, job_id, with_successors=successors, running=running)


async def refused(world: World, attempt: object, kind: type[DanluError], code: str) -> DanluError:
    """It is refused, and nothing at all was changed by it."""
    before = await world.control.database.read(events_known)
    with pytest.raises(kind) as refusal:
        await attempt  # type: ignore[misc]
    assert refusal.value.code == code
    assert await world.control.database.read(events_known) == before
    return refusal.value


class TestSubmitting:
    async def test_the_same_key_and_body_give_the_same_job(self, quiet: World) -> None:
        first = await quiet.submit(key="k", gpus=1)
        assert await quiet.submit(key="k", gpus=1) == first
        assert await quiet.queue() == [first]

    async def test_the_same_key_with_another_body_is_refused(self, quiet: World) -> None:
        first = await quiet.submit(key="k", gpus=1)
        refusal = await refused(quiet, quiet.submit(key="k", gpus=2), Conflict, "key_reused")
        assert refusal.facts == {"job": first}

    async def test_the_same_key_of_somebody_else_is_another_key(self, quiet: World) -> None:
        assert await quiet.submit("bo", key="k") != await quiet.submit("cy", key="k")

    async def test_a_key_still_answers_after_the_job_was_edited_or_deleted(self, quiet: World) -> None:
        job_id = await quiet.submit(key="k")
        await edit(quiet, job_id, gpus=2)
        assert await quiet.submit(key="k") == job_id
        await delete(quiet, job_id)
        assert await quiet.submit(key="k") == job_id

    async def test_two_hundred_at_once_with_repeated_keys_make_no_job_twice(self, quiet: World) -> None:
        ids = await asyncio.gather(*(quiet.submit(key=f"k{n % 40}") for n in range(200)))
        assert len(set(ids)) == 40
        assert sorted(await quiet.queue()) == sorted(set(ids))
        assert all(ids[n] == ids[n % 40] for n in range(200))

    async def test_without_a_key_every_submission_is_a_new_job(self, quiet: World) -> None:
        assert await quiet.submit() != await quiet.submit()

    async def test_the_users_defaults_fill_what_was_not_said(self, quiet: World) -> None:
        await quiet.change_user("bo", defaults={"gpus": 2, "cpus": 3, "hold": True})
        job = await quiet.job(await quiet.submit(gpus=1))
        assert (job.spec.gpus, job.spec.cpus, job.state) == (1, 3, S.HELD)

    async def test_mail_among_defaults_of_an_earlier_version_is_ignored(self, quiet: World) -> None:
        await quiet.change_user("bo", defaults={"cpus": 3, "mail": ["bo@lab"]})
        job = await quiet.job(await quiet.submit())
        assert job.spec.cpus == 3

    async def test_a_viewer_only_looks(self, quiet: World) -> None:
        await quiet.add_user("eve", Role.VIEWER)
        await refused(quiet, quiet.submit("eve"), Forbidden, "viewers_only_look")

    @pytest.mark.parametrize(
        ("ask", "field"),
        [
            ({"gpus": 5}, "gpus"),
            ({"gpu_ids": [9]}, "gpu_ids"),
            ({"cpus": 17}, "cpus"),
            ({"memory_mb": 64_001}, "memory_mb"),
            ({"gpus": 5, "node": "forge"}, "gpus"),
        ],
    )
    async def test_what_no_node_can_ever_give_is_refused_with_the_field_to_blame(
        self, quiet: World, ask: dict[str, object], field: str
    ) -> None:
        refusal = await refused(quiet, quiet.submit(**ask), Invalid, "no_such_hardware")
        assert refusal.field == field
        assert await quiet.submit(**ask, wait_for_hardware=True)

    async def test_a_node_that_does_not_exist_is_named_with_those_that_do(self, quiet: World) -> None:
        refusal = await refused(quiet, quiet.submit(node="froge"), Invalid, "no_such_node")
        assert refusal.facts == {"node": "froge", "nodes": "forge"}

    async def test_a_predecessor_must_exist(self, quiet: World) -> None:
        await refused(quiet, quiet.submit(after=[99]), Invalid, "no_such_predecessor")
        gone = await quiet.submit()
        await delete(quiet, gone)
        await refused(quiet, quiet.submit(after_ok=[gone]), Invalid, "no_such_predecessor")


class TestEditing:
    async def test_a_waiting_job_changes_in_place(self, quiet: World) -> None:
        first, second = await quiet.submit(name="a", node="forge"), await quiet.submit()
        await edit(quiet, first, gpus=2, name="b", clear=["node"])
        job = await quiet.job(first)
        assert (job.spec.gpus, job.spec.name, job.spec.node, job.state) == (2, "b", None, S.WAITING)
        assert await quiet.queue() == [first, second]

    async def test_a_held_job_stays_held_unless_the_edit_says_otherwise(self, quiet: World) -> None:
        job_id = await quiet.submit(hold=True)
        await edit(quiet, job_id, gpus=2)
        assert await quiet.state(job_id) is S.HELD
        await edit(quiet, job_id, hold=False)
        assert await quiet.state(job_id) is S.WAITING
        await edit(quiet, job_id, hold=True, gpus=3)
        assert await quiet.steps(job_id) == ["held", "waiting", "held"]

    async def test_a_running_job_cannot_be_edited(self, world: World) -> None:
        job_id = await world.submit()
        await world.launch_of(job_id)
        await refused(world, edit(world, job_id, gpus=2), Conflict, "wrong_state")
        await world.starts(job_id)
        await refused(world, edit(world, job_id, gpus=2), Conflict, "wrong_state")

    @pytest.mark.parametrize("code", [0, 1])
    async def test_a_finished_job_goes_back_to_the_queue_as_its_next_attempt(
        self, world: World, code: int
    ) -> None:
        job_id = await world.submit(retries=0)
        await world.runs_to_end(job_id, code)
        await world.schedule(paused=True)
        other = await world.submit()
        await edit(world, job_id, command="train --again")
        newcomer = await world.submit()
        job = await world.job(job_id)
        assert (job.state, job.ended_at, job.placed) == (S.WAITING, None, None)
        assert await world.queue() == [other, job_id, newcomer]
        await world.schedule(paused=False)
        assert (await world.launch_of(job_id, attempt=2)).command == "train --again"
        assert [attempt.exit_code for attempt in await world.attempts(job_id)] == [code, None]

    async def test_its_retries_count_from_the_start_again(self, world: World) -> None:
        job_id = await world.submit(retries=1, retry_backoff_s=0.0)
        await world.runs_to_end(job_id, 1)
        await world.runs_to_end(job_id, 1, attempt=2)
        await world.until(job_id, S.FAILED)
        await edit(world, job_id, name="again")
        await world.runs_to_end(job_id, 1, attempt=3)
        await world.runs_to_end(job_id, 0, attempt=4)

    async def test_a_finished_job_can_go_back_held(self, world: World) -> None:
        job_id = await world.submit()
        await world.runs_to_end(job_id)
        await world.schedule(paused=True)
        await edit(world, job_id, hold=True)
        assert await world.state(job_id) is S.HELD

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"gpus": 99}, "no_such_hardware"),
            ({"directory": "here"}, "relative_directory"),
            ({"variables": {"DANLU_X": "1"}}, "reserved_variable"),
            ({"after": [99]}, "no_such_predecessor"),
        ],
    )
    async def test_a_bad_edit_changes_nothing(
        self, quiet: World, fields: dict[str, object], code: str
    ) -> None:
        job_id = await quiet.submit()
        before = await quiet.job(job_id)
        await refused(quiet, edit(quiet, job_id, **fields), Invalid, code)
        assert await quiet.job(job_id) == before

    async def test_nobody_waits_for_himself_not_even_through_others(self, quiet: World) -> None:
        a = await quiet.submit()
        b = await quiet.submit(after=[a])
        c = await quiet.submit(after_ok=[b])
        for predecessor in (a, b, c):
            await refused(quiet, edit(quiet, a, after=[predecessor]), Invalid, "dependency_cycle")
        await edit(quiet, c, after=[a])

    async def test_predecessors_that_were_deleted_do_not_stand_in_the_way_of_an_edit(
        self, quiet: World
    ) -> None:
        first = await quiet.submit()
        job_id = await quiet.submit(after=[first])
        await delete(quiet, first)
        await edit(quiet, job_id, gpus=1)
        assert await quiet.control.database.read(lambda c: dependencies_of(c, job_id)) == ()

    async def test_an_edit_of_a_job_in_the_queue_is_told(self, quiet: World) -> None:
        job_id = await quiet.submit()
        await edit(quiet, job_id, "ann", gpus=1)
        event = (await quiet.events(job_id))[-1]
        assert (event.kind, event.actor) == (EventKind.EDITED, "ann")


class TestHolding:
    async def test_doing_it_twice_is_no_mistake(self, quiet: World) -> None:
        bo, job_id = await quiet.user("bo"), await quiet.submit()
        await quiet.control.jobs.hold(bo, job_id)
        await quiet.control.jobs.hold(bo, job_id)
        await quiet.control.jobs.release(bo, job_id)
        await quiet.control.jobs.release(bo, job_id)
        assert await quiet.steps(job_id) == ["waiting", "held", "waiting"]

    async def test_what_runs_or_has_ended_can_neither_be_held_nor_released(self, world: World) -> None:
        bo, job_id = await world.user("bo"), await world.submit()
        key = await world.starts(job_id)
        jobs = world.control.jobs
        await refused(world, jobs.hold(bo, job_id), Conflict, "wrong_state")
        await refused(world, jobs.release(bo, job_id), Conflict, "wrong_state")
        world.agents.ends(key)
        await world.until(job_id, S.SUCCEEDED)
        await refused(world, jobs.hold(bo, job_id), Conflict, "wrong_state")


class TestMoving:
    async def test_only_an_admin_decides_over_everybodys_turn(self, quiet: World) -> None:
        first, second = await quiet.submit(), await quiet.submit()
        jobs = quiet.control.jobs
        await refused(quiet, jobs.move(await quiet.user("bo"), second, 1), Forbidden, "admin_only")
        await jobs.move(await quiet.user("ann"), second, 1)
        assert await quiet.queue() == [second, first]

    async def test_what_is_not_in_the_queue_cannot_be_moved(self, world: World) -> None:
        job_id = await world.submit()
        await world.starts(job_id)
        move = world.control.jobs.move(await world.user("ann"), job_id, 1)
        await refused(world, move, Conflict, "wrong_state")


class TestCancelling:
    @pytest.mark.parametrize("hold", [False, True])
    async def test_in_the_queue_it_is_over_at_once(self, quiet: World, hold: bool) -> None:
        job_id = await quiet.submit(hold=hold)
        await cancel(quiet, job_id)
        job = await quiet.job(job_id)
        assert (job.state, job.end_reason, job.ended_at) == (S.CANCELLED, EndReason.CANCELLED, 1_000.0)
        assert quiet.agents.stopped == []

    async def test_while_starting_it_never_starts(self, world: World) -> None:
        job_id = await world.submit(gpus=4)
        key = (await world.launch_of(job_id)).key
        await cancel(world, job_id)
        assert (await world.until(job_id, S.CANCELLED)).end_reason is EndReason.CANCELLED
        assert world.agents.stopped == [key]

    async def test_while_running_it_is_stopped_with_its_own_grace(self, world: World) -> None:
        job_id = await world.submit(grace_s=3.0)
        key = await world.starts(job_id)
        await cancel(world, job_id)
        job = await world.until(job_id, S.CANCELLED)
        assert (world.agents.grace_s[key], job.signal) == (3.0, 15)
        assert await world.steps(job_id) == ["waiting", "starting", "running", "stopping", "cancelled"]

    async def test_while_stopping_it_is_asked_again(self, open_world: OpenWorld) -> None:
        agents = StubbornAgents()
        world = await open_world(agents)
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        waiting = await world.submit(gpus=1)
        await cancel(world, job_id)
        await cancel(world, job_id)
        assert agents.stopped == [key, key]
        await world.settle()
        assert await world.state(waiting) is S.WAITING  # the GPUs are not free before the processes are gone
        agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
        await world.until(job_id, S.CANCELLED)
        await world.launch_of(waiting)

    async def test_one_that_ends_by_itself_first_has_ended_by_itself(self, open_world: OpenWorld) -> None:
        agents = StubbornAgents()
        world = await open_world(agents)
        job_id = await world.submit(retries=3)
        key = await world.starts(job_id)
        await cancel(world, job_id)
        agents.ends(key, 0)
        await world.until(job_id, S.SUCCEEDED)

    async def test_what_has_ended_cannot_be_cancelled(self, world: World) -> None:
        job_id = await world.submit()
        await world.runs_to_end(job_id)
        await refused(world, cancel(world, job_id), Conflict, "wrong_state")

    async def test_waiting_for_a_retry_it_is_over_at_once(self, world: World) -> None:
        job_id = await world.submit(retries=1, retry_backoff_s=60.0)
        await world.runs_to_end(job_id, 3)
        await cancel(world, job_id)
        job = await world.job(job_id)
        assert (job.state, job.end_reason, job.not_before) == (S.CANCELLED, EndReason.CANCELLED, None)

    async def test_a_cancelled_retry_does_not_claim_the_exit_code_of_the_attempt_before(
        self, world: World
    ) -> None:
        job_id = await world.submit(retries=1, retry_backoff_s=60.0)
        await world.runs_to_end(job_id, 3)
        await cancel(world, job_id)
        assert (await world.job(job_id)).exit_code is None


class TestDeleting:
    async def test_it_is_gone_with_its_log_and_nobody_waits_for_it(self, world: World) -> None:
        job_id = await world.submit()
        after = await world.submit(after_ok=[job_id])
        await world.runs_to_end(job_id, 1)
        assert await delete(world, job_id) == ([job_id], [], [])
        assert await world.state(job_id) is None
        await world.until_true(lambda: ("forge", job_id) in world.agents.removed)
        await world.launch_of(after)

    async def test_a_running_job_cannot_be_deleted(self, world: World) -> None:
        job_id = await world.submit()
        await world.starts(job_id)
        await refused(world, delete(world, job_id), Conflict, "wrong_state")

    async def test_with_all_its_successors_however_indirect(self, quiet: World) -> None:
        a = await quiet.submit()
        b = await quiet.submit(after=[a], hold=True)
        c = await quiet.submit(after_ok=[b])
        other = await quiet.submit()
        assert await delete(quiet, a, successors=True) == ([a, b, c], [], [])
        assert await quiet.queue() == [other]

    async def test_without_them_they_stay(self, quiet: World) -> None:
        a = await quiet.submit()
        b = await quiet.submit(after=[a])
        assert await delete(quiet, a) == ([a], [], [])
        assert await quiet.queue() == [b]

    async def family(self, world: World) -> tuple[int, int, int]:
        """A finished job, a running successor, and one that waits for that."""
        parent = await world.submit()
        child = await world.submit(after=[parent])
        grandchild = await world.submit(after=[child])
        await world.runs_to_end(parent)
        await world.starts(child)
        return parent, child, grandchild

    async def test_running_successors_are_named_and_nothing_happens(self, world: World) -> None:
        parent, child, _ = await self.family(world)
        attempt = delete(world, parent, successors=True)
        refusal = await refused(world, attempt, Conflict, "successors_running")
        assert refusal.facts == {"job": parent, "jobs": str(child)}
        assert await world.state(parent) is S.SUCCEEDED

    async def test_or_left_alone(self, world: World) -> None:
        parent, child, grandchild = await self.family(world)
        deleted = await delete(world, parent, successors=True, running="leave")
        assert deleted == ([parent, grandchild], [child], [])
        assert await world.state(child) is S.RUNNING

    async def test_or_cancelled(self, world: World) -> None:
        parent, child, grandchild = await self.family(world)
        deleted = await delete(world, parent, successors=True, running="cancel")
        assert deleted == ([parent, grandchild], [], [child])
        await world.until(child, S.CANCELLED)

    async def test_successors_of_somebody_else_are_not_deleted_along(self, quiet: World) -> None:
        mine = await quiet.submit("bo")
        theirs = await quiet.submit("cy", after=[mine])
        await refused(quiet, delete(quiet, mine, successors=True), Forbidden, "not_yours")
        assert await quiet.queue() == [mine, theirs]


class TestResubmitting:
    async def test_a_copy_with_a_new_id_waits(self, world: World) -> None:
        job_id = await world.submit(gpus=1, name="again")
        await world.runs_to_end(job_id, 1)
        await world.schedule(paused=True)
        copy = await world.control.jobs.resubmit(await world.user("bo"), job_id)
        assert copy != job_id
        assert (await world.job(copy)).spec == (await world.job(job_id)).spec
        assert await world.state(copy) is S.WAITING

    async def test_from_waiting_and_from_running_too(self, world: World) -> None:
        running = await world.submit(gpus=4)
        await world.starts(running)
        waiting = await world.submit(gpus=4, hold=True)
        for job_id in (running, waiting):
            copy = await world.control.jobs.resubmit(await world.user("bo"), job_id)
            assert await world.state(copy) is S.WAITING

    async def test_predecessors_that_have_ended_count_as_ended(self, world: World) -> None:
        good, bad, open_one = [await world.submit() for _ in range(3)]
        await world.runs_to_end(good)
        await world.runs_to_end(bad, 1)
        await world.schedule(paused=True)
        still = await world.submit(after_ok=[good, bad], after=[open_one])
        copy = await world.control.jobs.resubmit(await world.user("bo"), still)
        left = await world.control.database.read(lambda c: dependencies_of(c, copy))
        assert left == (Dependency(open_one),)

    async def test_an_admins_copy_belongs_to_the_owner(self, quiet: World) -> None:
        job_id = await quiet.submit("bo")
        copy = await quiet.control.jobs.resubmit(await quiet.user("ann"), job_id)
        assert (await quiet.job(copy)).owner == "bo"


class TestNumbersLeftToDanlu:
    async def test_jobs_of_one_request_that_ask_the_same_are_decided_once(
        self, quiet: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        def count(*question: object) -> object:
            asked.append(question)
            return choose(*question)  # type: ignore[arg-type]

        monkeypatch.setattr(auto_numbers, "choose", count)
        same = JobFields(command="x", directory="/", gpus="auto")
        large = replace(same, cpus=17, wait_for_hardware=True)
        jobs = [same, same, replace(same, gpu_memory_mb=200_000), same, large]
        ids = (await quiet.control.submissions.submit_many(await quiet.user("bo"), jobs)).ids
        assert [(await quiet.job(each)).spec.gpus for each in ids] == [4, 4, 2, 4, 1]
        assert len(asked) == 3

    async def test_a_node_closed_for_the_moment_has_nothing_free(self, quiet: World) -> None:
        quiet.control.closed_nodes.unsettled = frozenset({"forge"})
        new = await quiet.submit(gpus="auto")
        assert (await quiet.job(new)).spec.gpus == 1
        again = await quiet.control.jobs.resubmit(await quiet.user("bo"), new)
        assert (await quiet.job(again)).spec.gpus == 1
        fields = JobFields(command="x", directory="/", gpus="auto")
        seen = await quiet.control.checking.check(await quiet.user("bo"), fields, [], None)
        assert seen.draft.spec.gpus == 1

    async def test_a_copy_that_nothing_holds_any_more_keeps_its_numbers(self, quiet: World) -> None:
        job_id = await quiet.submit(gpus="auto", gpu_memory_mb=200_000)
        await quiet.control.database.write(lambda tx: change_general(tx, "ann", auto_gpus=1))
        await refused(
            quiet,
            quiet.submit(gpus="auto", gpu_memory_mb=200_000),
            Invalid,
            "auto_too_large_for_node",
        )
        copy = await quiet.control.jobs.resubmit(await quiet.user("bo"), job_id)
        assert (await quiet.job(copy)).spec == (await quiet.job(job_id)).spec

    async def test_what_waits_for_hardware_is_not_refused(self, quiet: World) -> None:
        large = {"gpus": "auto", "gpu_memory_mb": 800_000}
        await refused(quiet, quiet.submit(**large), Invalid, "auto_too_large_for_node")
        spec = (await quiet.job(await quiet.submit(**large, wait_for_hardware=True))).spec
        assert (spec.gpus, spec.gpu_memory_mb, spec.nodes) == (6, -(-800_000 // 6), 1)
        over = (await quiet.job(await quiet.submit(**large, nodes="auto", wait_for_hardware=True))).spec
        assert (over.gpus, over.nodes_min, over.nodes) == (6, None, 1)

    async def test_memory_said_of_another_kind_of_number_does_not_count(self, quiet: World) -> None:
        job_id = await quiet.submit(gpus="auto", gpu_memory_mb=200_000)
        await edit(quiet, job_id, gpus=3)
        spec = (await quiet.job(job_id)).spec
        assert (spec.gpus, spec.gpu_memory_mb, spec.auto) == (3, None, None)
        await edit(quiet, job_id, gpu_memory_mb=80_000)
        await edit(quiet, job_id, gpus="auto")
        spec = (await quiet.job(job_id)).spec
        assert (spec.gpus, spec.gpu_memory_mb) == (4, None)

    @pytest.mark.parametrize(("said", "gpus"), [({"share": True}, 1), ({"gpu_ids": [0, 2]}, 2)])
    async def test_a_default_gives_way_to_gpus_that_are_said(
        self, quiet: World, said: dict[str, object], gpus: int
    ) -> None:
        await quiet.change_user("bo", defaults={"gpus": "auto", "gpu_memory_mb": 200_000})
        spec = (await quiet.job(await quiet.submit(**said))).spec
        assert (spec.ask.gpus, spec.gpu_memory_mb, spec.auto) == (gpus, None, None)


class TestRights:
    async def test_whose_it_is_not_can_do_nothing_with_it(self, quiet: World) -> None:
        job_id = await quiet.submit("bo")
        cy, jobs = await quiet.user("cy"), quiet.control.jobs
        for attempt in (
            jobs.cancel(cy, job_id),
            jobs.hold(cy, job_id),
            jobs.release(cy, job_id),
            jobs.edit(cy, job_id, JobEdit(set=JobFields(gpus=1))),
            jobs.resubmit(cy, job_id),
            jobs.delete(cy, job_id, with_successors=True, running="cancel"),
        ):
            await refused(quiet, attempt, Forbidden, "not_yours")

    async def test_the_mentor_and_the_admin_can(self, quiet: World) -> None:
        await quiet.lead("cy", "bo")
        job_id = await quiet.submit("bo")
        await quiet.control.jobs.hold(await quiet.user("cy"), job_id)
        await quiet.control.jobs.release(await quiet.user("ann"), job_id)
        await cancel(quiet, job_id, "cy")

    async def test_a_mentor_changes_nothing_of_a_job(self, quiet: World) -> None:
        await quiet.lead("cy", "bo")
        job_id = await quiet.submit("bo")
        cy, jobs = await quiet.user("cy"), quiet.control.jobs
        for attempt in (
            jobs.edit(cy, job_id, JobEdit(set=JobFields(gpus=1))),
            jobs.resubmit(cy, job_id),
            jobs.delete(cy, job_id, with_successors=False, running="refuse"),
        ):
            await refused(quiet, attempt, Forbidden, "mentors_only_stop")

    async def test_a_viewer_can_do_nothing_even_with_what_was_theirs(self, quiet: World) -> None:
        job_id = await quiet.submit("bo")
        await quiet.change_user("bo", role="viewer")
        await refused(quiet, cancel(quiet, job_id), Forbidden, "not_yours")

    async def test_what_does_not_exist_is_not_found(self, quiet: World) -> None:
        await refused(quiet, cancel(quiet, 99), NotFound, "no_such_job")
        gone = await quiet.submit()
        await delete(quiet, gone)
        await refused(quiet, cancel(quiet, gone), NotFound, "no_such_job")
        assert launches(quiet.agents) == []
