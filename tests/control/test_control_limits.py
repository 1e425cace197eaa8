"""What a job asks for goes to its node as what it is held to, unless an admin has switched that off."""

from __future__ import annotations

from dataclasses import replace

from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.store.settings import change_general
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World


async def limits_of_next(world: World, **asked: int) -> tuple[float, int]:
    number = len(world.agents.launched)
    await world.submit(**asked)
    await world.until_true(lambda: len(world.agents.launched) > number)
    order = world.agents.launched[number]
    return order.cpus, order.memory_mb


async def test_a_job_is_held_to_what_it_asked_for_itself(open_world: OpenWorld) -> None:
    world = await open_world(RecordingAgents(a_machine("n1")))
    assert await limits_of_next(world) == (0, 0)
    assert await limits_of_next(world, gpus=1) == (0, 0)
    assert await limits_of_next(world, cpus=1, memory_mb=64) == (1, 64)
    await world.control.database.write(lambda tx: change_general(tx, "ann", limit_memory=False))
    assert await limits_of_next(world, cpus=1, memory_mb=64) == (1, 0)
    await world.control.database.write(lambda tx: change_general(tx, "ann", limit_cpus=False))
    assert await limits_of_next(world, cpus=1, memory_mb=64) == (0, 0)


async def test_a_running_job_says_what_its_node_cannot_hold_it_to(open_world: OpenWorld) -> None:
    machine = replace(a_machine("n1"), cpu_guard="v1")
    world = await open_world(RecordingAgents(machine))
    bo = await world.user("bo")
    job = await world.submit(cpus=1, memory_mb=64)
    await world.until_true(lambda: len(world.agents.launched) == 1)
    assert (await world.control.job_lookup.find_whole(bo, job)).not_held_to == ("memory",)
    modest = await world.submit()
    await world.until_true(lambda: len(world.agents.launched) == 2)
    assert (await world.control.job_lookup.find_whole(bo, modest)).not_held_to == ()


async def test_a_job_without_memory_fails_and_is_tried_again_only_if_asked(world: World) -> None:
    starved = TaskEnd(TaskEnding.OUT_OF_MEMORY, 1_000.0, wait_status=9, detail="64 MB / 64 MB")
    job = await world.submit(memory_mb=64, retries=1)
    world.agents.ends_with(await world.starts(job), starved)
    failed = await world.until(job, JobState.FAILED)
    assert (failed.end_reason, failed.signal, failed.detail) == (EndReason.OUT_OF_MEMORY, 9, "64 MB / 64 MB")
    again = await world.submit(memory_mb=64, retries=1, retry_on=["out_of_memory"])
    world.agents.ends_with(await world.starts(again), starved)
    assert (await world.until(again, JobState.WAITING)).retries_used == 1
