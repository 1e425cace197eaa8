"""The GPUs are watched: what is wrong with one ends its job, and who is on one is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.event_bus import ALL_KINDS
from danlu.control.running.gpu_faults import find_lost
from danlu.control.telemetry.monitor import matters
from danlu.core.events import EventKind
from danlu.core.nodes.node import GpuProcess, GpuReading
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.store.nodes.node_rows import get_node
from tests.control.agents import StubbornAgents
from tests.control.conftest import OpenWorld
from tests.control.world import World

WELL = GpuReading(0, "GPU-forge-0", 141_000)
SICK = replace(WELL, fault="NVML error 9: Driver Not Loaded")
LOST = replace(WELL, fault="NVML error 15: GPU is lost", lost=True)
FOREIGN = GpuProcess(77, "wang", "python", 900)


def on(world: World, index: int, reading: GpuReading) -> None:
    world.agents.on_gpus["forge", index] = replace(reading, index=index, uuid=f"GPU-forge-{index}")


async def faults(world: World) -> list[str]:
    node = await world.control.database.read(lambda c: get_node(c, "forge"))
    assert node is not None
    return [gpu.fault for gpu in node.facts.gpus]


async def test_a_gpu_that_breaks_ends_its_job_with_the_evidence_and_no_other(world: World) -> None:
    doomed, other = await world.submit(gpu_ids=[0]), await world.submit(gpu_ids=[1])
    await world.starts(doomed)
    await world.starts(other)
    on(world, 0, LOST)
    await world.control.monitor.look()
    job = await world.until(doomed, JobState.FAILED)
    assert (job.end_reason, job.detail) == (EndReason.GPU_FAULT, f"GPU 0 of forge: {LOST.fault}")
    assert await world.steps(doomed) == ["waiting", "starting", "running", "stopping", "failed"]
    assert await world.state(other) is JobState.RUNNING
    assert await faults(world) == [LOST.fault, "", "", ""]


async def test_a_job_with_retries_goes_on_elsewhere(world: World) -> None:
    job_id = await world.submit(gpus=1, retries=1, retry_backoff_s=0)
    first = await world.launch_of(job_id)
    await world.starts(job_id)
    on(world, first.gpu_ids[0], LOST)
    await world.control.monitor.look()
    again = await world.launch_of(job_id, attempt=2)
    assert again.gpu_ids != first.gpu_ids


async def test_a_job_that_crashes_on_a_broken_gpu_says_so_though_nobody_stopped_it(world: World) -> None:
    job_id = await world.submit(gpu_ids=[2])
    key = await world.starts(job_id)
    on(world, 2, SICK)
    await world.control.monitor.look()
    assert await world.state(job_id) is JobState.RUNNING, "the driver may come back, and the job goes on"
    world.agents.ends(key, 1)
    job = await world.until(job_id, JobState.FAILED)
    assert (job.end_reason, job.exit_code) == (EndReason.GPU_FAULT, 1)
    assert SICK.fault in job.detail


async def test_a_job_that_succeeds_on_a_broken_gpu_has_succeeded(open_world: OpenWorld) -> None:
    world = await open_world(StubbornAgents())
    job_id = await world.submit(gpu_ids=[0])
    key = await world.starts(job_id)
    on(world, 0, LOST)
    await world.control.monitor.look()
    await world.until(job_id, JobState.STOPPING)
    world.agents.ends(key, 0)
    assert (await world.until(job_id, JobState.SUCCEEDED)).end_reason is EndReason.COMPLETED


async def test_a_cancel_during_the_stop_has_the_last_word(open_world: OpenWorld) -> None:
    world = await open_world(StubbornAgents())
    job_id = await world.submit(gpu_ids=[0], retries=5)
    key = await world.starts(job_id)
    on(world, 0, LOST)
    await world.control.monitor.look()
    await world.until(job_id, JobState.STOPPING)
    await world.control.jobs.cancel(await world.user("bo"), job_id)
    world.agents.ends_with(key, TaskEnd(TaskEnding.STOPPED, 1_000.0, wait_status=15))
    await world.until(job_id, JobState.CANCELLED)


async def test_faults_are_written_once_and_clear_when_the_gpu_answers_again(world: World) -> None:
    told: list[EventKind] = []
    world.control.bus.project(ALL_KINDS, lambda events: told.extend(event.kind for event in events))
    for reading in (SICK, SICK, WELL, WELL):
        on(world, 1, reading)
        await world.control.monitor.look()
        assert await faults(world) == ["", reading.fault, "", ""]
    assert told == [EventKind.GPU_FAULT, EventKind.GPU_RECOVERED]


async def test_a_gpu_that_is_gone_is_dropped_and_one_that_is_there_is_not(world: World) -> None:
    world.agents.gone_gpus.add(("forge", 3))
    for index in (2, 3):
        await world.control.monitor.forget_gpu("forge", index, "ann")
    assert len(await faults(world)) == 3


BUSY = replace(WELL, used_mb=900, processes=(FOREIGN,))


@pytest.mark.parametrize(
    ("before", "after", "so"),
    [
        (WELL, WELL, False),
        (WELL, replace(WELL, load=99, temperature_c=80), False),
        (WELL, BUSY, True),
        (BUSY, WELL, True),
        (BUSY, replace(BUSY, processes=(replace(FOREIGN, pid=78),)), False),
        (WELL, SICK, True),
        (SICK, WELL, True),
        (WELL, replace(WELL, used_mb=200), False),
        (WELL, replace(WELL, used_mb=300), True),
    ],
)
def test_what_may_change_the_schedulers_mind(before: GpuReading, after: GpuReading, so: bool) -> None:
    assert matters({"n": {0: before}}, {"n": {0: after}}, watch_memory=True) is so


def test_memory_is_no_news_while_nobody_shares() -> None:
    used = replace(WELL, used_mb=5000)
    assert not matters({"n": {0: WELL}}, {"n": {0: used}}, watch_memory=False)


def test_only_what_is_lost_ends_jobs() -> None:
    assert find_lost({"n": {0: SICK, 1: LOST, 2: WELL}}) == {("n", 1): LOST.fault}
