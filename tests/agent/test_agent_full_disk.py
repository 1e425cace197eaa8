"""A full disk: nothing is lost, and everything is said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.core.nodes.node_fault import Blame, Scene, blame_node
from danlu.core.task import LaunchOrder, TaskEnding
from tests.agent.small_disk import fill_disk, small_disk
from tests.agent.story import Node, eventually


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    with small_disk(folder / "disk", "size=256k") as mounted:
        yield mounted


async def test_a_launch_that_cannot_be_written_down_fails_and_says_so(disk: Path) -> None:
    node = Node(disk)
    await node.link.start()
    filler = fill_disk(disk, 512)
    end = await node.run("echo never", stdout="/dev/null")
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "launch_failed")
    assert "No space" in end.detail
    assert blame_node(end, Scene("n")) is Blame.NODE, "it is no fault of the job's"
    filler.unlink()
    assert (await node.run("true", stdout="/dev/null")).wait_status == 0
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)


async def on_a_full_disk(node: Node, disk: Path, command: str) -> tuple[LaunchOrder, Path]:
    """A task that runs, and for whose end there is no room; and what has taken it."""
    await node.link.start()
    order = await node.started(command, stdout="/dev/null", directory="/")
    filler = fill_disk(disk, 512)
    # Whatever is left of the record's last page is enough for an end: use it up.
    with record_of(node, order).open("ab", buffering=0) as record:
        record.write(b" " * (4096 - record.tell() % 4096))
    return order, filler


def record_of(node: Node, order: LaunchOrder) -> Path:
    return node.keeper_folder / "tasks" / str(order.key)


async def test_an_end_is_told_at_once_and_written_when_there_is_room(disk: Path) -> None:
    node = Node(disk)
    order, filler = await on_a_full_disk(node, disk, "sleep 0.5; exit 9")
    end = await node.end_of(order.key)
    assert end.wait_status is not None
    assert os.waitstatus_to_exitcode(end.wait_status) == 9
    assert b"\nend " not in record_of(node, order).read_bytes()
    filler.unlink()
    await eventually(lambda: b"\nend " in record_of(node, order).read_bytes())
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)


async def test_a_stop_comes_to_its_end_on_a_full_disk_and_is_forgotten(disk: Path) -> None:
    node = Node(disk)
    order, _ = await on_a_full_disk(node, disk, "sleep 600")
    wrapper = node.wrapper_of(order.key)
    await node.agent.stop(order.key, 0.1)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED
    await node.agent.forget([order.key])
    assert await node.agent.tasks() == []
    assert not record_of(node, order).exists()
    # No server needs what it tries to write any more.
    await eventually(lambda: not Path(f"/proc/{wrapper}").exists(), within_s=30)
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)
