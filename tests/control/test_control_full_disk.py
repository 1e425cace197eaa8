"""A disk that is full: what ends something goes through, what begins something is refused."""

from __future__ import annotations

import asyncio

import pytest

from danlu.control.system import disk_watch
from danlu.core.blockers import DiskFull
from danlu.core.errors import Unavailable
from danlu.core.events import EventKind
from danlu.core.states import JobState
from danlu.core.task import TaskKey
from danlu.store.events import events_after
from tests.control.agents import RecordingAgents, StubbornAgents
from tests.control.conftest import OpenWorld
from tests.control.world import PATIENCE_S, World
from tests.store.faults import FullDiskDatabase, LastRoomDatabase


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_watch, "PAUSE_S", 0.02)


def disk_of(world: World) -> FullDiskDatabase:
    assert isinstance(world.control.database, FullDiskDatabase)
    return world.control.database


async def a_running_job(world: World, agents: RecordingAgents) -> TaskKey:
    job_id = await world.submit()
    key = TaskKey(job_id, 1, 0)
    await world.until_true(lambda: key in agents.known)
    agents.begins(key)
    await world.until(job_id, JobState.RUNNING)
    return key


async def test_a_cancellation_reaches_the_node_though_it_cannot_be_stored(open_world: OpenWorld) -> None:
    agents = RecordingAgents()
    world = await open_world(agents, database=FullDiskDatabase)
    key = await a_running_job(world, agents)
    disk_of(world).full = True
    with pytest.raises(Unavailable, match="stopped_not_stored"):
        await world.control.jobs.cancel(await world.user("bo"), key.job)
    assert agents.stopped == [key]
    disk_of(world).full = False
    await world.until(key.job, JobState.FAILED, JobState.CANCELLED)


async def test_nobody_else_may_stop_a_job_on_a_full_disk_either(open_world: OpenWorld) -> None:
    agents = RecordingAgents()
    world = await open_world(agents, database=FullDiskDatabase)
    key = await a_running_job(world, agents)
    disk_of(world).full = True
    with pytest.raises(Exception, match="not_yours"):
        await world.control.jobs.cancel(await world.user("cy"), key.job)
    assert agents.stopped == []
    disk_of(world).full = False


async def test_the_service_stops_with_its_jobs_though_that_cannot_be_stored(open_world: OpenWorld) -> None:
    agents = RecordingAgents()
    world = await open_world(agents, database=FullDiskDatabase)
    key = await a_running_job(world, agents)
    disk_of(world).full = True
    async with asyncio.timeout(PATIENCE_S):
        await world.control.stop_jobs()
    assert agents.stopped == [key]
    assert await world.control.count_living() == 0


async def test_what_does_not_stop_is_counted(open_world: OpenWorld) -> None:
    agents = StubbornAgents()
    world = await open_world(agents, database=FullDiskDatabase)
    await a_running_job(world, agents)
    disk_of(world).full = True
    stopping = asyncio.create_task(world.control.stop_jobs())
    await world.until_true(lambda: bool(agents.stopped))
    assert await world.control.count_living() == 1
    assert not stopping.done()
    stopping.cancel()


async def test_nothing_is_taken_or_started_until_there_is_room(open_world: OpenWorld) -> None:
    agents = RecordingAgents()
    world = await open_world(agents, database=FullDiskDatabase)
    bo = await world.user("bo")
    await world.schedule(paused=True)
    waiting = await world.submit()
    disk_of(world).full = True
    for wish in (world.submit(), world.control.jobs.resubmit(bo, waiting)):
        with pytest.raises(Unavailable, match="disk_full"):
            await wish
    await world.control.scheduling_loop.pass_now()
    assert world.control.scheduling_loop.blockers[waiting] == (DiskFull(),)
    disk_of(world).full = False
    await world.schedule(paused=False)
    await world.until_true(lambda: [order.key.job for order in agents.launched] == [waiting])


async def test_everybody_is_told_that_it_is_full_and_that_it_is_no_longer(open_world: OpenWorld) -> None:
    world = await open_world(RecordingAgents(), database=LastRoomDatabase)
    told: list[bool] = []
    with world.control.bus.subscribe() as news:
        for state in (True, False):
            disk_of(world).full = state
            async with asyncio.timeout(PATIENCE_S):
                while len(told) < (1 if state else 2):
                    events = await news.next()
                    told += [e.data["full"] for e in events if e.kind is EventKind.DISK_CHANGED]
    assert told == [True, False]
    events = await world.control.database.read(lambda c: events_after(c, 0, 1000))
    assert [e.data["full"] for e in events if e.kind is EventKind.DISK_CHANGED] == [True, False]
