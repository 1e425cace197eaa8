"""One writer, many callers: who shares a commit shares nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from danlu.core.errors import Conflict, Unavailable
from danlu.core.events import Event, EventKind
from danlu.store.engine import schema
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import Location
from danlu.store.events import events_after
from danlu.store.settings import read_setting, write_setting
from tests.store.builders import HandClock, Shop, a_spec, insert_job
from tests.store.faults import CountingDatabase, FullDiskDatabase, Gate, SlowDiskDatabase

D = TypeVar("D", bound=Database)


@asynccontextmanager
async def opened(database: D) -> AsyncIterator[D]:
    database.start()
    try:
        yield database
    finally:
        await database.close()


async def share_a_commit(
    database: Database, *commands: Callable[[Transaction], Any]
) -> list[Any | BaseException]:
    """Run these commands in one commit; their answers, errors included."""
    gate = Gate()
    waiting = asyncio.create_task(database.write(gate))
    await asyncio.to_thread(gate.entered.wait)
    answers: list[Coroutine[Any, Any, Any]] = [database.write(command) for command in commands]
    gathered = asyncio.gather(*answers, return_exceptions=True)
    await asyncio.sleep(0)
    gate.open()
    await waiting
    return list(await gathered)


def note(key: str) -> Callable[[Transaction], str]:
    def write(tx: Transaction) -> str:
        write_setting(tx, key, "written")
        tx.record(EventKind.SCHEDULING_CHANGED, actor=key)
        return key

    return write


def change_your_mind(key: str) -> Callable[[Transaction], None]:
    """Writes, records, and then refuses."""

    def write(tx: Transaction) -> None:
        note(key)(tx)
        raise Conflict("changed_meanwhile", job=1)

    return write


def settings_written(connection: Connection) -> set[str]:
    return set(connection.execute(select(schema.settings.c.key)).scalars())


async def test_commands_that_wait_together_are_committed_together(
    location: Location, clock: HandClock
) -> None:
    async with opened(CountingDatabase(location, clock)) as database:
        answers = await share_a_commit(database, note("a"), note("b"), note("c"))
        assert answers == ["a", "b", "c"]
        assert database.commits == 2  # the gate's own, and one for all three


async def test_a_failing_command_undoes_itself_alone(location: Location, clock: HandClock) -> None:
    async with opened(CountingDatabase(location, clock)) as database:
        answers = await share_a_commit(database, note("a"), change_your_mind("b"), note("c"))
        assert database.commits == 2
        assert (answers[0], answers[2]) == ("a", "c")
        assert isinstance(answers[1], Conflict)
        assert await database.read(settings_written) == {"a", "c"}
        recorded = await database.read(lambda c: events_after(c, 0, 10))
        assert [event.actor for event in recorded] == ["a", "c"]


async def test_a_command_with_bad_data_undoes_itself_alone_too(location: Location, clock: HandClock) -> None:
    def break_a_rule(tx: Transaction) -> None:
        note("b")(tx)
        tx.connection.execute(schema.settings.insert().values(key="b", value="twice"))

    async with opened(Database(location, clock)) as database:
        answers = await share_a_commit(database, note("a"), break_a_rule, note("c"))
        assert isinstance(answers[1], Exception)
        assert await database.read(settings_written) == {"a", "c"}


async def test_an_answer_arrives_only_after_the_commit(location: Location, clock: HandClock) -> None:
    published: list[Event] = []
    async with opened(SlowDiskDatabase(location, clock, on_commit=published.extend)) as database:
        answer = asyncio.create_task(database.write(note("a")))
        await asyncio.to_thread(database.reached.wait)
        await asyncio.sleep(0.01)
        assert not answer.done()
        assert published == []
        assert await database.read(settings_written) == set()
        database.turned_on.set()
        assert await answer == "a"
        assert await database.read(settings_written) == {"a"}
        assert len(published) == 1


async def test_a_full_disk_refuses_everybody_in_the_group_and_writes_nothing(
    location: Location, clock: HandClock
) -> None:
    published: list[Event] = []
    async with opened(FullDiskDatabase(location, clock, on_commit=published.extend)) as database:
        gate = Gate()
        first = asyncio.create_task(database.write(gate))
        await asyncio.to_thread(gate.entered.wait)
        group = asyncio.gather(
            database.write(note("a")),
            database.write(change_your_mind("b")),
            database.write(note("c")),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        database.full = True
        gate.open()
        with pytest.raises(Unavailable, match="disk_full"):
            await first
        for refused in await group:
            assert isinstance(refused, Unavailable)
            assert refused.code == "disk_full"
            assert "disk is full" in refused.facts["reason"]
        assert published == []
        assert await database.read(settings_written) == set()
        assert await database.read(lambda c: events_after(c, 0, 10)) == []


async def test_once_there_is_room_again_writing_goes_on(location: Location, clock: HandClock) -> None:
    async with opened(FullDiskDatabase(location, clock)) as database:
        database.full = True
        with pytest.raises(Unavailable):
            await database.write(note("a"))
        database.full = False
        assert await database.write(note("a")) == "a"
        assert await database.read(settings_written) == {"a"}


async def test_a_disk_that_fails_in_the_middle_of_a_command_puts_the_whole_group_in_doubt(
    location: Location, clock: HandClock
) -> None:
    def hit_a_bad_block(tx: Transaction) -> None:
        raise OperationalError("INSERT", {}, OSError("disk I/O error"))

    async with opened(Database(location, clock)) as database:
        answers = await share_a_commit(database, note("a"), hit_a_bad_block, note("c"))
        assert all(isinstance(answer, Unavailable) for answer in answers)
        assert await database.read(settings_written) == set()


async def test_events_are_published_in_the_order_of_their_ids_and_match_what_is_stored(shop: Shop) -> None:
    jobs = [shop.write(lambda tx, n=n: insert_job(tx, f"user{n}", a_spec(), held=False)) for n in range(40)]
    await asyncio.gather(*jobs)
    ids = [event.id for event in shop.published]
    assert ids == sorted(set(ids))
    assert shop.published == await shop.events()


async def test_events_are_published_before_the_caller_goes_on(shop: Shop) -> None:
    job = await shop.submit()
    assert [event.job_id for event in shop.published] == [job.id]


async def test_a_caller_who_went_away_does_not_disturb_the_others(
    location: Location, clock: HandClock
) -> None:
    async with opened(Database(location, clock)) as database:
        gate = Gate()
        first = asyncio.create_task(database.write(gate))
        await asyncio.to_thread(gate.entered.wait)
        impatient = asyncio.create_task(database.write(note("a")))
        patient = asyncio.create_task(database.write(note("b")))
        await asyncio.sleep(0)
        impatient.cancel()
        gate.open()
        await first
        assert await patient == "b"
        # What was accepted is written, whether or not a caller still waits for the answer.
        assert await database.read(settings_written) == {"a", "b"}


async def test_closing_finishes_what_was_accepted_and_refuses_the_rest(
    location: Location, clock: HandClock
) -> None:
    database = Database(location, clock)
    database.start()
    accepted = [asyncio.create_task(database.write(note(f"n{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    await database.close()
    assert await asyncio.gather(*accepted) == [f"n{n}" for n in range(20)]
    with pytest.raises(Unavailable, match="stopping"):
        await database.write(note("late"))
    async with opened(Database(location, clock)) as again:
        assert len(await again.read(settings_written)) == 20


async def test_every_command_gets_the_time_of_the_clock(shop: Shop, clock: HandClock) -> None:
    assert await shop.write(lambda tx: tx.now) == 1_000.0
    clock.advance(5)
    assert await shop.write(lambda tx: tx.now) == 1_005.0


async def test_readers_cannot_write(shop: Shop) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        await shop.read(lambda connection: connection.execute(text("DELETE FROM settings")))


async def test_a_read_sees_one_moment_while_writes_go_on(shop: Shop) -> None:
    """A page and its counts must agree, whatever is written between the two questions."""
    await shop.submit_many(2)
    counted = select(func.count()).select_from(schema.jobs)
    loop = asyncio.get_running_loop()

    def look_twice(connection: Connection) -> tuple[int, int]:
        before = connection.execute(counted).scalar_one()
        asyncio.run_coroutine_threadsafe(shop.submit(), loop).result(10)
        return before, connection.execute(counted).scalar_one()

    assert await shop.read(look_twice) == (2, 2)
    assert await shop.read(lambda c: c.execute(counted).scalar_one()) == 3


async def test_a_hundred_callers_at_once_lose_nothing(shop: Shop) -> None:
    jobs = await asyncio.gather(*(shop.submit(owner=f"user{n}") for n in range(100)))
    assert len({job.id for job in jobs}) == 100


async def test_a_setting_reads_back_as_it_was_written(shop: Shop) -> None:
    await shop.write(lambda tx: write_setting(tx, "notice", {"text": "停机", "until": 3.5}))
    await shop.write(lambda tx: write_setting(tx, "notice", {"text": "还在"}))
    assert await shop.read(lambda c: read_setting(c, "notice")) == {"text": "还在"}
    assert await shop.read(lambda c: read_setting(c, "nothing")) is None


async def test_a_disk_that_is_really_full_is_told_as_such(path: Path, clock: HandClock) -> None:
    def fill_up(tx: Transaction) -> None:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    async with opened(Database(path, clock)) as database:
        await database.write(fill_up)
        notes = [database.write(note(f"n{number}")) for number in range(2_000)]
        with pytest.raises(Unavailable, match="disk_full") as refused:
            await asyncio.gather(*notes)
        assert "full" in refused.value.facts["reason"]
        assert "INSERT" not in refused.value.facts["reason"]
