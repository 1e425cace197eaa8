"""What is deleted goes on every node that has something of it, also on one that is away just then."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from danlu.control.recovery import removals
from danlu.core.states import JobState
from danlu.store.jobs.removals import nodes_with_removals
from danlu.store.nodes.node_rows import remove_node
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.agents import LeasedAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import PATIENCE_S, World
from tests.store.builders import HandClock

LEASE_S = 15.0
NODES = ("n1", "n2", "n3")


class StubbornDisks(LeasedAgents):
    """Can remove nothing of some jobs."""

    keeps: frozenset[int] = frozenset()

    def __init__(self, *machines: Any, **more: Any) -> None:
        super().__init__(*machines, **more)
        self.calls: list[int] = []

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        gone = await super().remove_jobs(node, job_ids)
        self.calls.append(len(job_ids))
        return [job_id for job_id in gone if job_id not in self.keeps]


async def open_cluster(open_world: OpenWorld) -> tuple[World, StubbornDisks]:
    clock = HandClock()
    machines = [a_machine(name, gpus=2, leased=True) for name in NODES]
    agents = StubbornDisks(*machines, monotonic=clock)
    return await open_world(agents, lease_s=LEASE_S, monotonic=clock), agents


async def run_to_end(world: World, agents: LeasedAgents, job_id: int, attempt: int = 1) -> None:
    """All of its tasks begin, and end well."""
    job = await world.job(job_id)
    wanted = max(job.spec.nodes, 1)

    def launched() -> list[Any]:
        keys = [order.key for order in agents.launched]
        return [key for key in keys if (key.job, key.attempt) == (job_id, attempt) and key in agents.known]

    await world.until_true(lambda: len(set(launched())) == wanted)
    for key in set(launched()):
        agents.begins(key)
    for key in set(launched()):
        agents.ends(key)
    await world.until(job_id, JobState.SUCCEEDED)


async def delete(world: World, job_id: int) -> None:
    await world.control.jobs.delete(await world.user("ann"), job_id, with_successors=False, running="refuse")


async def left_on(world: World) -> list[str]:
    return await world.control.database.read(nodes_with_removals)


async def until_left_on(world: World, *nodes: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await left_on(world) != list(nodes):
            await world.settle()


async def lose(world: World, agents: LeasedAgents, node: str) -> None:
    agents.cut(node)
    world.monotonic.advance(LEASE_S)  # type: ignore[attr-defined]
    agents.beat()
    await world.round()


async def test_every_node_that_had_a_part_of_it_in_any_attempt_is_told(open_world: OpenWorld) -> None:
    world, agents = await open_cluster(open_world)
    job_id = await world.submit(nodes="2", gpus=1, only_nodes=["n1", "n2"])
    await run_to_end(world, agents, job_id)
    edit = JobEdit(set=JobFields(nodes="1", only_nodes=["n3"]), clear=[])
    await world.control.jobs.edit(await world.user("ann"), job_id, edit)
    await run_to_end(world, agents, job_id, attempt=2)
    other = await world.submit(node="n1")
    await run_to_end(world, agents, other)
    await delete(world, job_id)
    await world.until_true(lambda: len(agents.removed) == 3)
    assert sorted(agents.removed) == [(node, job_id) for node in NODES]
    await until_left_on(world)


async def test_the_nodes_of_all_tasks_of_an_array_are_told(open_world: OpenWorld) -> None:
    world, agents = await open_cluster(open_world)
    array = await world.submit(array="1-6", gpus=1)
    await world.until_true(lambda: len(agents.known) == 6)
    for key in list(agents.known):
        agents.begins(key)
        agents.ends(key)
    await world.until(array, JobState.SUCCEEDED)
    await delete(world, array)
    await world.until_true(lambda: len(agents.removed) == 3)
    assert sorted(agents.removed) == [(node, array) for node in NODES]


async def test_a_node_that_is_away_is_told_when_it_is_back_even_by_another_server(
    open_world: OpenWorld,
) -> None:
    world, agents = await open_cluster(open_world)
    job_id = await world.submit(nodes="2", gpus=1, only_nodes=["n1", "n2"])
    await run_to_end(world, agents, job_id)
    await lose(world, agents, "n2")
    await delete(world, job_id)
    await until_left_on(world, "n2")
    await world.restart()
    assert await left_on(world) == ["n2"]
    assert agents.removed == [("n1", job_id)]
    agents.heal("n2")
    await world.until_true(lambda: agents.removed == [("n1", job_id), ("n2", job_id)])
    await until_left_on(world)


async def test_a_node_that_is_gone_for_good_is_told_nothing(open_world: OpenWorld) -> None:
    world, agents = await open_cluster(open_world)
    job_id = await world.submit(node="n2")
    await run_to_end(world, agents, job_id)
    await lose(world, agents, "n2")
    await delete(world, job_id)
    assert await left_on(world) == ["n2"]
    await world.control.database.write(lambda tx: remove_node(tx, "n2"))
    await until_left_on(world)
    assert agents.removed == []


async def test_calls_are_small_and_what_stays_is_asked_for_again(
    open_world: OpenWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removals, "JOBS_PER_CALL", 2)
    monkeypatch.setattr(removals, "FIRST_PAUSE_S", 0.01)
    world, agents = await open_cluster(open_world)
    jobs = [await world.submit(node="n1") for _ in range(5)]
    for job_id in jobs:
        await run_to_end(world, agents, job_id)
    await lose(world, agents, "n1")
    for job_id in jobs:
        await delete(world, job_id)
    agents.keeps = frozenset(jobs[:1])
    agents.heal("n1")
    await world.until_true(lambda: agents.removed.count(("n1", jobs[0])) > 2)
    assert {job_id for _, job_id in agents.removed} == set(jobs)
    assert agents.calls[:3] == [2, 2, 1]
    assert await left_on(world) == ["n1"]
    agents.keeps = frozenset()
    await until_left_on(world)
    assert [agents.removed.count(("n1", job_id)) for job_id in jobs[1:]] == [1, 1, 1, 1]
