"""Whatever is killed with -9, and when: a task runs at most once, and its end becomes known."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from danlu.agent.keeper_process import keeper_argv
from danlu.core.task import TaskEnding
from tests.agent.story import PATIENCE_S, Node

CRASHING = Path(__file__).with_name("crashing_keeper.py")

POINTS = [
    "keeper:before:spec",
    "keeper:after:spec",
    "keeper:before:fork",
    "keeper:after:fork",
    "keeper:before:conclusion",
    "keeper:after:conclusion",
    *[
        f"{victim}:{when}:{step}"
        for victim in ("wrapper", "both")
        for step in ("claim", "spawn", "start", "end")
        for when in ("before", "after")
    ],
]


async def reconcile(node: Node, order) -> None:
    """What the control side does: whatever the node does not know is launched again."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        facts = {fact.key: fact for fact in await node.agent.tasks()}
        if order.key not in facts:
            await node.agent.launch(order)
        elif facts[order.key].end is not None:
            return
        await asyncio.sleep(0.05)
    pytest.fail("its end never became known")


@pytest.mark.parametrize("point", POINTS)
async def test_a_crash_never_runs_a_task_twice(a_node, point: str) -> None:
    def faulty_argv(folder: Path, mode: str) -> list[str]:
        python, isolated, no_site, _, _, *arguments = keeper_argv(folder, mode)
        return [python, isolated, no_site, str(CRASHING), point, *arguments]

    node = await a_node(argv=faulty_argv)
    order = node.a_task("echo ran >> runs; sleep 0.1; echo done >> runs")
    await node.agent.launch(order)
    await reconcile(node, order)
    end = await node.end_of(order.key)
    await asyncio.sleep(0.15)
    runs = (node.folder / "runs").read_text().split() if (node.folder / "runs").exists() else []
    assert (node.keeper_folder / "struck").exists()
    assert runs in ([], ["ran"], ["ran", "done"])
    # What a dead wrapper leaves may run on to its end before the next keeper is there to kill it.
    may_be_late = point.startswith("both") or point.endswith("before:end")
    assert (end.ending is TaskEnding.EXITED) == (runs == ["ran", "done"]) or may_be_late
    assert end.ending in (TaskEnding.EXITED, TaskEnding.VANISHED, TaskEnding.NEVER_STARTED)
    if point.startswith("keeper"):
        assert end.ending is TaskEnding.EXITED
