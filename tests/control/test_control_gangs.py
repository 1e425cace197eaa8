"""Jobs over several nodes: all of their tasks start or none, and they end together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.running.gangs import end_of_gang, judge_gang, learn
from danlu.core.job import Job, JobSpec, Launcher, StopIntent, Task
from danlu.core.nodes.node import GpuReading
from danlu.core.resources import Allocation
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from tests.control.agents import LeasedAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World
from tests.store.builders import HandClock

S = JobState
NOW = 1_000.0
OK = TaskEnd(TaskEnding.EXITED, NOW, wait_status=0)
BAD = TaskEnd(TaskEnding.EXITED, NOW + 1, wait_status=1 << 8)
STOPPED = TaskEnd(TaskEnding.STOPPED, NOW + 2, wait_status=15)
LOST = TaskEnd(TaskEnding.NODE_LOST, NOW + 20)


def a_job(state: JobState = S.RUNNING, intent: StopIntent | None = None, **spec: Any) -> Job:
    return Job(
        7, "ann", JobSpec("train", **{"nodes": 3, **spec}), state, 3, 7.0, 0.0, attempt=1, stop_intent=intent
    )


def tasks(*ends: TaskEnd | None, started: bool = True) -> tuple[Task, ...]:
    return tuple(
        Task(rank, Allocation(f"n{rank}"), "", "", "boot", started_at=NOW if started else None, end=end)
        for rank, end in enumerate(ends)
    )


def verdict_of(job: Job, *ends: TaskEnd) -> int:
    """The rank whose end is that of the attempt."""
    decisive = judge_gang(job, tasks(*ends)).decisive
    assert decisive is not None
    return decisive.rank


class TestJudging:
    def test_it_runs_once_the_last_has_started(self) -> None:
        some = (*tasks(None), *tasks(None, None, started=False)[1:])
        assert judge_gang(a_job(S.STARTING), some).started_at is None
        assert judge_gang(a_job(S.STARTING), tasks(None, None)).started_at == NOW

    def test_the_first_bad_end_stops_the_others_and_a_good_one_does_not(self) -> None:
        assert judge_gang(a_job(), tasks(OK, None, None)).stop is None
        assert judge_gang(a_job(), tasks(None, BAD, None)).stop is StopIntent.TASK_FAILED
        assert judge_gang(a_job(S.STOPPING), tasks(None, BAD, None)).stop is None

    def test_the_task_that_ran_out_of_memory_explains_what_the_others_say(self) -> None:
        starved = TaskEnd(TaskEnding.OUT_OF_MEMORY, NOW + 5, wait_status=9, detail="64 MB / 64 MB")
        assert verdict_of(a_job(), BAD, starved, BAD) == 1
        assert verdict_of(a_job(launcher=Launcher.MPI), BAD, starved, BAD) == 1
        assert (
            end_of_gang(tasks(BAD, starved), tasks(BAD, starved)[1]).detail == "rank 1 on n1: 64 MB / 64 MB"
        )

    def test_all_must_end_well(self) -> None:
        assert verdict_of(a_job(), OK, OK) == 0
        assert verdict_of(a_job(S.STOPPING, StopIntent.TASK_FAILED), STOPPED, BAD, STOPPED) == 1
        later = replace(BAD, ended_at=NOW + 9)
        assert verdict_of(a_job(), later, BAD, OK) == 1

    def test_a_lost_node_explains_what_broke_off_before_it_was_known(self) -> None:
        assert verdict_of(a_job(S.STOPPING, StopIntent.TASK_FAILED), BAD, LOST, STOPPED) == 1

    @pytest.mark.parametrize("intent", [StopIntent.CANCEL, StopIntent.REQUEUE, StopIntent.RESIZE])
    def test_what_breaks_off_because_another_was_stopped_explains_nothing(self, intent: StopIntent) -> None:
        assert verdict_of(a_job(S.STOPPING, intent), BAD, STOPPED) == 1
        assert verdict_of(a_job(S.STOPPING, intent), OK, OK) == 0

    @pytest.mark.parametrize("launcher", [Launcher.MPI, Launcher.RAY])
    def test_some_launchers_follow_the_first_task(self, launcher: Launcher) -> None:
        job = a_job(launcher=launcher)
        assert judge_gang(job, tasks(OK, None)).stop is StopIntent.TASK_DONE
        assert judge_gang(job, tasks(BAD, None)).stop is StopIntent.TASK_FAILED
        stopping = a_job(S.STOPPING, StopIntent.TASK_DONE, launcher=launcher)
        assert verdict_of(stopping, OK, STOPPED) == 0
        assert verdict_of(stopping, OK, LOST) == 0
        assert verdict_of(stopping, BAD, LOST) == 1

    def test_a_bad_end_names_its_rank_and_the_attempt_is_over_with_the_last(self) -> None:
        ended = tasks(STOPPED, replace(BAD, detail="why"))
        assert end_of_gang(ended, ended[1]) == replace(
            BAD, ended_at=STOPPED.ended_at, detail="rank 1 on n1: why"
        )
        assert end_of_gang(tasks(OK, OK), tasks(OK)[0]).detail == ""

    def test_what_is_told_late_or_twice_changes_nothing(self) -> None:
        key = TaskKey(7, 1, 0)
        first = TaskFact(key, "n0", NOW, OK)
        known, news = learn(tasks(None, None), [first, TaskFact(key, "n0", NOW + 5, BAD), first])
        assert (known[0].end, len(news)) == (OK, 1)
        assert learn(known, [first, TaskFact(TaskKey(7, 1, 9), "n0", NOW)])[1] == []


@pytest.fixture
async def world(open_world: OpenWorld) -> World:
    """Three machines with four GPUs each."""
    clock = HandClock()
    machines = [a_machine(f"n{number}", leased=True) for number in (1, 2, 3)]
    agents = LeasedAgents(*machines, monotonic=clock)
    return await open_world(agents, lease_s=15.0, monotonic=clock)


async def launched(world: World, job_id: int, attempt: int = 1, ranks: int = 2) -> list[TaskKey]:
    keys = [TaskKey(job_id, attempt, rank) for rank in range(ranks)]
    await world.until_true(lambda: world.agents.known.keys() >= set(keys))
    return keys


async def runs(world: World, job_id: int, attempt: int = 1, ranks: int = 2) -> list[TaskKey]:
    keys = await launched(world, job_id, attempt, ranks)
    for key in keys:
        world.agents.begins(key)
    await world.until(job_id, S.RUNNING)
    return keys


class TestStarting:
    async def test_every_task_is_told_of_all_of_them(self, world: World) -> None:
        job_id = await world.submit(nodes="2", gpus=2, launcher="torchrun")
        await launched(world, job_id)
        first, second = sorted(world.agents.launched, key=lambda order: order.key.rank)
        assert first.gang == second.gang
        assert first.gang is not None
        assert (first.gang.port, first.gang.second_port, first.gang.launcher) == (29_500, 29_501, "torchrun")
        assert [member.node for member in first.gang.members] == [first.node, second.node]
        assert first.gang.members[0].address != first.gang.members[1].address
        assert [member.gpus for member in first.gang.members] == [2, 2]
        assert first.node != second.node
        assert first.checkpoint_dir == second.checkpoint_dir == f"/work/.danlu/checkpoints/{job_id}"

    async def test_a_launcher_is_told_on_one_node_too_and_a_plain_job_of_nothing(self, world: World) -> None:
        order = await world.launch_of(await world.submit(launcher="torchrun"))
        assert order.gang is not None
        assert len(order.gang.members) == 1
        assert (await world.launch_of(await world.submit())).gang is None

    async def test_it_runs_when_all_have_started(self, world: World) -> None:
        job_id = await world.submit(nodes="3")
        keys = await launched(world, job_id, ranks=3)
        for key in keys[:-1]:
            world.agents.begins(key)
        await world.settle()
        assert await world.state(job_id) is S.STARTING
        world.agents.begins(keys[-1])
        await world.until(job_id, S.RUNNING)

    async def test_one_node_that_is_not_ready_means_that_nothing_starts(self, world: World) -> None:
        world.agents.unprepared.add("n3")
        job_id = await world.submit(nodes="3", gpus=4)
        job = await world.until(job_id, S.WAITING)
        await world.until_true(lambda: world.agents.prepared)
        job = await world.until(job_id, S.WAITING)
        assert (job.end_reason, job.detail, job.retries_used) == (EndReason.NOT_STARTED, "n3", 0)
        assert world.agents.launched == []
        world.agents.unprepared.clear()
        world.clock.advance(2.0)
        world.control.scheduling_loop.wake()
        await launched(world, job_id, job.attempt + 1, ranks=3)

    async def test_a_restart_between_the_asking_and_the_sending_loses_nothing(self, world: World) -> None:
        world.agents.unprepared.add("n1")
        await world.schedule(paused=True)
        job_id = await world.submit(nodes="3")
        # Gathering is what a restart cuts off: nothing of it is stored then.
        world.control.launching.orders_for = never  # type: ignore[method-assign]
        await world.schedule(paused=False)
        await world.until(job_id, S.STARTING)
        world.agents.unprepared.clear()
        await world.restart()
        await launched(world, job_id, ranks=3)
        assert await world.state(job_id) is S.STARTING

    async def test_a_task_whose_order_got_lost_is_sent_again_and_no_other(self, world: World) -> None:
        job_id = await world.submit(nodes="2")
        keys = await launched(world, job_id)
        world.agents.begins(keys[0])
        await world.settle()
        del world.agents.known[keys[1]]
        before = len(world.agents.launched)
        await world.round()
        assert [order.key for order in world.agents.launched[before:]] == [keys[1]]

    async def test_one_that_had_started_and_is_not_known_any_more_is_not_started_again(
        self, world: World
    ) -> None:
        job_id = await world.submit(nodes="2")
        keys = await launched(world, job_id)
        world.agents.begins(keys[0])
        await world.settle()
        del world.agents.known[keys[0]]
        before = len(world.agents.launched)
        await world.round()
        assert world.agents.launched[before:] == []
        await world.until(job_id, S.WAITING, S.FAILED)


class TestEnding:
    async def test_it_has_succeeded_when_all_have(self, world: World) -> None:
        job_id = await world.submit(nodes="2", gpus=4)
        keys = await runs(world, job_id)
        world.agents.ends(keys[1])
        await world.settle()
        assert await world.state(job_id) is S.RUNNING
        await world.round()
        assert world.agents.stopped == []
        world.agents.ends(keys[0])
        await world.until(job_id, S.SUCCEEDED)
        await world.until_true(lambda: set(world.agents.forgotten) == set(keys))

    async def test_the_first_that_fails_takes_the_others_with_it(self, world: World) -> None:
        job_id = await world.submit(nodes="3", gpus=4)
        keys = await runs(world, job_id, ranks=3)
        world.agents.ends(keys[1], 3)
        job = await world.until(job_id, S.FAILED)
        assert (job.end_reason, job.exit_code) == (EndReason.EXIT_CODE, 3)
        assert job.detail == f"rank 1 on {job.on_nodes[1]}"
        assert sorted(world.agents.stopped) == [keys[0], keys[2]]
        [attempt] = await world.attempts(job_id)
        assert [task.end and task.end.ending for task in attempt.tasks] == [
            TaskEnding.STOPPED,
            TaskEnding.EXITED,
            TaskEnding.STOPPED,
        ]

    async def test_a_retry_counts_the_whole_of_it(self, world: World) -> None:
        job_id = await world.submit(nodes="2", retries=1, retry_backoff_s=1)
        keys = await runs(world, job_id)
        world.agents.ends(keys[0], 1)
        job = await world.until(job_id, S.WAITING)
        assert job.retries_used == 1
        world.clock.advance(2.0)
        world.control.scheduling_loop.wake()
        await launched(world, job_id, 2)

    async def test_a_cancel_stops_every_task(self, world: World) -> None:
        job_id = await world.submit(nodes="3")
        keys = await runs(world, job_id, ranks=3)
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        await world.until(job_id, S.CANCELLED)
        assert sorted(world.agents.stopped) == keys

    async def test_a_cancel_at_once_gives_none_of_them_a_grace(self, world: World) -> None:
        job_id = await world.submit(nodes="3", grace_s=600)
        keys = await runs(world, job_id, ranks=3)
        await world.control.jobs.cancel(await world.user("bo"), job_id, now=True)
        await world.until(job_id, S.CANCELLED)
        assert [world.agents.grace_s[key] for key in keys] == [0.0] * 3

    async def test_so_does_the_service_that_stops_with_its_jobs(self, world: World) -> None:
        job_id = await world.submit(nodes="2")
        keys = await runs(world, job_id)
        await world.control.stop_jobs()
        assert await world.queue() == [job_id]
        assert sorted(world.agents.stopped) == keys

    async def test_a_broken_gpu_of_any_task_ends_them_all(self, world: World) -> None:
        job_id = await world.submit(nodes="2", gpus=1)
        keys = await runs(world, job_id)
        attempt = (await world.attempts(job_id))[0]
        place = attempt.tasks[1].allocation
        world.agents.on_gpus[place.node, place.gpu_ids[0]] = GpuReading(
            place.gpu_ids[0], "u", 1, fault="fell off the bus", lost=True
        )
        await world.control.monitor.look()
        job = await world.until(job_id, S.FAILED)
        assert job.end_reason is EndReason.GPU_FAULT
        assert place.node in job.detail
        assert sorted(world.agents.stopped) == keys

    async def test_a_launcher_that_runs_the_command_once_ends_with_it(self, world: World) -> None:
        job_id = await world.submit(nodes="3", launcher="mpi")
        keys = await runs(world, job_id, ranks=3)
        world.agents.ends(keys[0])
        await world.until(job_id, S.SUCCEEDED)
        assert sorted(world.agents.stopped) == keys[1:]

    async def test_one_task_that_was_lost_in_a_reboot_ends_them_all(self, world: World) -> None:
        job_id = await world.submit(nodes="2")
        await runs(world, job_id)
        node = (await world.attempts(job_id))[0].tasks[1].allocation.node
        world.agents.heal(node, boot_id="boot-2")
        job = await world.until(job_id, S.FAILED)
        assert job.end_reason is EndReason.NODE_REBOOTED

    async def test_all_of_it_is_held_until_the_last_has_ended(self, world: World) -> None:
        job_id = await world.submit(nodes="3", gpus=4)
        keys = await runs(world, job_id, ranks=3)
        successor = await world.submit(gpus=4)
        for key in keys[:-1]:
            world.agents.ends(key)
        await world.settle()
        assert await world.state(successor) is S.WAITING
        world.agents.ends(keys[-1])
        await world.launch_of(successor)


async def never(*_: object) -> list[Any]:
    return []
