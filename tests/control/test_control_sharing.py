"""Who may be on a card together, and what each was promised of it: over any history of starts and ends."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.control.event_bus import EventBus
from danlu.control.running.node_view import free_memory_mb, view_node
from danlu.core.holding import Holding
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading, Node, NodeFacts, NodeState
from danlu.core.resources import Allocation, Ask, make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import Policy, Snapshot
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.store.builders import count_areas

CARD = Gpu(0, "GPU-0", "card", 24_000)


def a_holding(job: int, memory_mb: int = 0, **how: bool) -> Holding:
    return Holding(job, "ann", Allocation("n", (0,), gpu_memory_mb=memory_mb, **how))


def used_by(*processes: tuple[int | None, int], also_mb: int = 0) -> GpuReading:
    listed = tuple(GpuProcess(100 + n, "ann", "python", mb, job) for n, (job, mb) in enumerate(processes))
    return GpuReading(0, "GPU-0", 24_000, sum(mb for _, mb in processes) + also_mb, processes=listed)


class TestFreeMemory:
    def test_what_was_promised_is_taken_before_it_is_used(self) -> None:
        assert free_memory_mb(CARD, [a_holding(1, 8_000)], None) == 16_000
        assert free_memory_mb(CARD, [a_holding(1, 8_000)], used_by((1, 500))) == 16_000

    def test_who_uses_more_than_was_promised_counts_with_that(self) -> None:
        assert free_memory_mb(CARD, [a_holding(1, 8_000)], used_by((1, 10_000))) == 14_000

    def test_one_that_was_promised_nothing_counts_with_what_it_uses(self) -> None:
        assert free_memory_mb(CARD, [a_holding(1)], used_by((1, 5_000))) == 19_000

    def test_foreign_processes_and_what_nobody_is_known_for_count_as_they_are(self) -> None:
        assert (
            free_memory_mb(CARD, [a_holding(1, 8_000)], used_by((1, 100), (None, 3_000), also_mb=400))
            == 12_600
        )


def a_node(rng: Random) -> Node:
    gpus = tuple(
        Gpu(index, f"GPU-{index}", "card", rng.choice([16_000, 24_000]), slots=rng.choice([1, 1, 2, 3]))
        for index in range(4)
    )
    return Node(NodeFacts("n", 64, 1_000_000, gpus, "boot"), NodeState.UP, 0.0)


def an_ask(rng: Random) -> Ask:
    share = rng.random() < 0.5
    return make_ask(
        rng.choice([1, 1, 2]),
        share=share,
        no_sharing=not share and rng.random() < 0.2,
        gpu_memory_mb=rng.choice([None, 2_000, 6_000, 11_000, 16_000]),
    )


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**40))
def test_no_promise_is_ever_broken(seed: int) -> None:
    rng = Random(seed)
    node = a_node(rng)
    held: dict[int, Holding] = {}
    waiting: dict[int, Ask] = {}
    foreign: set[int] = set()
    for step in range(1, 60):
        act = rng.random()
        if act < 0.55:
            waiting[step] = an_ask(rng)
        elif act < 0.85 and held:
            del held[rng.choice(sorted(held))]
        else:
            foreign ^= {rng.randint(0, 3)}
        readings = {
            gpu.index: GpuReading(
                gpu.index,
                gpu.uuid,
                gpu.memory_mb,
                3_000 if gpu.index in foreign else 0,
                processes=(GpuProcess(9, "eve", "python", 3_000),) if gpu.index in foreign else (),
            )
            for gpu in node.facts.gpus
        }
        before = set(held)
        view = view_node(node, held.values(), readings)
        jobs = tuple(WaitingJob(job, "ann", ask, float(job)) for job, ask in waiting.items())
        for decision in schedule(Snapshot(0.0, (view,), jobs), Policy()).decisions:
            held[decision.job_id] = Holding(decision.job_id, "ann", decision.allocation)
            ask = waiting.pop(decision.job_id)
            assert decision.allocation.share == ask.share
        for gpu in node.facts.gpus:
            check_card(gpu, [each for each in held.values() if gpu.index in each.allocation.gpu_ids])
            fresh = [held[job] for job in held.keys() - before if gpu.index in held[job].allocation.gpu_ids]
            if gpu.index in foreign:
                assert all(each.allocation.share for each in fresh), "only who shares joins a foreign process"
                promised = sum(each.allocation.promised_mb(gpu.memory_mb) for each in fresh)
                assert not fresh or promised + 3_000 <= gpu.memory_mb


def check_card(gpu: Gpu, holders: list[Holding]) -> None:
    promised = [each.allocation.promised_mb(gpu.memory_mb) for each in holders]
    assert sum(promised) <= gpu.memory_mb, "promises never exceed the card"
    exclusive = [each for each in holders if not each.allocation.share]
    assert len(exclusive) <= gpu.slots
    if any(each.allocation.no_sharing for each in holders):
        assert len(holders) == 1


class TestOnTheWholeControlSide:
    async def test_it_joins_a_running_job_and_nobody_is_given_what_is_promised(
        self, open_world: OpenWorld
    ) -> None:
        world = await open_world(RecordingAgents(a_machine(gpus=1)))
        first = await world.submit(gpus=1)
        await world.starts(first)
        second = await world.submit(share=True, gpu_memory_mb=100_000)
        third = await world.submit(share=True, gpu_memory_mb=50_000)
        assert (await world.launch_of(second)).gpu_ids == (0,)
        await world.settle()
        assert [blocker.code for blocker in world.control.scheduling_loop.blockers[third]] == [
            "gpu_memory_busy"
        ]
        await world.runs_to_end(second)
        await world.launch_of(third)

    async def test_no_sharing_keeps_the_others_away(self, open_world: OpenWorld) -> None:
        world = await open_world(RecordingAgents(a_machine(gpus=1)))
        await world.starts(await world.submit(gpus=1, no_sharing=True))
        sharer = await world.submit(share=True)
        await world.settle()
        assert [blocker.code for blocker in world.control.scheduling_loop.blockers[sharer]] == [
            "gpu_memory_busy"
        ]

    async def test_a_foreign_process_keeps_an_exclusive_job_waiting_until_it_is_gone(
        self, open_world: OpenWorld
    ) -> None:
        agents = RecordingAgents(a_machine(gpus=1))
        agents.on_gpus["forge", 0] = GpuReading(
            0, "GPU-forge-0", 141_000, 500, processes=(GpuProcess(9, "eve", "python", 500),)
        )
        world = await open_world(agents)
        job = await world.submit(gpus=1)
        await world.settle()
        assert [blocker.code for blocker in world.control.scheduling_loop.blockers[job]] == ["gpus_busy"]
        agents.on_gpus.clear()
        await world.control.monitor.look()
        await world.launch_of(job)


@pytest.mark.parametrize("seed", range(8))
async def test_the_board_in_memory_is_the_board_in_the_store(open_world: OpenWorld, seed: int) -> None:
    """Whatever happened, what a pass sees is what a look at everything would show."""
    from danlu.control.running.closed_nodes import ClosedNodes
    from danlu.control.running.latest_readings import LatestReadings
    from danlu.control.running.live_board import LiveBoard

    rng = Random(seed)
    world = await open_world(RecordingAgents(a_machine(gpus=2), a_machine("anvil", gpus=2)))
    user, known = await world.user("ann"), []
    for _ in range(40):
        match rng.choice(
            ["submit", "submit", "array", "end", "end", "hold", "move", "edit", "priority", "delete"]
        ):
            case "submit":
                after = [rng.choice(known)] if known and rng.random() < 0.4 else None
                known.append(await world.submit(gpus=rng.choice([0, 1, 2]), after_ok=after))
            case "array":
                known.append(await world.submit(gpus=1, array="0-5%2"))
            case "end":
                living = [key for key, fact in world.agents.known.items() if fact.end is None]
                if living:
                    world.agents.ends(rng.choice(living), code=rng.choice([0, 1]))
            case act if known:
                await disturb(world, user, act, rng.choice(known), rng)
        await world.settle()
    readings = LatestReadings()
    readings.gpus = world.control.monitor.readings
    fresh = LiveBoard(world.control.database, EventBus(), readings, ClosedNodes())
    seen, true = await world.control.board.look(5.0), await fresh.look(5.0)
    assert sorted(seen.snapshot.waiting, key=lambda job: job.id) == sorted(
        true.snapshot.waiting, key=lambda job: job.id
    )
    assert seen.snapshot.nodes == true.snapshot.nodes
    assert dict(seen.snapshot.gpus_in_use) == dict(true.snapshot.gpus_in_use)
    assert seen.snapshot.arrays == true.snapshot.arrays
    owners = (None, "bo", "cy")
    counted = await world.control.database.read(lambda c: [count_areas(c, owner=owner) for owner in owners])
    assert [world.control.job_counts.areas(owner and {owner}) for owner in owners] == counted
    assert (seen.policy, seen.versions, seen.boot_ids) == (true.policy, true.versions, true.boot_ids)


async def disturb(world, user, act: str, job: int, rng: Random) -> None:  # type: ignore[no-untyped-def]
    from danlu.core.errors import DanluError
    from danlu.wire.jobs import JobEdit, JobFields

    jobs = world.control.jobs
    try:
        match act:
            case "hold":
                await jobs.hold(user, job)
            case "move":
                await jobs.move(user, job, rng.randint(1, 5))
            case "edit":
                await jobs.edit(user, job, JobEdit(set=JobFields(gpus=rng.choice([0, 1]))))
            case "priority":
                await world.change_user("bo", priority=float(rng.randint(-1, 3)))
            case "delete":
                await jobs.delete(user, job, with_successors=False, running="refuse")
    except DanluError:
        return
