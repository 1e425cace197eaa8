"""Locking a user holds what waits of theirs, and nothing else."""

from __future__ import annotations

from danlu.core.blockers import OwnerLocked
from danlu.core.job_id import element_id
from danlu.core.states import JobState
from tests.control.world import World

S = JobState


async def lock(world: World, locked: bool = True) -> None:
    await world.change_user("bo", locked=locked)
    await world.settle()


def why(world: World, job_id: int) -> list[str]:
    return [blocker.code for blocker in world.control.scheduling_loop.blockers.get(job_id, ())]


async def test_what_waits_is_held_until_the_lock_is_lifted(world: World) -> None:
    await world.schedule(paused=True)
    waiting, held = await world.submit(), await world.submit(hold=True)
    others = await world.submit("cy")
    await lock(world)
    await world.schedule(paused=False)
    await world.starts(others)
    await world.settle()
    assert why(world, waiting) == [OwnerLocked.code]
    assert why(world, held) == ["owner_locked", "held"]
    assert await world.state(waiting) is S.WAITING
    await lock(world, False)
    await world.starts(waiting)
    assert await world.state(held) is S.HELD, "its owner had it on hold"


async def test_what_runs_goes_on_and_its_retry_waits(world: World) -> None:
    job_id = await world.submit(retries=1, retry_backoff_s=0)
    key = await world.starts(job_id)
    await lock(world)
    assert await world.state(job_id) is S.RUNNING
    world.agents.ends(key, code=1)
    await world.until(job_id, S.WAITING)
    await world.until_true(lambda: "owner_locked" in why(world, job_id))
    await lock(world, False)
    await world.starts(job_id, 2)


async def test_no_further_task_of_an_array_begins(world: World) -> None:
    array = await world.submit(array="0-1%1")
    key = await world.starts(element_id(array, 0))
    await lock(world)
    world.agents.ends(key)
    await world.until(element_id(array, 0), S.SUCCEEDED)
    await world.until_true(lambda: why(world, array) == ["owner_locked"])
    await lock(world, False)
    await world.starts(element_id(array, 1))


async def test_a_lock_outlives_a_restart(world: World) -> None:
    await lock(world)
    await world.schedule(paused=True)
    job_id = await world.submit()
    await world.restart()
    await world.schedule(paused=False)
    await world.until_true(lambda: why(world, job_id) == ["owner_locked"])
