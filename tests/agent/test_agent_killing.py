"""Nothing escapes a kill: whatever a job does, whatever has died before, in every mode of containment."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from danlu.core.task import LaunchOrder, TaskEnding
from tests.agent.story import Node, eventually, is_alive

STUBBORN = Path(__file__).with_name("stubborn.py")


async def a_stubborn_task(node: Node, manner: str, **fields: object) -> LaunchOrder:
    order = node.a_task(f"{sys.executable} {STUBBORN} {node.folder} {manner}", **fields)
    await node.agent.launch(order)
    await eventually((node.folder / "ready").exists)
    return order


def survivors(node: Node) -> list[int]:
    pids = [int(line) for line in (node.folder / "pids").read_text().split()]
    assert len(pids) >= 4
    return [pid for pid in pids if is_alive(pid, "stubborn")]


@pytest.mark.parametrize("keeper_dies", [False, True], ids=["", "after the keeper was killed"])
async def test_a_stop_leaves_no_process(a_node, mode: str, keeper_dies: bool) -> None:
    node = await a_node(mode=mode)
    order = await a_stubborn_task(node, "stay clean")
    assert len(survivors(node)) >= 5
    if keeper_dies:
        await node.kill_keeper()
    await node.agent.stop(order.key, grace_s=0.1)
    end = await node.end_of(order.key)
    assert survivors(node) == []
    assert end.ending is TaskEnding.STOPPED
    assert os.waitstatus_to_exitcode(end.wait_status) == -signal.SIGKILL


@pytest.mark.parametrize("keeper_dies", [False, True], ids=["", "after the keeper was killed"])
async def test_a_normal_end_leaves_no_process(a_node, mode: str, keeper_dies: bool) -> None:
    node = await a_node(mode=mode)
    if keeper_dies:
        order = node.a_task(f"sleep 0.5; exec {sys.executable} {STUBBORN} {node.folder} leave clean")
        await node.agent.launch(order)
        await node.kill_keeper()
    else:
        order = await a_stubborn_task(node, "leave clean")
    end = await node.end_of(order.key)
    assert survivors(node) == []
    assert (end.ending, os.waitstatus_to_exitcode(end.wait_status)) == (TaskEnding.EXITED, 3)


async def test_leftovers_can_be_left_alone(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    order = await a_stubborn_task(node, "leave", kill_leftovers=False)
    end = await node.end_of(order.key)
    left = survivors(node)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert len(left) == 4
    assert os.waitstatus_to_exitcode(end.wait_status) == 3


@pytest.mark.parametrize("keeper_dies", [False, True], ids=["", "after the keeper was killed"])
async def test_a_killed_wrapper_leaves_no_process(a_node, mode: str, keeper_dies: bool) -> None:
    node = await a_node(mode=mode)
    order = await a_stubborn_task(node, "stay")
    if keeper_dies:
        await node.kill_keeper()
    os.kill(node.wrapper_of(order.key), signal.SIGKILL)
    end = await node.end_of(order.key)
    assert survivors(node) == []
    assert (end.ending, end.wait_status) == (TaskEnding.VANISHED, None)


async def test_wrapper_and_keeper_killed_together_leave_no_process(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    order = await a_stubborn_task(node, "stay")
    os.kill(node.wrapper_of(order.key), signal.SIGKILL)
    await node.kill_keeper()
    assert (await node.end_of(order.key)).ending is TaskEnding.VANISHED
    assert survivors(node) == []


async def test_groups_are_gone_when_tasks_are_forgotten(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    order = await node.started("sleep 60")
    lines = Path(f"/proc/{main_process(node, order)}/cgroup").read_text().splitlines()
    groups = [line.rpartition(":")[2] for line in lines]
    mine = [group for group in groups if group.endswith(str(order.key))]
    assert len(mine) == (0 if mode == "none" else 1)
    await node.agent.stop(order.key, grace_s=0)
    await node.end_of(order.key)
    await node.agent.forget([order.key])
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)
    assert not [found for group in mine for found in Path("/sys/fs/cgroup").glob(f"*/{group.split('/')[1]}")]


def main_process(node: Node, order: LaunchOrder) -> int:
    wrapper = node.wrapper_of(order.key)
    return int(Path(f"/proc/{wrapper}/task/{wrapper}/children").read_text().split()[0])


async def test_a_stop_without_grace_ends_one_that_is_under_way(a_node, mode: str) -> None:
    """And a longer one that comes after it gives nothing back, also where keeper or agent died in between."""
    node = await a_node(mode=mode)
    order = await a_stubborn_task(node, "stay clean", grace_s=3600.0)
    await node.agent.stop(order.key, grace_s=3600.0)
    await node.kill_keeper()
    assert survivors(node) != []
    await node.agent.stop(order.key, grace_s=0.0)
    await node.agent.stop(order.key, grace_s=3600.0)
    end = await node.end_of(order.key)
    assert survivors(node) == []
    assert end.ending is TaskEnding.STOPPED
