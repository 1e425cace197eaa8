"""A real SQLite database, migrated once and copied for every test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from danlu.store.database import Database
from danlu.store.migrate import migrate
from tests.store.builders import HandClock, Shop


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("blank") / "danlu.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def path(blank: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(blank, tmp_path / "danlu.db"))


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def shop(path: Path, clock: HandClock) -> AsyncIterator[Shop]:
    database = Database(path, clock)
    database.start()
    yield Shop(database, clock)
    await database.close()
