"""What a job has used is known after its end: of one task, of several, of all attempts and elements."""

from __future__ import annotations

from dataclasses import replace

from danlu.core.nodes.node import GpuReading
from danlu.core.resources import Used
from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskKey
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World

GPU = GpuReading(0, "GPU-forge-0", 141_000, 8192, 50, 60, 200.0)


def end(world: World, key: TaskKey, cpu_s: float, peak_mb: int, status: int = 0) -> None:
    world.agents.ends_with(
        key, TaskEnd(TaskEnding.EXITED, world.clock(), status, cpu_s=cpu_s, peak_memory_mb=peak_mb)
    )


async def used(world: World, job_id: int) -> Used:
    whole = await world.control.job_lookup.find_whole(await world.user("bo"), job_id)
    return whole.used


async def test_attempts_are_added_up(world: World) -> None:
    job = await world.submit(retries=1, retry_backoff_s=0)
    end(world, await world.starts(job), 3.0, 500, status=256)
    end(world, await world.starts(job, attempt=2), 4.0, 300)
    await world.until(job, JobState.SUCCEEDED)
    assert [attempt.used.cpu_s for attempt in await world.attempts(job)] == [3.0, 4.0]
    assert await used(world, job) == Used(7.0, 500)


async def test_gpus_are_known_at_once_and_stay_known(world: World) -> None:
    bo = await world.user("bo")
    world.clock.advance(60)
    job = await world.submit(gpu_ids=[0])
    key = await world.starts(job)
    for load, used_mb in ((20, 1000), (80, 3000)):
        world.agents.on_gpus["forge", 0] = replace(GPU, load=load, used_mb=used_mb)
        world.clock.advance(5)
        await world.control.monitor.look()
    end(world, key, 1.0, 10)
    ended = await world.until(job, JobState.SUCCEEDED)
    assert ended.ended_at is not None
    assert ended.started_at is not None
    expected = Used(1.0, 10, ended.ended_at - ended.started_at, 50.0, 80, 2000, 3000)
    whole = await world.control.job_lookup.find_whole(bo, job)
    fresh = await world.control.usage_reader.with_gpus(whole.attempts)
    assert fresh[-1].used == expected
    await world.control.usage_recorder.write()
    assert await used(world, job) == expected


async def test_the_tasks_of_a_gang_are_added_up(open_world: OpenWorld) -> None:
    world = await open_world(RecordingAgents(a_machine("n1"), a_machine("n2")))
    job = await world.submit(nodes="2")
    await world.until_true(lambda: len(world.agents.launched) == 2)
    for rank, cpu_s, peak_mb in ((0, 3.0, 200), (1, 4.0, 300)):
        end(world, TaskKey(job, 1, rank), cpu_s, peak_mb)
    await world.until(job, JobState.SUCCEEDED)
    assert await used(world, job) == Used(7.0, 300)


async def test_the_elements_of_an_array_are_added_up(world: World) -> None:
    array = await world.submit(array="0-1")
    await world.until_true(lambda: len(world.agents.launched) == 2)
    for number, order in enumerate(list(world.agents.launched)):
        end(world, order.key, 2.0, 100 + number)
    await world.until(array, JobState.SUCCEEDED)
    assert await used(world, array) == Used(4.0, 101)
