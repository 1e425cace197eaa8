"""Simulated nodes: as busy as the real tasks on them, and quiet when they are idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.agent.gpus.simulation import (
    CARD_MB,
    HOT_C,
    IDLE_C,
    LIMIT_W,
    SimulatedGpus,
    SimulatedTask,
    SimulatedTasks,
    SimulatedUsage,
    read_gpu,
    read_machine,
)
from danlu.agent.node_agent import NodeAgent
from danlu.core.nodes.node import Gpu, is_foreign_busy
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import TaskKey
from tests.agent.story import Node, eventually

GPU = Gpu(0, "SIM-0", "Simulated GPU", CARD_MB)


def a_task(job: int = 1, gpu_ids: tuple[int, ...] = (0,), ask_mb: int = 0, at: float = 0.0) -> SimulatedTask:
    return SimulatedTask(TaskKey(job, 1, 0), "li", 4711, at, gpu_ids, ask_mb)


class Simulated:
    """The agent of a simulated node, and the node that its tasks really run on."""

    def __init__(self, node: Node) -> None:
        tasks = SimulatedTasks(node.link.folder, "furnace-1")
        node.link.subscribe(tasks.hear)
        usage = SimulatedUsage("furnace-1", 8, 64_000, tasks)
        gpus = SimulatedGpus("furnace-1", 4, tasks)
        self.agent = NodeAgent("furnace-1", node.link, gpus, usage=usage, simulated=True)

    async def reading_when(self, so: Callable[[NodeReading], bool]) -> NodeReading:
        async with asyncio.timeout(20):
            while not so(reading := await self.agent.reading()):
                await asyncio.sleep(0.02)
        return reading


def busy(reading: NodeReading) -> list[int]:
    return [gpu.index for gpu in reading.gpus if gpu.load]


async def test_only_the_gpus_of_a_running_task_are_busy_and_it_is_on_them(a_node: Any) -> None:
    node: Node = await a_node()
    simulated = Simulated(node)
    idle = await simulated.agent.reading()
    assert busy(idle) == []
    order = await node.started("sleep 60", gpu_ids=(1, 3), gpu_memory_mb=4000)
    reading = await simulated.reading_when(lambda each: bool(busy(each)))
    assert busy(reading) == [1, 3]
    (process,) = reading.gpus[1].processes
    assert (process.job_id, process.pid) == (order.key.job, node.wrapper_of(order.key))
    assert 0 < reading.gpus[1].used_mb <= 4000
    assert reading.machine is not None
    assert idle.machine is not None
    assert reading.machine.cpu_percent > idle.machine.cpu_percent
    await node.agent.stop(order.key, 0)
    await node.end_of(order.key)
    ended = await simulated.agent.reading()
    assert (ended.gpus, ended.machine) == (idle.gpus, idle.machine), "what is idle stands still"


async def test_a_later_server_finds_the_tasks_of_the_one_before(node: Node) -> None:
    await node.started("sleep 60", gpu_ids=(2,))
    later = Node(node.folder)
    simulated = Simulated(later)
    await later.link.start()
    try:
        assert busy(await simulated.reading_when(lambda each: bool(busy(each)))) == [2]
    finally:
        await later.link.close()


async def test_another_nodes_tasks_are_not_ours(node: Node) -> None:
    other = SimulatedTasks(node.link.folder, "furnace-2")
    ours = SimulatedTasks(node.link.folder, "furnace-1")
    order = await node.started("sleep 60", gpu_ids=(0,))
    for tasks in (other, ours):
        tasks.hear(node.known[order.key])
    assert await other.running() == ()
    assert [task.key for task in await ours.running()] == [order.key]


async def test_a_record_that_is_gone_is_nobody(node: Node) -> None:
    order = await node.started("sleep 60", gpu_ids=(0,))
    fact = node.known[order.key]
    await node.agent.stop(order.key, 0)
    await node.end_of(order.key)
    await node.agent.forget([order.key])
    await eventually(lambda: not (node.keeper_folder / "tasks" / str(order.key)).exists())
    tasks = SimulatedTasks(node.link.folder, "furnace-1")
    tasks.hear(fact)
    assert await tasks.running() == ()


TASKS = st.lists(
    st.builds(
        a_task,
        job=st.integers(1, 99),
        gpu_ids=st.sampled_from([(), (0,), (0, 1), (1,)]),
        ask_mb=st.sampled_from([0, 1, 1000, 20_000]),
        at=st.floats(0, 1e6),
    ),
    max_size=5,
)


@settings(deadline=None)
@given(TASKS, st.floats(0, 2e6))
def test_a_reading_makes_sense_whatever_runs(tasks: list[SimulatedTask], now: float) -> None:
    reading = read_gpu(GPU, tasks, now)
    here = [task for task in tasks if 0 in task.gpu_ids]
    assert reading.load is not None
    assert reading.temperature_c is not None
    assert reading.power_w is not None
    assert (0 < reading.load <= 100) if here else reading.load == 0
    assert IDLE_C <= reading.temperature_c <= HOT_C
    assert 0 < reading.power_w <= LIMIT_W
    assert not is_foreign_busy(reading), "the scheduler must not take it for a foreign process"
    assert all(task.used_mb(now) <= task.gpu_memory_mb for task in here if task.gpu_memory_mb)
    assert read_gpu(GPU, tasks, now) == reading


@settings(deadline=None)
@given(TASKS, st.floats(0, 2e6), st.integers(1, 256), st.integers(512, 2**21))
def test_a_machine_makes_sense_whatever_runs(
    tasks: list[SimulatedTask], now: float, cpus: int, memory_mb: int
) -> None:
    reading = read_machine("sim1", cpus, memory_mb, tasks, now)
    assert 0 < reading.cpu_percent <= 100
    assert 0 < reading.memory_used_mb <= reading.memory_total_mb == memory_mb
    assert reading.network_in_bytes_s >= reading.network_out_bytes_s >= 0
    assert all(0 < disk.used_bytes < disk.total_bytes for disk in reading.disks)
    if not tasks:
        assert reading == read_machine("sim1", cpus, memory_mb, tasks, now + 1000)


def test_nodes_differ() -> None:
    assert read_machine("sim1", 8, 64_000, [], 0.0) != read_machine("sim2", 8, 64_000, [], 0.0)


@pytest.mark.parametrize("ask_mb", [0, 8000])
def test_a_task_warms_up(ask_mb: int) -> None:
    readings = [read_gpu(GPU, [a_task(ask_mb=ask_mb)], at) for at in (0.0, 5.0, 300.0)]
    used = [reading.used_mb for reading in readings]
    assert used == sorted(set(used))
    assert readings[0].temperature_c == IDLE_C < (readings[2].temperature_c or 0)
