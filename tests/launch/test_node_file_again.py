"""A file of nodes that is watched on a disk: writing it means another try, whatever is written."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from danlu.control.nodes.installations import NodeInstallation
from danlu.control.nodes.membership import MeetingPoint
from danlu.core.errors import Unavailable
from danlu.launch.install.node_file import NodeFile
from tests.control.agents import RecordingAgents
from tests.control.conftest import OpenWorld, blank, open_world  # noqa: F401 - what the fixtures here are made of
from tests.control.world import World

LINE = [{"name": "n2", "ip": "10.0.0.2", "user_name": "li"}]


class UnreachableInstaller:
    """No machine answers at any address."""

    async def install(self, target: object, _make_token: object, _progress: object) -> str:
        raise Unavailable("install_unreachable", target=str(target), reason="no route to host")


@pytest.fixture
async def world(open_world: OpenWorld) -> World:  # noqa: F811
    made = await open_world(RecordingAgents())
    made.control.membership.meeting = MeetingPoint("h:7323", ("tls://h:7323",), "F" * 43, "own", 1)
    made.control.installations.installer = UnreachableInstaller()  # type: ignore[assignment]
    return made


@contextlib.asynccontextmanager
async def watched(world: World, path: Path) -> AsyncIterator[None]:
    file = NodeFile(path, world.control, "forge", path.parent, named=True)
    watching = asyncio.create_task(file.run())
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.wait([watching])


async def tries(world: World, count: int) -> None:
    """Wait until so many have failed."""

    def ended() -> list[NodeInstallation]:
        return [each for each in world.control.installations.list() if each.ended_at is not None]

    await world.until_true(lambda: len(ended()) >= count)
    assert len(ended()) == count


@pytest.mark.parametrize("manner", ["in place", "as a new file", "touched"])
async def test_the_same_text_written_again_is_another_try(world: World, tmp_path: Path, manner: str) -> None:
    path = tmp_path / "nodes.json"
    path.write_text(json.dumps(LINE))
    async with watched(world, path):
        await tries(world, 1)
        # On a clock that ticks slowly two writings may bear the same time.
        await asyncio.sleep(0.02)
        if manner == "in place":
            path.write_text(json.dumps(LINE))
        elif manner == "as a new file":
            (tmp_path / "nodes.new").write_text(json.dumps(LINE))
            (tmp_path / "nodes.new").rename(path)
        else:
            with path.open("a"):
                path.touch()
        await tries(world, 2)


async def test_one_that_was_only_read_is_not(world: World, tmp_path: Path) -> None:
    path = tmp_path / "nodes.json"
    path.write_text(json.dumps(LINE))
    file = NodeFile(path, world.control, "forge", tmp_path, named=True)
    for _ in range(3):
        path.read_text()
        await file._look()
    await tries(world, 1)
