"""What GPUs did outlives the server: of jobs as long as they are known, of nodes for the last hour."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection, func, select

from danlu.control.telemetry.job_curves import MOST_POINTS, Curve, unpack
from danlu.core.errors import Unavailable
from danlu.core.nodes.node import GpuReading
from danlu.core.nodes.readings import MachineReading
from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskKey
from danlu.store.engine import schema
from danlu.store.pruning import prune_usage
from tests.control.world import World

GPU = GpuReading(0, "GPU-forge-0", 141_000, 8192, 50, 60, 200.0)
BUSY = MachineReading(37.5, 2.0, 12_345, 64_000, 1_500_000.0, 20_000.0)


async def looks(world: World, number: int, load: int = 50, step_s: float = 5.0) -> None:
    world.agents.usage["forge"] = BUSY
    for _ in range(number):
        world.agents.on_gpus["forge", 0] = replace(GPU, load=load)
        world.clock.advance(step_s)
        await world.control.monitor.look()


async def curve(world: World, key: TaskKey) -> Curve:
    usage = schema.job_usage.c

    def read(connection: Connection) -> bytes | None:
        mine = (usage.job_id == key.job, usage.attempt == key.attempt, usage.rank == key.rank)
        return connection.execute(select(usage.data).where(*mine)).scalar_one_or_none()

    data = await world.control.database.read(read)
    return unpack(data) if data is not None else []


async def rows(world: World) -> int:
    count = select(func.count()).select_from(schema.node_readings)
    return await world.control.database.read(lambda c: c.execute(count).scalar_one())


def end(world: World, key: TaskKey) -> None:
    world.agents.ends_with(key, TaskEnd(TaskEnding.EXITED, world.clock(), wait_status=0))


async def kill_and_restart(world: World) -> None:
    """A server that is killed writes nothing any more."""
    world.control.usage_recorder.close = _do_nothing  # type: ignore[method-assign]
    await world.restart()


async def _do_nothing() -> None:
    pass


def loads(curve: Curve) -> list[int | None]:
    return [point.load[0] for point in curve]


async def test_the_next_server_knows_what_a_killed_one_had_written(world: World) -> None:
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    await looks(world, 4, load=40)
    await world.control.usage_recorder.write()
    await looks(world, 2, load=99)
    world.agents.on_gpus["forge", 0] = replace(GPU, load=70)
    await kill_and_restart(world)
    world.clock.advance(600)
    await looks(world, 3, load=60)
    past = world.control.monitor.history.of_node("forge", 0.0)
    assert past.gpus[0].load[-9:] == [40, 40, 40, 40, 70, None, 60, 60, 60], "and the time between is a gap"
    assert past.memory_used_mb[-9:] == [12_345] * 5 + [None] + [12_345] * 3
    end(world, key)
    await world.until(job_id, JobState.SUCCEEDED)
    await world.control.usage_recorder.write()
    assert loads(await curve(world, key))[-9:] == [40, 40, 40, 40, 70, None, 60, 60, 60]


async def test_a_job_that_ended_just_before_the_server_died_has_its_curve(world: World) -> None:
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    await looks(world, 5)
    await world.control.usage_recorder.write()
    await looks(world, 1)
    end(world, key)
    await world.until(job_id, JobState.SUCCEEDED)
    await kill_and_restart(world)
    await world.control.usage_recorder.write()
    assert loads(await curve(world, key))[-5:] == [50] * 5


async def test_more_ends_than_its_queue_holds_are_looked_up(world: World) -> None:
    world.control.usage_recorder._ends._longest = 0
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    await looks(world, 5)
    end(world, key)
    await world.until(job_id, JobState.SUCCEEDED)
    await world.control.usage_recorder.write()
    assert loads(await curve(world, key))[-5:] == [50] * 5


async def test_a_long_run_is_written_now_and_then_and_stays_small(world: World) -> None:
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    for _ in range(4):
        await looks(world, 400)
        await world.control.usage_recorder.write()
    kept = await curve(world, key)
    assert 300 < len(kept) <= MOST_POINTS
    assert kept[-1].at - kept[0].at > 4 * 400 * 5 - 100
    assert set(loads(kept)) == {50}


async def test_the_rows_of_the_nodes_are_few(world: World) -> None:
    for _ in range(200):
        await looks(world, 10)
        await world.control.usage_recorder.write()
    assert await rows(world) < 30
    before = world.control.monitor.history.of_node("forge", 0.0)
    await kill_and_restart(world)
    after = world.control.monitor.history.of_node("forge", 0.0)
    assert len(after.times) > 600
    assert before.times[-600:] == [at for at in after.times if at <= before.times[-1]][-600:]


async def test_a_deleted_job_has_no_curve_nor_gets_one(world: World) -> None:
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    await looks(world, 3)
    end(world, key)
    await world.until(job_id, JobState.SUCCEEDED)
    await world.control.usage_recorder.write()
    assert await curve(world, key)
    bo = await world.user("bo")
    await world.control.jobs.delete(bo, job_id, with_successors=False, running=False)
    assert await curve(world, key) == []
    world.control.usage_recorder._ended.add((key.job, key.attempt))
    await world.control.usage_recorder.write()
    assert await curve(world, key) == []


async def test_curves_go_when_their_job_ended_long_ago(world: World) -> None:
    old, running = await world.submit(gpu_ids=[0]), await world.submit(gpu_ids=[1])
    key, other = await world.starts(old), await world.starts(running)
    await looks(world, 3)
    world.agents.on_gpus["forge", 1] = replace(GPU, index=1, uuid="GPU-forge-1")
    end(world, key)
    await world.until(old, JobState.SUCCEEDED)
    await world.control.usage_recorder.write()
    assert await curve(world, key)
    assert await curve(world, other)
    assert not await world.control.database.write(lambda tx: prune_usage(tx, world.clock() + 10))
    assert await curve(world, key) == []
    assert await curve(world, other)


async def test_a_disk_without_room_costs_nothing_but_the_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    await looks(world, 3)
    recorder = world.control.usage_recorder

    async def refuse(_command: object) -> None:
        raise Unavailable("disk_full", reason="no room")

    with monkeypatch.context() as full:
        full.setattr(world.control.database, "write", refuse)
        await recorder.try_write()
    await looks(world, 3)
    await recorder.try_write()
    assert loads(await curve(world, key))[-6:] == [50] * 6
    assert await rows(world) == 1


async def test_a_clock_that_was_set_back_begins_anew(world: World) -> None:
    world.clock.advance(10_000)
    await looks(world, 3)
    await world.control.usage_recorder.write()
    world.clock.advance(-5000)
    await looks(world, 3)
    await world.control.usage_recorder.write()
    assert await rows(world) == 1
    await kill_and_restart(world)
    assert len(world.control.monitor.history.of_node("forge", 0.0).times) == 3


async def test_what_nobody_can_read_is_left_out(world: World) -> None:
    await looks(world, 3)
    await world.control.usage_recorder.write()
    await world.control.database.write(
        lambda tx: tx.connection.execute(schema.node_readings.update().values(data=b"rubbish"))
    )
    await kill_and_restart(world)
    await looks(world, 1)
    await world.control.usage_recorder.write()
    assert len(world.control.monitor.history.of_node("forge", 0.0).times) >= 1
