"""Everything that is in one database arrives in the other, exactly, or nothing does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, select, text

from danlu.core.states import EndReason
from danlu.core.user import Role
from danlu.store.archive.copying import CopyDiffers, NotEmpty, check_empty, copy_all, digest_of, has_data
from danlu.store.engine import schema
from danlu.store.engine.database import Database
from danlu.store.engine.engines import Location, reading_engine, writing_engine
from danlu.store.engine.migrate import migrate
from danlu.store.users import add_token, add_user, end_token, list_users
from tests.store.builders import HandClock, Shop, a_spec, after
from tests.store.conftest import emptied
from tests.store.test_store_database import opened
from tests.support.postgres import Postgres

KINDS = ["sqlite", "postgresql"]
ROUTES = list(product(KINDS, KINDS))


class Places:
    """A place of each kind to copy from, and one to copy to."""

    def __init__(self, postgres: Postgres, blank: Path) -> None:
        self._blank = blank
        self._urls = [postgres.new_database() for _ in range(2)]
        for url in self._urls:
            migrate(url)

    def of(self, kind: str, which: int, folder: Path) -> Location:
        if kind == "postgresql":
            return emptied(self._urls[which])
        return Path(shutil.copy(self._blank, folder / f"{which}.db"))


@pytest.fixture(scope="module")
def places(postgres: Postgres, blank: Path) -> Places:
    return Places(postgres, blank)


@contextmanager
def both(source: Location, target: Location) -> Iterator[tuple[Connection, Connection]]:
    reading, writing = reading_engine(source, 1), writing_engine(target)
    try:
        with reading.connect() as left, writing.begin() as right:
            yield left, right
    finally:
        reading.dispose()
        writing.dispose()


def ignore(*_: object) -> None:
    pass


def digests(location: Location) -> dict[str, tuple[int, int]]:
    engine = reading_engine(location, 1)
    with engine.connect() as connection:
        found = {table.name: digest_of(connection, table) for table in schema.metadata.sorted_tables}
    engine.dispose()
    return found


async def live_a_little(location: Location, clock: HandClock) -> None:
    """A store in which a bit of everything has happened."""
    async with opened(Database(location, clock)) as database:
        shop = Shop(database, clock)
        await shop.write(lambda tx: add_user(tx, "李", Role.ADMIN, password_hash="hash"))
        await shop.write(lambda tx: add_token(tx, "李", "first", "a" * 64, None))
        await shop.write(lambda tx: add_token(tx, "李", "second", "b" * 64, 2_000.5))
        await shop.write(lambda tx: end_token(tx, "李", token_id=2))
        first = await shop.submit(a_spec("python train.py", variables={"名": "值"}))
        await shop.submit(a_spec("second", dependencies=after(first.id)), held=True)
        await shop.run_to_end(first, EndReason.EXIT_CODE)
        running = await shop.begin(await shop.submit(), 0, 1)
        assert running is not None
        await shop.started(running)
        await shop.delete(await shop.submit())


@pytest.mark.parametrize(("origin", "goal"), ROUTES)
async def test_whatever_happened_arrives(
    places: Places, tmp_path: Path, clock: HandClock, origin: str, goal: str
) -> None:
    source, target = places.of(origin, 0, tmp_path), places.of(goal, 1, tmp_path)
    await live_a_little(source, clock)
    told: list[tuple[str, int, int]] = []
    with both(source, target) as (left, right):
        rows = copy_all(left, right, lambda *step: told.append(step))
    assert digests(source) == digests(target)
    assert rows == {name: count for name, (count, _) in digests(target).items()}
    assert rows["jobs"] == 4
    assert [step for step in told if step[0] == "jobs"] == [("jobs", 0, 4), ("jobs", 4, 4)]


@pytest.mark.parametrize(("origin", "goal"), ROUTES)
async def test_ids_go_on_where_they_were(
    places: Places, tmp_path: Path, clock: HandClock, origin: str, goal: str
) -> None:
    source, target = places.of(origin, 0, tmp_path), places.of(goal, 1, tmp_path)
    await live_a_little(source, clock)
    with both(source, target) as (left, right):
        copy_all(left, right, ignore)
    for location in (source, target):
        async with opened(Database(location, clock)) as database:
            shop = Shop(database, clock)
            last = (await shop.events())[-1].id
            # Token 2 is deleted, and its id is still never given to another.
            assert await shop.write(lambda tx: add_token(tx, "李", "third", "c" * 64, None)) == 3
            assert (await shop.submit()).id == 5
            assert (await shop.events())[-1].id == last + 2


@pytest.mark.parametrize("goal", KINDS)
async def test_a_target_with_rows_of_its_own_is_refused_and_left_alone(
    places: Places, tmp_path: Path, clock: HandClock, goal: str
) -> None:
    source, target = places.of("sqlite", 0, tmp_path), places.of(goal, 1, tmp_path)
    await live_a_little(source, clock)
    async with opened(Database(target, clock)) as database:
        await database.write(lambda tx: add_user(tx, "zhou", Role.MEMBER, password_hash=None))
    assert has_data(target)
    with pytest.raises(NotEmpty), both(source, target) as (left, right):
        copy_all(left, right, ignore)
    async with opened(Database(target, clock)) as database:
        assert [user.name for user in await database.read(list_users)] == ["zhou"]


@pytest.mark.parametrize("goal", KINDS)
async def test_a_target_that_changes_what_it_is_given_is_noticed_and_everything_undone(
    places: Places, postgres: Postgres, tmp_path: Path, clock: HandClock, goal: str
) -> None:
    source, target = places.of("sqlite", 0, tmp_path), places.of(goal, 1, tmp_path)
    await live_a_little(source, clock)
    spoil, repair = SPOILERS[goal]
    run_all(target, spoil)
    try:
        with pytest.raises(CopyDiffers, match="users"), both(source, target) as (left, right):
            copy_all(left, right, ignore)
        with both(source, target) as (_, right):
            check_empty(right)
    finally:
        run_all(target, repair)


SPOILERS = {
    "sqlite": (
        [
            "CREATE TRIGGER spoil AFTER INSERT ON users BEGIN"
            " UPDATE users SET priority = 7 WHERE name = NEW.name; END"
        ],
        ["DROP TRIGGER spoil"],
    ),
    "postgresql": (
        [
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN NEW.priority := 7; RETURN NEW; END $$",
            "CREATE TRIGGER spoil BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION spoil()",
        ],
        ["DROP TRIGGER spoil ON users", "DROP FUNCTION spoil"],
    ),
}


def run_all(location: Location, statements: list[str]) -> None:
    engine = writing_engine(location)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(values=st.lists(JSON, max_size=6), moments=st.lists(st.floats(0, 1e10), max_size=6))
def test_every_value_arrives_as_it_was(
    places: Places, tmp_path: Path, values: list[object], moments: list[float]
) -> None:
    """There and back again: what two kinds of databases agree on was not changed by either."""
    first, between = places.of("sqlite", 0, tmp_path), places.of("postgresql", 1, tmp_path)
    engine = writing_engine(first)
    with engine.begin() as connection:
        for number, value in enumerate(values):
            connection.execute(insert(schema.settings).values(key=f"k{number}", value=value))
        for number, at in enumerate(moments, 1):
            row = {"id": number + 2**40, "at": at, "kind": "node.up", "data": {"at": at}}
            connection.execute(insert(schema.events).values(**row))
    engine.dispose()
    last = places.of("sqlite", 2, tmp_path)
    for source, target in ((first, between), (between, last)):
        with both(source, target) as (left, right):
            copy_all(left, right, ignore)
    engine = reading_engine(last, 1)
    with engine.connect() as connection:
        rows = connection.execute(select(schema.settings.c.value).order_by(schema.settings.c.key)).scalars()
        assert list(rows) == values
        times = connection.execute(select(schema.events.c.at).order_by(schema.events.c.id)).scalars()
        assert list(times) == moments
    engine.dispose()
