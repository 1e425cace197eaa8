"""From the submission to the end, through everything a cluster can do in between."""

from __future__ import annotations

import asyncio
import pwd
from dataclasses import replace

import pytest

from danlu.control.identity.accounts import own_account
from danlu.control.running.reports import record_facts
from danlu.control.system.status import read_status
from danlu.core.blockers import (
    BehindInQueue,
    GpusBusy,
    Held,
    NotYet,
    PredecessorsFailed,
    PredecessorsRunning,
    SchedulingPaused,
)
from danlu.core.job_id import element_id
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.store.nodes.node_rows import get_node, set_drained
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.agents import (
    DeafAgents,
    ForgetfulAgents,
    RecordingAgents,
    SilentAgents,
    StubbornAgents,
    a_machine,
)
from tests.control.conftest import OpenWorld
from tests.control.world import World, launches

S = JobState
ORDINARY = next(entry.pw_name for entry in pwd.getpwall() if entry.pw_uid != 0)


class TestALife:
    async def test_submitted_started_running_succeeded(self, world: World) -> None:
        job_id = await world.submit(gpus=2, stdout="out-$JOB_ID", variables={"K": "v"})
        order = await world.launch_of(job_id)
        assert (order.node, order.gpu_ids, order.variables) == ("forge", (0, 1), {"K": "v"})
        assert order.stdout == f"/work/out-{job_id}"
        job = await world.runs_to_end(job_id)
        assert (job.state, job.exit_code) == (S.SUCCEEDED, 0)
        assert await world.steps(job_id) == ["waiting", "starting", "running", "succeeded"]
        await world.until_true(lambda: world.agents.forgotten == [order.key])

    async def test_what_it_held_goes_to_the_next_in_the_queue(self, world: World) -> None:
        first = await world.submit(gpus=3)
        second = await world.submit(gpus=2)
        third = await world.submit(gpus=1)
        key = await world.starts(first)
        await world.settle()
        assert world.control.scheduling_loop.blockers == {
            second: (GpusBusy(2, 1, None),),
            third: (BehindInQueue(second, 2),),
        }
        world.agents.ends(key)
        await world.launch_of(third)
        assert launches(world.agents) == [first, second, third]

    async def test_it_succeeds_even_when_its_start_was_never_reported(self, world: World) -> None:
        job_id = await world.submit()
        key = (await world.launch_of(job_id)).key
        world.agents.ends(key)
        await world.until(job_id, S.SUCCEEDED)
        assert await world.steps(job_id) == ["waiting", "starting", "succeeded"]

    @pytest.mark.parametrize(("code", "state"), [(0, S.SUCCEEDED), (3, S.FAILED), (137, S.FAILED)])
    async def test_its_exit_code_is_its_own(self, world: World, code: int, state: JobState) -> None:
        job = await world.runs_to_end(await world.submit(), code)
        assert (job.state, job.exit_code, job.signal) == (state, code, None)

    async def test_a_setup_problem_fails_the_job_with_its_reason(self, world: World) -> None:
        job_id = await world.submit(directory="/nowhere")
        key = (await world.launch_of(job_id)).key
        world.agents.ends_with(
            key,
            TaskEnd(TaskEnding.SETUP_FAILED, 1_000.0, problem="directory_missing", detail="/nowhere: gone"),
        )
        job = await world.until(job_id, S.FAILED)
        assert (job.end_reason, job.detail) == (EndReason.DIRECTORY_MISSING, "/nowhere: gone")


class TestRetries:
    async def test_a_retry_waits_for_its_time_and_is_the_next_attempt(self, world: World) -> None:
        job_id = await world.submit(gpus=1, retries=1, retry_backoff_s=60.0)
        waiting = await world.runs_to_end(job_id, 3)
        assert (waiting.state, waiting.not_before) == (S.WAITING, 1_060.0)
        await world.settle()
        assert world.control.scheduling_loop.blockers[job_id] == (NotYet(1_060.0),)
        assert len(world.agents.launched) == 1
        world.clock.advance(60)
        world.control.scheduling_loop.wake()
        job = await world.runs_to_end(job_id, 4, attempt=2)
        assert (job.state, job.exit_code) == (S.FAILED, 4)
        assert [attempt.exit_code for attempt in await world.attempts(job_id)] == [3, 4]

    async def test_a_report_of_an_older_attempt_is_dropped(self, world: World) -> None:
        job_id = await world.submit(retries=1, retry_backoff_s=0.0)
        await world.runs_to_end(job_id, 3)
        await world.starts(job_id, attempt=2)
        old = TaskKey(job_id, 1, 0)
        world.agents.tell(TaskFact(old, "forge", 1.0, TaskEnd(TaskEnding.EXITED, 2.0, wait_status=0)))
        world.agents.tell(TaskFact(old, "forge", 1.0))
        await world.until_true(lambda: world.agents.forgotten.count(old) == 2)
        assert await world.state(job_id) is S.RUNNING
        assert (await world.attempts(job_id))[0].exit_code == 3

    async def test_an_end_reported_twice_counts_once(self, world: World) -> None:
        job_id = await world.submit(retries=5, retry_backoff_s=60.0)
        key = await world.starts(job_id)
        fact = TaskFact(key, "forge", 1.0, TaskEnd(TaskEnding.EXITED, 2.0, wait_status=256))
        for _ in range(3):
            world.agents.tell(fact)
        job = await world.until(job_id, S.WAITING)
        await world.until_true(lambda: world.agents.forgotten.count(key) == 3)
        assert (await world.job(job_id)).retries_used == job.retries_used == 1

    async def test_reports_about_jobs_nobody_knows_are_forgotten(self, world: World) -> None:
        key = TaskKey(999, 1, 0)
        world.agents.tell(TaskFact(key, "forge", end=TaskEnd(TaskEnding.EXITED, 2.0, wait_status=0)))
        await world.until_true(lambda: world.agents.forgotten == [key])


class TestFaultyClusters:
    async def test_an_order_that_did_not_arrive_is_sent_again_by_the_next_round(
        self, open_world: OpenWorld
    ) -> None:
        agents = DeafAgents()
        world = await open_world(agents)
        job_id = await world.submit(gpus=1)
        await world.until(job_id, S.STARTING)
        await world.round()
        assert agents.launched == []
        agents.deaf = False
        await world.round()
        assert (await world.runs_to_end(job_id)).state is S.SUCCEEDED
        assert launches(agents) == [job_id]
        assert len(await world.attempts(job_id)) == 1

    async def test_a_launch_that_was_forgotten_is_ordered_again_as_the_same_attempt(
        self, open_world: OpenWorld
    ) -> None:
        agents = ForgetfulAgents()
        world = await open_world(agents)
        job_id = await world.submit(gpus=1)
        first = await world.launch_of(job_id)
        await world.round()
        await world.until_true(lambda: len(agents.launched) == 2)
        assert agents.launched == [first, first]
        assert (await world.runs_to_end(job_id)).state is S.SUCCEEDED

    async def test_what_nobody_reported_the_next_round_finds_out(self, open_world: OpenWorld) -> None:
        agents = SilentAgents()
        world = await open_world(agents)
        job_id = await world.submit()
        key = (await world.launch_of(job_id)).key
        agents.begins(key)
        await world.round()
        await world.until(job_id, S.RUNNING)
        agents.ends(key, 3)
        await world.round()
        assert (await world.until(job_id, S.FAILED)).exit_code == 3
        await world.until_true(lambda: agents.forgotten == [key])

    async def test_a_stop_that_did_not_arrive_is_repeated(self, open_world: OpenWorld) -> None:
        agents = DeafAgents()
        agents.deaf = False
        world = await open_world(agents)
        job_id = await world.submit()
        await world.starts(job_id)
        agents.deaf = True
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        assert await world.state(job_id) is S.STOPPING
        agents.deaf = False
        await world.round()
        await world.until(job_id, S.CANCELLED)

    async def test_a_task_that_its_node_lost_ends_as_vanished(self, world: World) -> None:
        job_id = await world.submit()
        del world.agents.known[await world.starts(job_id)]
        await world.round()
        assert (await world.until(job_id, S.FAILED)).end_reason is EndReason.VANISHED

    async def test_a_task_nobody_wants_is_stopped_and_forgotten(self, world: World) -> None:
        stray = TaskKey(77, 1, 0)
        world.agents.known[stray] = TaskFact(stray, "forge", started_at=1.0)
        await world.round()
        assert world.agents.stopped == [stray]
        await world.round()
        await world.until_true(lambda: stray in world.agents.forgotten)

    async def test_a_restarted_node_ends_what_ran_on_it_and_a_retry_may_follow(self, world: World) -> None:
        job_id = await world.submit(gpus=1, retries=1, retry_backoff_s=0.0)
        await world.starts(job_id)
        world.agents.known.clear()
        world.agents.machines = [a_machine(boot_id="boot-2")]
        await world.round()
        await world.launch_of(job_id, attempt=2)
        first, _ = await world.attempts(job_id)
        assert first.end_reason is EndReason.NODE_REBOOTED

    async def test_a_node_that_cannot_be_reached_keeps_its_jobs_and_gets_no_new_ones(
        self, open_world: OpenWorld
    ) -> None:
        world = await open_world(RecordingAgents(a_machine("a", gpus=1), a_machine("b", gpus=1)))
        running = await world.submit(gpus=1, node="b")
        await world.starts(running)
        world.agents.machines = world.agents.machines[:1]
        world.agents.known.clear()
        await world.round()
        assert await world.state(running) is S.RUNNING
        waiting = await world.submit(gpus=1, node="b")
        await world.settle()
        assert await world.state(waiting) is S.WAITING
        node = await world.control.database.read(lambda c: get_node(c, "b"))
        assert node is not None
        assert node.state == "lost"


class TestRestarts:
    async def test_a_running_job_is_taken_over_and_its_end_arrives(self, world: World) -> None:
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        await world.restart()
        assert await world.state(job_id) is S.RUNNING
        world.agents.ends(key, 5)
        assert (await world.until(job_id, S.FAILED)).exit_code == 5
        assert launches(world.agents) == [job_id]

    async def test_an_end_that_came_while_nobody_listened_is_not_lost(self, world: World) -> None:
        job_id = await world.submit()
        key = await world.starts(job_id)
        await world.control.close()
        world.agents.ends(key)
        await world.restart()
        await world.until(job_id, S.SUCCEEDED)
        await world.until_true(lambda: world.agents.forgotten == [key])

    async def test_a_job_that_was_waiting_starts_afterwards(self, world: World) -> None:
        await world.schedule(paused=True)
        job_id = await world.submit(gpus=1)
        await world.restart()
        await world.schedule(paused=False)
        assert (await world.runs_to_end(job_id)).state is S.SUCCEEDED

    async def test_a_wake_up_at_the_very_moment_of_the_close_does_not_prevent_it(self, world: World) -> None:
        await world.settle()
        world.control.scheduling_loop.wake()
        async with asyncio.timeout(5):
            await world.control.close()


class TestTheLine:
    async def test_paused_nothing_starts_and_everybody_knows_why(self, world: World) -> None:
        await world.schedule(paused=True)
        job_id = await world.submit()
        await world.settle()
        assert world.control.scheduling_loop.blockers[job_id] == (SchedulingPaused(),)
        assert world.agents.launched == []
        await world.schedule(paused=False)
        await world.launch_of(job_id)

    async def test_balance_gives_the_next_gpu_to_whoever_has_fewest(self, world: World) -> None:
        await world.schedule(policy="balance", paused=True)
        greedy = [await world.submit("bo", gpus=1) for _ in range(4)]
        modest = [await world.submit("cy", gpus=1) for _ in range(2)]
        await world.schedule(paused=False)
        await world.until_true(lambda: len(world.agents.launched) == 4)
        assert sorted(launches(world.agents)) == sorted(greedy[:2] + modest)

    async def test_balance_counts_what_users_hold_and_what_they_may(self, world: World) -> None:
        await world.change_user("bo", priority=4.0)
        for owner in ("bo", "bo", "cy"):
            await world.starts(await world.submit(owner, gpus=1))
        await world.schedule(policy="balance", paused=True)
        cys = await world.submit("cy", gpus=1)
        bos = await world.submit("bo", gpus=1)
        await world.schedule(paused=False)
        await world.launch_of(bos)  # 2 ÷ 4 is less than 1 ÷ 1
        assert await world.state(cys) is S.WAITING

    async def test_fifo_lets_the_oldest_go_first(self, world: World) -> None:
        await world.schedule(paused=True)
        jobs = [await world.submit("bo", gpus=2) for _ in range(3)]
        await world.schedule(paused=False)
        await world.until_true(lambda: len(world.agents.launched) == 2)
        assert launches(world.agents) == jobs[:2]

    async def test_urgent_goes_first_among_the_waiting_but_takes_nothing_from_the_running(
        self, world: World
    ) -> None:
        running = await world.submit(gpus=4)
        key = await world.starts(running)
        waiting = await world.submit(gpus=4)
        urgent = await world.submit(gpus=4, urgent=True)
        await world.settle()
        assert await world.state(running) is S.RUNNING
        world.agents.ends(key)
        await world.launch_of(urgent)
        assert await world.state(waiting) is S.WAITING

    async def test_a_move_to_the_head_is_obeyed(self, world: World) -> None:
        await world.schedule(paused=True)
        first, second = [await world.submit(gpus=4) for _ in range(2)]
        await world.control.jobs.move(await world.user("ann"), second, 1)
        await world.schedule(paused=False)
        await world.launch_of(second)
        assert await world.state(first) is S.WAITING

    async def test_a_held_job_stays_until_it_is_released(self, world: World) -> None:
        job_id = await world.submit(hold=True)
        await world.settle()
        assert world.control.scheduling_loop.blockers[job_id] == (Held(),)
        await world.control.jobs.release(await world.user("bo"), job_id)
        await world.launch_of(job_id)

    async def test_a_drained_node_takes_no_new_jobs(self, world: World) -> None:
        await world.control.database.write(lambda tx: set_drained(tx, "forge", True, "ann"))
        job_id = await world.submit()
        await world.settle()
        assert await world.state(job_id) is S.WAITING
        await world.control.database.write(lambda tx: set_drained(tx, "forge", False, "ann"))
        await world.launch_of(job_id)

    async def test_a_successor_starts_when_its_predecessor_ended(self, world: World) -> None:
        first = await world.submit()
        after_any = await world.submit(after=[first])
        after_ok = await world.submit(after_ok=[first])
        key = await world.starts(first)
        await world.settle()
        assert world.control.scheduling_loop.blockers[after_any] == (PredecessorsRunning((first,)),)
        world.agents.ends(key, 1)
        await world.launch_of(after_any)
        await world.settle()
        assert world.control.scheduling_loop.blockers[after_ok] == (PredecessorsFailed((first,)),)

    async def test_the_cluster_in_a_few_numbers(self, world: World) -> None:
        await world.starts(await world.submit(gpus=3))
        await world.submit(gpus=2)
        await world.settle()
        status = await read_status(world.control.board, world.control.job_counts.areas())
        assert (status.running, status.waiting, status.gpus_used, status.gpus) == (1, 1, 3, 4)
        assert (status.nodes_up, status.nodes, status.policy, status.paused) == (1, 1, "fifo", False)


class TestStoppingWithTheService:
    async def test_running_jobs_go_back_to_the_head_of_the_queue_in_their_old_order(
        self, world: World
    ) -> None:
        jobs = [await world.submit(gpus=1) for _ in range(4)]
        for job_id in jobs:
            await world.starts(job_id)
        last = await world.submit(gpus=1)
        await world.control.stop_jobs()
        assert await world.queue() == [*jobs, last]
        assert await world.control.count_active() == 0
        job = await world.job(jobs[0])
        assert (job.state, job.end_reason, job.retries_used) == (S.WAITING, EndReason.REQUEUED, 0)

    async def test_nothing_starts_meanwhile_and_all_start_again_afterwards(self, world: World) -> None:
        running = await world.submit(gpus=4)
        await world.starts(running)
        waiting = await world.submit(gpus=4)
        await world.control.stop_jobs()
        assert launches(world.agents) == [running]
        await world.restart()
        await world.launch_of(running, attempt=2)
        assert await world.state(waiting) is S.WAITING

    async def test_a_job_that_never_reached_its_node_goes_back_too(self, open_world: OpenWorld) -> None:
        agents = ForgetfulAgents()
        world = await open_world(agents)
        job_id = await world.submit()
        await world.launch_of(job_id)
        await world.control.stop_jobs()
        assert await world.queue() == [job_id]
        late = agents.launched[0]
        await world.until_true(lambda: late.key in agents.forgotten)
        await agents.launch(late)
        assert late.key not in agents.known

    async def test_one_that_is_being_cancelled_stays_cancelled(self, open_world: OpenWorld) -> None:
        agents = StubbornAgents()
        world = await open_world(agents)
        job_id = await world.submit()
        key = await world.starts(job_id)
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        await world.control.jobs.stop_all()
        agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
        await world.until(job_id, S.CANCELLED)

    async def test_one_that_was_sent_back_can_still_be_cancelled(self, open_world: OpenWorld) -> None:
        agents = StubbornAgents()
        world = await open_world(agents)
        job_id = await world.submit()
        key = await world.starts(job_id)
        await world.control.jobs.stop_all()
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
        await world.until(job_id, S.CANCELLED)


class TestAccounts:
    async def test_a_job_runs_as_the_account_mapped_to_its_owner(self, open_world: OpenWorld) -> None:
        world = await open_world(RecordingAgents(), runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        order = await world.launch_of(await world.submit("bo"))
        assert order.account is not None
        assert order.account.name == ORDINARY
        order = await world.launch_of(await world.submit("ann"))
        assert order.account == own_account()

    async def test_a_job_whose_owner_lost_the_account_ends_with_no_account(
        self, open_world: OpenWorld
    ) -> None:
        world = await open_world(RecordingAgents(), runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        await world.schedule(paused=True)
        lost, fine = await world.submit("bo", gpus=4), await world.submit("ann", gpus=4)
        await world.change_user("bo", unix_account=None)
        await world.schedule(paused=False)
        job = await world.until(lost, S.FAILED)
        assert (job.end_reason, job.detail) == (EndReason.NO_ACCOUNT, "bo")
        await world.launch_of(fine)
        assert launches(world.agents) == [fine]

    async def test_an_account_that_was_removed_from_the_machine_is_named(self, open_world: OpenWorld) -> None:
        world = await open_world(RecordingAgents(), runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        await world.schedule(paused=True)
        job_id = await world.submit("bo")
        await world.change_user("bo", unix_account="no-such-account-here")
        await world.schedule(paused=False)
        assert (await world.until(job_id, S.FAILED)).detail == "no-such-account-here"

    async def test_nobody_holds_gpus_for_ever_because_the_account_was_lost_before_the_launch_arrived(
        self, open_world: OpenWorld
    ) -> None:
        agents = DeafAgents()
        world = await open_world(agents, runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        job_id = await world.submit("bo", gpus=4)
        await world.until(job_id, S.STARTING)
        await world.change_user("bo", unix_account=None)
        agents.deaf = False
        await world.round()
        await world.round()
        assert await world.state(job_id) is S.FAILED

    async def test_an_attempt_that_never_began_has_no_start(self, open_world: OpenWorld) -> None:
        world = await open_world(RecordingAgents(), runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        job_id = await world.submit("bo")
        await world.runs_to_end(job_id, 1)
        await world.schedule(paused=True)
        await world.control.jobs.edit(await world.user("bo"), job_id, JobEdit(set=JobFields(gpus=1)))
        await world.change_user("bo", unix_account=None)
        await world.schedule(paused=False)
        job = await world.until(job_id, S.FAILED)
        assert (job.attempt, job.started_at) == (2, None)


async def test_one_report_that_makes_no_sense_does_not_hold_up_the_others(world: World) -> None:
    odd, good = await world.submit(), await world.submit()
    keys = [await world.starts(odd), await world.starts(good)]
    nonsense = TaskEnd(TaskEnding.SETUP_FAILED, 1_000.0, problem="from_a_newer_keeper")
    world.agents.known[keys[0]] = replace(world.agents.known[keys[0]], end=nonsense)
    world.agents.known[keys[1]] = replace(
        world.agents.known[keys[1]], end=TaskEnd(TaskEnding.EXITED, 1_000.0, wait_status=0)
    )
    await world.round()
    await world.settle()
    assert await world.state(good) is S.SUCCEEDED


class TestTheLog:
    """The server's log writes ids as users read them."""

    async def test_an_order_that_did_not_arrive_names_the_task_as_people_do(
        self, open_world: OpenWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        agents = DeafAgents()
        world = await open_world(agents)
        array = await world.submit(array="3", gpus=1)
        await world.until_true(lambda: f"could not send task {array}[3]-1-0 to node forge" in caplog.text)
        await world.control.jobs.cancel(await world.user("bo"), array)
        await world.until_true(lambda: f"to stop task {array}[3]-1-0" in caplog.text)
        assert str(element_id(array, 3)) not in caplog.text

    async def test_so_does_a_job_without_an_account_to_run_as(
        self, open_world: OpenWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        agents = DeafAgents()
        world = await open_world(agents, runs_as_root=True)
        await world.change_user("bo", unix_account=ORDINARY)
        array = await world.submit("bo", array="3", gpus=1)
        await world.until_true(lambda: "could not send" in caplog.text)
        await world.change_user("bo", unix_account=None)
        await world.round()
        assert f"job {array}[3] has no account to run as" in caplog.text

    async def test_so_does_a_report_that_makes_no_sense(
        self, world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def find_no_sense(*_: object) -> None:
            raise LookupError("no sense")

        monkeypatch.setattr("danlu.control.running.reports._record", find_no_sense)
        facts = [TaskFact(TaskKey(element_id(12, index), 1, 0), "forge") for index in (3, 4)]
        await world.control.database.write(lambda tx: record_facts(tx, facts))
        for index in (3, 4):
            assert f"the report about task 12[{index}]-1-0" in caplog.text
