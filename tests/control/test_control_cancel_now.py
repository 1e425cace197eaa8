"""A cancel that does not wait: no grace, for every task, and none that is under way."""

from __future__ import annotations

import pytest

from danlu.core.errors import Forbidden
from danlu.core.events import EventKind
from danlu.core.job import StopIntent
from danlu.core.job_id import element_id
from danlu.core.states import EndReason
from danlu.core.states import JobState as S
from danlu.core.task import TaskEnd, TaskEnding, TaskKey
from danlu.core.user import Role
from tests.control.agents import DeafAgents, StubbornAgents
from tests.control.conftest import OpenWorld
from tests.control.world import World

LONG_S = 3600.0


@pytest.fixture
async def stubborn(open_world: OpenWorld) -> World:
    """Its tasks end when the test says so."""
    return await open_world(StubbornAgents())


async def cancel(world: World, who: str, job_id: int, *, now: bool) -> None:
    await world.control.jobs.cancel(await world.user(who), job_id, now=now)


async def changes(world: World, job_id: int) -> list[tuple[str | None, str]]:
    """Who wanted what of its stop, and when it was running already what was wanted instead."""
    return [
        (event.actor, event.data["intent"])
        for event in await world.events(job_id)
        if event.kind in (EventKind.STATE, EventKind.STOP_CHANGED) and "intent" in event.data
    ]


async def test_a_running_job_gets_no_grace(stubborn: World) -> None:
    job_id = await stubborn.submit(grace_s=LONG_S)
    key = await stubborn.starts(job_id)
    await cancel(stubborn, "bo", job_id, now=True)
    assert stubborn.agents.grace_s[key] == 0.0
    assert await changes(stubborn, job_id) == [("bo", "kill")]


async def test_an_administrator_ends_the_grace_that_is_under_way(stubborn: World) -> None:
    await stubborn.add_user("ada", Role.ADMIN)
    job_id = await stubborn.submit(grace_s=LONG_S, retries=3)
    key = await stubborn.starts(job_id)
    await cancel(stubborn, "bo", job_id, now=False)
    assert stubborn.agents.grace_s[key] == LONG_S
    await cancel(stubborn, "ada", job_id, now=True)
    assert stubborn.agents.grace_s[key] == 0.0
    # Cancelling it once more does not give it back, nor does reconciling.
    await cancel(stubborn, "bo", job_id, now=False)
    assert stubborn.agents.grace_s[key] == 0.0
    await stubborn.round()
    assert stubborn.agents.grace_s[key] == 0.0
    assert await changes(stubborn, job_id) == [("bo", "cancel"), ("ada", "kill")]
    stubborn.agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
    job = await stubborn.until(job_id, S.CANCELLED)
    assert job.end_reason is EndReason.CANCELLED


async def test_one_that_was_sent_back_to_the_queue(stubborn: World) -> None:
    job_id = await stubborn.submit(grace_s=LONG_S)
    key = await stubborn.starts(job_id)
    await stubborn.control.jobs.stop_all()
    await cancel(stubborn, "bo", job_id, now=True)
    assert stubborn.agents.grace_s[key] == 0.0
    assert (await stubborn.job(job_id)).stop_intent is StopIntent.KILL
    stubborn.agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
    await stubborn.until(job_id, S.CANCELLED)


async def test_a_service_ends_for_good(stubborn: World) -> None:
    job_id = await stubborn.submit(grace_s=LONG_S, service=True)
    key = await stubborn.starts(job_id)
    await cancel(stubborn, "bo", job_id, now=True)
    stubborn.agents.ends_with(key, TaskEnd(TaskEnding.EXITED, 1_000.0, wait_status=9))
    await stubborn.until(job_id, S.CANCELLED)


async def test_a_node_that_was_out_of_reach_hears_it_later(open_world: OpenWorld) -> None:
    """What was wanted is kept: the next server knows it too."""
    agents = DeafAgents()
    agents.deaf = False
    world = await open_world(agents)
    job_id = await world.submit(grace_s=LONG_S)
    key = await world.starts(job_id)
    agents.deaf = True
    await cancel(world, "bo", job_id, now=True)
    assert key not in agents.grace_s
    agents.deaf = False
    await world.restart()
    await world.until(job_id, S.CANCELLED)
    assert agents.grace_s[key] == 0.0


async def test_every_task_of_an_array_also_while_it_is_stopping(stubborn: World) -> None:
    array = await stubborn.submit(array="0-5", gpus=1, grace_s=LONG_S)
    keys = [await stubborn.starts(element_id(array, index)) for index in (0, 1)]
    await cancel(stubborn, "bo", array, now=False)
    assert [stubborn.agents.grace_s[key] for key in keys] == [LONG_S] * 2
    await cancel(stubborn, "bo", array, now=True)
    assert [stubborn.agents.grace_s[key] for key in keys] == [0.0] * 2
    assert await changes(stubborn, array) == [("bo", "cancel"), ("bo", "kill")]
    for key in [TaskKey(element_id(array, index), 1, 0) for index in range(4)]:
        if key in stubborn.agents.known:
            stubborn.agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=9))
    await stubborn.until(array, S.CANCELLED)


async def test_one_that_waits_is_cancelled_as_ever(stubborn: World) -> None:
    job_id = await stubborn.submit(hold=True)
    await cancel(stubborn, "bo", job_id, now=True)
    assert (await stubborn.job(job_id)).state is S.CANCELLED


async def test_nobody_ends_what_is_not_theirs(stubborn: World) -> None:
    job_id = await stubborn.submit(grace_s=LONG_S)
    key = await stubborn.starts(job_id)
    await cancel(stubborn, "bo", job_id, now=False)
    with pytest.raises(Forbidden):
        await cancel(stubborn, "cy", job_id, now=True)
    assert stubborn.agents.grace_s[key] == LONG_S
