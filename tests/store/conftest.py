"""Both databases, real ones, migrated once and copied for every test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from danlu.core.events import Event
from danlu.store.audit import empty_audit
from danlu.store.engine import schema
from danlu.store.engine.database import Database
from danlu.store.engine.engines import Location, url_of
from danlu.store.engine.migrate import migrate
from tests.store.builders import HandClock, Shop
from tests.support.postgres import Postgres, running_postgres

NewLocation = Callable[[], Location]


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and nothing in them."""
    path = tmp_path_factory.mktemp("blank") / "danlu.db"
    migrate(path)
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of this process."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def path(blank: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(blank, tmp_path / "danlu.db"))


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def new_location(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewLocation:
    """Makes an empty database for each call: first of the one kind, then of the other."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("migrated")
        # To empty one costs a tenth of making another.
        return lambda: emptied(url)
    blank: Path = request.getfixturevalue("blank")
    return lambda: Path(shutil.copy(blank, tmp_path_factory.mktemp("store")))


def emptied(url: str) -> str:
    engine = create_engine(url_of(url))
    with engine.begin() as connection:
        empty_audit(connection)
        for table in reversed(schema.metadata.sorted_tables):
            connection.execute(table.delete())
        connection.execute(schema.counters.insert().values(name="job", value=0))
        connection.execute(text("ALTER SEQUENCE tokens_id_seq RESTART"))
    engine.dispose()
    return url


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    """A PostgreSQL database with all tables: to migrate one takes two seconds."""
    url = postgres.new_database()
    migrate(url)
    return url


@pytest.fixture
def url(migrated: str) -> str:
    """An empty PostgreSQL database, for what SQLite has not."""
    return emptied(migrated)


@pytest.fixture
def location(new_location: NewLocation) -> Location:
    return new_location()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def shop(location: Location, clock: HandClock) -> AsyncIterator[Shop]:
    published: list[Event] = []
    database = Database(location, clock, on_commit=published.extend)
    database.start()
    yield Shop(database, clock, published)
    await database.close()
