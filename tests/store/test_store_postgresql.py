"""What can happen to a database that is another program, perhaps on another machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, select
from sqlalchemy.exc import ProgrammingError

from danlu.core.errors import Unavailable
from danlu.core.events import Event, EventKind
from danlu.store.engine import engines, schema
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import BadLocation, has_password, is_same_database, show_location, url_of
from danlu.store.engine.migrate import WrongEncoding, migrate
from danlu.store.events import events_after
from danlu.store.settings import write_setting
from tests.store.builders import HandClock
from tests.store.faults import LostAnswerDatabase
from tests.store.test_store_database import note, opened, settings_written
from tests.support.installation import wait_until
from tests.support.postgres import Postgres, database_of


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short, so that tests do not wait for a lock that they will not get."""
    monkeypatch.setattr(engines, "PATIENCE_S", 0.5)


@pytest.fixture
def running(postgres: Postgres) -> Iterator[Postgres]:
    """A server that a test may stop: the next test finds it up again."""
    yield postgres
    if not postgres.answers():
        postgres.start()


def end_sessions(postgres: Postgres, url: str, names: str = "danlu%") -> None:
    """As an administrator of the database would, or a firewall that forgets connections."""
    postgres.sql(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        f" WHERE datname = '{database_of(url)}' AND application_name LIKE '{names}'"
    )


def test_migrating_an_empty_database_yields_exactly_the_schema(url: str) -> None:
    engine = create_engine(url_of(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    engine.dispose()


def test_a_migration_that_fails_half_way_leaves_nothing_behind(postgres: Postgres) -> None:
    url = postgres.new_database()
    postgres.sql("CREATE TABLE tasks (other int)", database_of(url))
    with pytest.raises(ProgrammingError, match="already exists"):
        migrate(url)
    tables = "SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = 'public'"
    assert postgres.sql(tables, database_of(url)) == "tasks"


async def test_two_servers_cannot_have_one_database(url: str, clock: HandClock) -> None:
    async with opened(Database(url, clock)) as first, opened(Database(url, clock)) as second:
        await first.write(note("first"))
        with pytest.raises(Unavailable, match="database_taken") as refused:
            await second.write(note("second"))
        assert " pid " in refused.value.facts["holder"]
        with pytest.raises(Unavailable, match="database_taken"):
            await asyncio.to_thread(migrate, url)
        assert await first.read(settings_written) == {"first"}


async def test_when_one_goes_the_other_may_come(url: str, clock: HandClock) -> None:
    async with opened(Database(url, clock)) as first:
        await first.write(note("first"))
    async with opened(Database(url, clock)) as second:
        assert await second.write(note("second")) == "second"


async def test_a_server_that_was_cut_off_does_not_write_once_another_has_taken_over(
    postgres: Postgres, url: str, clock: HandClock
) -> None:
    told: list[Event] = []
    async with opened(Database(url, clock, on_commit=told.extend)) as first:
        await first.write(note("before"))
        end_sessions(postgres, url)
        async with opened(Database(url, clock)) as second:
            await second.write(note("meanwhile"))
            with pytest.raises(Unavailable, match="database_taken"):
                await first.write(note("too late"))
            assert await first.read(settings_written) == {"before", "meanwhile"}
        await first.write(note("after"))
        # It tells its own listeners also of what the other did, in order and once.
        assert [event.actor for event in told] == ["before", "meanwhile", "after"]
        assert told == await first.read(lambda c: events_after(c, 0, 10))


async def test_sessions_that_ended_while_nobody_asked_cost_nobody_an_error(
    postgres: Postgres, url: str, clock: HandClock
) -> None:
    async with opened(Database(url, clock)) as database:
        await database.write(note("a"))
        await asyncio.gather(*(database.read(settings_written) for _ in range(8)))
        end_sessions(postgres, url)
        assert await asyncio.gather(*(database.read(settings_written) for _ in range(8))) == [{"a"}] * 8
        assert await database.write(note("b")) == "b"


async def test_a_session_that_ends_in_the_middle_of_a_command_is_an_error_for_its_group_alone(
    postgres: Postgres, url: str, clock: HandClock
) -> None:
    def be_cut_off(tx: Transaction) -> None:
        write_setting(tx, "torn", True)
        end_sessions(postgres, url, "danlu % pid %")
        write_setting(tx, "torn", False)

    async with opened(Database(url, clock)) as database:
        with pytest.raises(Unavailable, match="database_unreachable"):
            await database.write(be_cut_off)
        assert await database.write(note("next")) == "next"
        assert await database.read(settings_written) == {"next"}


@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_a_restart_under_load_loses_nothing_that_was_answered(
    running: Postgres, url: str, clock: HandClock, how: str
) -> None:
    numbers, over = count(), asyncio.Event()
    written: set[str] = set()
    refused: list[str] = []

    async def write_on(database: Database) -> None:
        while not over.is_set():
            key = f"n{next(numbers)}"
            try:
                written.add(await database.write(note(key)))
            except Unavailable as problem:
                refused.append(problem.code)
                await asyncio.sleep(0.01)

    told: list[Event] = []
    async with opened(Database(url, clock, on_commit=told.extend)) as database:
        writers = [asyncio.create_task(write_on(database)) for _ in range(10)]
        await wait_for(lambda: len(written) > 50)
        await asyncio.to_thread(getattr(running, how))
        await wait_for(lambda: refused)
        with pytest.raises(Unavailable, match="database_unreachable"):
            await database.read(settings_written)
        await asyncio.to_thread(running.start)
        before = len(written)
        await wait_for(lambda: len(written) > before + 50)
        over.set()
        await asyncio.gather(*writers)
        assert set(refused) == {"database_unreachable"}
        stored = await database.read(settings_written)
        assert written <= stored
        # In doubt is at most what was under way when it went down: one group.
        assert len(stored - written) <= 10
        events = await database.read(lambda c: events_after(c, 0, 100_000))
        assert {event.actor for event in events} == stored
        assert told == events


async def test_what_a_lost_answer_kept_secret_is_told_with_the_next(location: str, clock: HandClock) -> None:
    """Streams resume from the last id they saw: an event that is stored but never told is lost to them."""
    told: list[Event] = []
    async with opened(LostAnswerDatabase(location, clock, on_commit=told.extend)) as database:
        await database.write(note("a"))
        database.deaf = True
        for key in ("b", "c"):
            with pytest.raises(Unavailable):
                await database.write(note(key))
        database.deaf = False
        await database.write(lambda tx: tx.record(EventKind.NODE_UP, node="n", actor="d"))
        assert [event.actor for event in told] == ["a", "b", "c", "d"]
        assert told == await database.read(lambda c: events_after(c, 0, 10))


def test_a_database_that_cannot_hold_every_name_is_refused(postgres: Postgres) -> None:
    postgres.sql("CREATE DATABASE narrow TEMPLATE template0 ENCODING 'SQL_ASCII'")
    with pytest.raises(WrongEncoding, match="SQL_ASCII"):
        migrate(postgres.url("narrow"))


async def test_a_commit_is_on_disk_before_its_answer(url: str, clock: HandClock) -> None:
    """Whatever the server's own settings say: there it may be turned off for all clients."""
    with_setting = f"{url}&options=-csynchronous_commit%3Doff"

    def ask(tx: Transaction) -> str:
        return str(tx.connection.exec_driver_sql("SHOW synchronous_commit").scalar_one())

    async with opened(Database(with_setting, clock)) as database:
        assert await database.write(ask) == "on"


async def test_readers_see_one_moment_and_write_nothing(url: str, clock: HandClock) -> None:
    def look(connection: Connection) -> tuple[str, str]:
        names = ("transaction_isolation", "transaction_read_only")
        isolation, read_only = (connection.exec_driver_sql(f"SHOW {n}").scalar_one() for n in names)
        connection.execute(select(schema.users))
        return str(isolation), str(read_only)

    async with opened(Database(url, clock)) as database:
        assert await database.read(look) == ("repeatable read", "on")


SECRET = "s3cret"


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://li:{SECRET}@db.lab/danlu",
        f"postgres://li:{SECRET}@db.lab:5433/danlu?sslmode=require",
        f"postgresql://li@db.lab/danlu?password={SECRET}",
    ],
)
def test_a_password_is_never_shown(text: str) -> None:
    assert SECRET not in show_location(text)
    assert "li@db.lab" in show_location(text)
    assert has_password(text)


def test_a_place_is_a_place_whoever_asks() -> None:
    assert is_same_database("postgresql://a:1@h/d", "postgresql://b:2@h:5432/d")
    assert not is_same_database("postgresql://a@h/d", "postgresql://a@h/e")
    assert not is_same_database("postgresql://a@h/d", "postgresql://a@i/d")
    assert not has_password("postgresql://a@h/d")


@pytest.mark.parametrize(
    "text", ["", "postgresql://", "mysql://a@h/d", "h/d", "postgresql://h:port/d", "sqlite://"]
)
def test_what_is_no_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(BadLocation) as refused:
        url_of(text)
    assert str(refused.value) == ""


async def wait_for(question: Callable[[], object]) -> None:
    await asyncio.to_thread(wait_until, question, 60)
