"""A control side for every test, each over its own copy of an empty store."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.store.engine.migrate import migrate
from tests.control.agents import RecordingAgents
from tests.control.world import World

OpenWorld = Callable[..., Awaitable[World]]


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("blank") / "danlu.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
async def open_world(blank: Path, tmp_path: Path) -> AsyncIterator[OpenWorld]:
    """Opens a world over the agents that a story needs."""
    path = Path(shutil.copy(blank, tmp_path / "danlu.db"))
    opened: list[World] = []

    async def make(agents: RecordingAgents, **circumstances: Any) -> World:
        opened.append(await World(path, agents, **circumstances).open())
        return opened[-1]

    yield make
    for world in opened:
        await world.close()


@pytest.fixture
async def world(open_world: OpenWorld) -> World:
    """One node with four GPUs."""
    return await open_world(RecordingAgents())
