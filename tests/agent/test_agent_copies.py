"""A copy of the keeper's folder knows the original's tasks, and leaves them alone."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.core.task import TaskEnding
from tests.agent.story import Node, eventually, is_alive


@pytest.fixture
async def a_twin(folder: Path) -> AsyncIterator[Callable[..., Any]]:
    """`await a_twin("cp", "-a", node)`: a node in a folder that was made so out of that of `node`."""
    twins: list[Node] = []

    async def start(*command: Any) -> Node:
        *words, node = command
        twin = Node(folder / "twin")
        twin.folder.mkdir()
        subprocess.run([*words, node.keeper_folder, twin.folder], check=True)
        twins.append(twin)
        await twin.link.start()
        return twin

    yield start
    for twin in twins:
        await twin.retire_keeper()
        await eventually(lambda twin=twin: twin.keeper() is None)


def main_process(node: Node, key: object) -> int:
    wrapper = node.wrapper_of(key)
    return int(Path(f"/proc/{wrapper}/task/{wrapper}/children").read_text().split()[0])


async def test_a_copy_touches_nothing_of_the_original(node: Node, a_twin) -> None:
    done = node.a_task("exit 6")
    await node.agent.launch(done)
    await node.end_of(done.key)
    order = await node.started("exec sleep 61")
    sleeper = main_process(node, order.key)
    twin = await a_twin("cp", "-a", node)
    end = await twin.end_of(order.key)
    assert (end.ending, end.wait_status) == (TaskEnding.VANISHED, None)
    assert "copied" in end.detail
    assert twin.known[order.key].started_at is not None
    assert await twin.end_of(done.key) == await node.end_of(done.key)
    await twin.agent.stop(order.key, grace_s=0)
    await twin.agent.forget([order.key, done.key])
    assert await twin.agent.tasks() == []
    assert is_alive(sleeper, "sleep")
    assert node.known[order.key].end is None
    await node.agent.stop(order.key, grace_s=0)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED


async def test_a_script_of_the_original_survives_what_the_copy_forgets(node: Node, a_twin) -> None:
    order = await node.started("#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\nexit 5\n")
    scripts = sorted((node.keeper_folder / "scripts").iterdir())
    twin = await a_twin("cp", "-a", node)
    await twin.end_of(order.key)
    await twin.agent.forget([order.key])
    assert sorted((node.keeper_folder / "scripts").iterdir()) == scripts != []


async def test_a_task_that_nobody_had_claimed_is_not_started_by_the_copy(node: Node, a_twin) -> None:
    order = await node.started("sleep 60")
    claim = node.keeper_folder / "tasks" / f"{order.key}.claim"
    aside = claim.with_name("aside")
    claim.rename(aside)
    twin = await a_twin("cp", "-a", node)
    aside.rename(claim)
    assert (await twin.end_of(order.key)).ending is TaskEnding.VANISHED
    await twin.agent.launch(twin.a_task("touch ran", key=order.key))
    assert [fact.end.ending for fact in await twin.agent.tasks() if fact.key == order.key] == ["vanished"]


async def test_a_folder_that_was_moved_keeps_its_tasks(node: Node, a_twin) -> None:
    order = await node.started("exec sleep 61")
    sleeper = main_process(node, order.key)
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)
    twin = await a_twin("mv", node)
    assert [(fact.key, fact.end) for fact in await twin.agent.tasks()] == [(order.key, None)]
    assert is_alive(sleeper, "sleep")
    await twin.agent.stop(order.key, grace_s=0)
    await twin.end_of(order.key)
    assert not is_alive(sleeper, "sleep")
