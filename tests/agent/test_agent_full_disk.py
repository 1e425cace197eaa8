"""A full disk: nothing is lost, and everything is said."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.core.task import Ending
from tests.agent.small_disk import small_disk
from tests.agent.story import Node, eventually


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    with small_disk(folder / "disk", "size=256k") as mounted:
        yield mounted


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 512)
    return filler


async def test_a_launch_that_cannot_be_written_down_fails_and_says_so(disk: Path) -> None:
    node = Node(disk)
    await node.link.start()
    filler = fill(disk)
    end = await node.run("echo never", stdout="/dev/null")
    assert (end.ending, end.problem) == (Ending.SETUP_FAILED, "launch_failed")
    assert "No space" in end.detail
    filler.unlink()
    assert (await node.run("true", stdout="/dev/null")).wait_status == 0
    await node.link.retire()
    await eventually(lambda: node.keeper() is None)


async def test_an_end_waits_until_it_can_be_written(disk: Path) -> None:
    node = Node(disk)
    await node.link.start()
    order = await node.started("sleep 0.5; exit 9", stdout="/dev/null", directory="/")
    filler = fill(disk)
    # Whatever is left of the record's last page is enough for an end: use it up.
    with (node.keeper_folder / "tasks" / str(order.key)).open("ab", buffering=0) as record:
        record.write(b" " * (4096 - record.tell() % 4096))
    with pytest.raises(AssertionError):
        await eventually(lambda: node.known[order.key].end is not None, within_s=1.5)
    filler.unlink()
    end = await node.end_of(order.key)
    assert os.waitstatus_to_exitcode(end.wait_status) == 9
    await node.link.retire()
    await eventually(lambda: node.keeper() is None)
