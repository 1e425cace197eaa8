"""What the nodes are doing is put into words once per look, and no reader misses what is still true."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from danlu.api.streams import readings_feed
from danlu.api.streams.readings_feed import ReadingsFeed
from danlu.core.nodes.node import GpuProcess, GpuReading
from danlu.core.nodes.readings import MachineReading
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World

IDLE = GpuReading(0, "GPU-forge-0", 141_000, 0, 0, 34, 70.0)
MACHINE = MachineReading(12.0, 0.5, 3000, 64_000, 0.0, 0.0)


class Follower:
    """A reader that takes the readings now and then."""

    def __init__(self, feed: ReadingsFeed) -> None:
        self.nudges = 0
        self._feed = feed
        self._seen = 0

    def nudge(self) -> None:
        self.nudges += 1

    def take(self) -> dict[str, Any]:
        """The nodes in the next readings, by name."""
        readings, self._seen = self._feed.json_after(self._seen), self._feed.version
        return {node["name"]: node for node in json.loads(readings)["nodes"]}


@pytest.fixture
async def two(open_world: OpenWorld) -> World:
    """Two nodes that are idle."""
    world = await open_world(RecordingAgents(a_machine("forge"), a_machine("anvil")))
    await world.settle()
    return world


async def look(world: World, node: str, index: int, **changes: Any) -> None:
    world.agents.on_gpus[node, index] = replace(IDLE, index=index, uuid=f"GPU-{node}-{index}", **changes)
    await world.control.monitor.look()


async def test_all_at_first_then_what_changed(two: World) -> None:
    feed = ReadingsFeed(two.control)
    follower = Follower(feed)
    async with feed.listen(follower.nudge):
        assert set(follower.take()) == {"forge", "anvil"}
        await two.control.monitor.look()
        assert feed.version == follower._seen, "the same again is no news"
        nudges = follower.nudges
        await look(two, "forge", 1, load=50)
        assert follower.nudges == nudges + 1
        (told,) = follower.take().values()
        assert (told["name"], told["gpus"][1]["load"]) == ("forge", 50)


async def test_a_slow_reader_gets_the_latest_of_each_node_and_none_is_forgotten(two: World) -> None:
    feed = ReadingsFeed(two.control)
    quick, slow = Follower(feed), Follower(feed)
    async with feed.listen(quick.nudge), feed.listen(slow.nudge):
        quick.take()
        slow.take()
        for load in (10, 20, 30):
            await look(two, "anvil", 0, load=load)
            assert quick.take()["anvil"]["gpus"][0]["load"] == load
        await look(two, "forge", 0, load=99)
        assert set(quick.take()) == {"forge"}
        late = slow.take()
        assert (late["anvil"]["gpus"][0]["load"], late["forge"]["gpus"][0]["load"]) == (30, 99)


async def test_readings_are_made_once_for_all(two: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    show = readings_feed.show_readings
    monkeypatch.setattr(
        readings_feed, "show_readings", lambda node, *rest: shown.append(node.name) or show(node, *rest)
    )
    feed = ReadingsFeed(two.control)
    followers = [Follower(feed) for _ in range(20)]
    async with feed.listen(followers[0].nudge):
        before = [feed.json_after(0) for _ in followers]
        assert len({id(readings) for readings in before}) == 1
        assert shown == ["anvil", "forge"]
        await look(two, "forge", 2, load=7)
        assert shown == ["anvil", "forge", "forge"]


async def test_nobody_looks_while_nobody_listens(two: World) -> None:
    feed = ReadingsFeed(two.control)
    first, second = Follower(feed), Follower(feed)
    async with feed.listen(first.nudge):
        first.take()
        async with feed.listen(second.nudge):
            pass
        await look(two, "forge", 0, load=5)
        assert first.take()
    assert not two.control.monitor.on_look
    await look(two, "forge", 0, load=80)
    later = Follower(feed)
    async with feed.listen(later.nudge):
        assert later.take()["forge"]["gpus"][0]["load"] == 80, "and who comes back sees how it is now"


async def test_who_holds_a_gpu_is_known_at_the_next_look_though_nobody_waits(two: World) -> None:
    feed = ReadingsFeed(two.control)
    follower = Follower(feed)
    async with feed.listen(follower.nudge):
        assert follower.take()["forge"]["gpus"][3]["state"] == "free"
        job_id = await two.submit(node="forge", gpu_ids=[3])
        await two.starts(job_id)
        await two.control.monitor.look()
        assert follower.take()["forge"]["gpus"][3]["state"] == "used"
        await two.runs_to_end(job_id)
        await two.control.monitor.look()
        assert follower.take()["forge"]["gpus"][3]["state"] == "free"


async def test_that_jobs_moved_in_the_queue_is_told_though_no_node_changed(two: World) -> None:
    feed = ReadingsFeed(two.control)

    async def told() -> int:
        await two.settle()
        await two.control.monitor.look()
        return json.loads(feed.json_after(feed.version))["queue_version"]

    async with feed.listen(lambda: None):
        for _ in range(2):
            await two.starts(await two.submit(gpus=4))
        before = await told()
        first, second = [await two.submit(gpus=4) for _ in range(2)]
        enqueued = await told()
        assert enqueued != before
        assert await told() == enqueued
        await two.control.jobs.cancel(await two.user("bo"), first)
        assert await told() != enqueued
        assert two.control.scheduling_loop.places[second] == 1


async def test_a_stranger_and_a_broken_gpu_show(two: World) -> None:
    feed = ReadingsFeed(two.control)
    follower = Follower(feed)
    async with feed.listen(follower.nudge):
        await look(two, "forge", 0, used_mb=900, processes=(GpuProcess(77, "wang", "python", 900),))
        card = follower.take()["forge"]["gpus"][0]
        assert (card["state"], card["processes"][0]["user"]) == ("foreign", "wang")
        await look(two, "forge", 0, fault="NVML error 9")
        await two.settle()
        await two.control.monitor.look()
        card = follower.take()["forge"]["gpus"][0]
        assert (card["state"], card["used_mb"]) == ("faulty", None)


async def test_a_node_that_is_lost_tells_nothing_of_itself(two: World) -> None:
    two.agents.usage["anvil"] = MACHINE
    two.agents.machines = [replace(facts, simulated=False) for facts in two.agents.machines]
    await two.round()
    await two.control.monitor.look()
    feed = ReadingsFeed(two.control)
    follower = Follower(feed)
    async with feed.listen(follower.nudge):
        assert follower.take()["anvil"]["usage"]["memory_used_mb"] == MACHINE.memory_used_mb
        two.agents.machines = [facts for facts in two.agents.machines if facts.name == "forge"]
        await two.round()
        await two.control.monitor.look()
        (told,) = follower.take().values()
        assert (told["name"], told["usage"]) == ("anvil", None)
        assert {card["state"] for card in told["gpus"]} == {"lost"}
        assert {card["load"] for card in told["gpus"]} == {None}
