"""Several servers on one database: one leads, and who led before it can write nothing any more."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial

import pytest
from sqlalchemy import Connection

from danlu.core.errors import Unavailable
from danlu.store.engine import engines, schema
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import WriterSession, host_of_session, is_session_of, session_name
from danlu.store.leadership import (
    Leader,
    LeaderClaim,
    Lookout,
    forget_servers,
    list_servers,
    next_fence,
    read_leader,
    renew_lead,
    take_lead,
)
from tests.store.builders import HandClock, Shop
from tests.store.test_store_database import note, opened, settings_written
from tests.support.postgres import Postgres, database_of


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PATIENCE_S", 0.2)


@dataclass
class Contender:
    """A server that has seen `seen` and begins to lead, if it is let."""

    database: Database
    claim: LeaderClaim
    name: str
    seen: Leader | None

    async def take(self) -> Leader:
        taken = await self.database.write(
            partial(take_lead, seen=self.seen, holder=self.name, url="http://a", messages="a:1")
        )
        self.claim.fence = taken.fence
        return taken


class Stage:
    """The servers of a test on one database."""

    def __init__(self, url: str, clock: HandClock, stack: AsyncExitStack) -> None:
        self.url = url
        self._clock = clock
        self._stack = stack
        self.lookout = Lookout(url)

    async def contender(self, server_id: str, kind: type[Database] = Database) -> Contender:
        seen = self.lookout.look()
        claim, name = LeaderClaim(seen.fence if seen else 0), session_name(server_id)
        database = await self._stack.enter_async_context(
            opened(kind(self.url, self._clock, claim.session(name)))
        )
        return Contender(database, claim, name, seen)


@pytest.fixture
async def stage(url: str, clock: HandClock):
    async with AsyncExitStack() as stack:
        stage = Stage(url, clock, stack)
        stack.callback(stage.lookout.close)
        yield stage


async def test_the_first_leads_and_its_name_is_known(stage: Stage) -> None:
    assert stage.lookout.look() is None
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    assert stage.lookout.look() == taken
    assert taken.is_of("aaaaaaaa")
    assert not taken.is_of("bbbbbbbb")


async def test_one_that_is_succeeded_writes_nothing_more(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    await first.database.write(note("before"))
    second = await stage.contender("bbbbbbbb")
    stage.lookout.end_session_of(taken)
    after = await second.take()
    assert after.fence > taken.fence
    with pytest.raises(Unavailable, match="not_leading"):
        await first.database.write(note("too late"))
    await second.database.write(note("after"))
    assert await second.database.read(settings_written) == {"before", "after"}


async def test_nor_once_its_successor_is_gone_and_the_lock_is_free(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    second = await stage.contender("bbbbbbbb")
    stage.lookout.end_session_of(taken)
    await second.take()
    await second.database.close()
    with pytest.raises(Unavailable, match="not_leading"):
        await first.database.write(note("too late"))


class PausedDatabase(Database):
    """Stops just before its commit, as a process that is stopped does, until the test lets it go on."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.at_commit, self.go_on, self.pausing = threading.Event(), threading.Event(), False

    def _commit(self, connection: Connection) -> None:
        if self.pausing:
            self.at_commit.set()
            self.go_on.wait(30)
        super()._commit(connection)


async def test_what_was_half_written_when_another_took_over_is_undone(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa", PausedDatabase)
    taken = await first.take()
    assert isinstance(first.database, PausedDatabase)
    first.database.pausing = True
    writing = asyncio.create_task(first.database.write(note("half")))
    await asyncio.to_thread(first.database.at_commit.wait, 30)
    second = await stage.contender("bbbbbbbb")
    stage.lookout.end_session_of(taken)
    await second.take()
    await second.database.write(note("after"))
    first.database.go_on.set()
    with pytest.raises(Unavailable):
        await writing
    assert await second.database.read(settings_written) == {"after"}


async def test_of_two_that_want_to_succeed_one_does(stage: Stage) -> None:
    """Both saw the same leader die. The slower one must not take the lead from the faster."""
    taken = await (await stage.contender("aaaaaaaa")).take()
    second, third = await stage.contender("bbbbbbbb"), await stage.contender("cccccccc")
    stage.lookout.end_session_of(taken)
    led = await second.take()
    stage.lookout.end_session_of(taken)
    with pytest.raises(Unavailable, match="not_leading"):
        await third.take()
    assert stage.lookout.look() == led
    await second.database.write(note("undisturbed"))


async def test_a_server_of_another_kind_on_the_database_is_left_alone(stage: Stage, clock: HandClock) -> None:
    taken = await (first := await stage.contender("aaaaaaaa")).take()
    await first.database.close()
    async with opened(Database(stage.url, clock)) as foreign:
        await foreign.write(note("foreign"))
        second = await stage.contender("bbbbbbbb")
        stage.lookout.end_session_of(taken)
        with pytest.raises(Unavailable, match="database_taken"):
            await second.take()
        await foreign.write(note("still there"))


async def test_a_leader_that_lost_its_connection_goes_on_while_nobody_has_taken_over(
    stage: Stage, postgres: Postgres
) -> None:
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    stage.lookout.end_session_of(taken)
    await first.database.write(partial(renew_lead, fence=taken.fence, url="http://b", messages=""))
    now = stage.lookout.look()
    assert now is not None
    assert (now.fence, now.url) == (taken.fence, "http://b")
    key = engines.WRITER_LOCK & 0xFFFFFFFF
    locks = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = {key}"
    assert postgres.sql(locks, database_of(stage.url)) == "1"


async def test_given_up_it_writes_not_even_what_it_had_accepted(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa")
    await first.take()
    first.database.give_up()
    with pytest.raises(Unavailable, match="not_leading"):
        await first.database.write(note("accepted"))
    assert await first.database.read(settings_written) == set()


async def test_laid_down_is_nobodys_and_only_ones_own_can_be(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    stage.lookout.lay_down(taken.fence - 1)
    assert stage.lookout.look() == taken
    stage.lookout.lay_down(taken.fence)
    laid = stage.lookout.look()
    assert laid == replace(taken, holder="", url="", messages="")


async def test_servers_announce_themselves_and_say_goodbye(stage: Stage) -> None:
    stage.lookout.announce("aaaaaaaa", "http://a", "a:1")
    stage.lookout.announce("bbbbbbbb", "http://b", "b:1")
    stage.lookout.announce("aaaaaaaa", "http://a2", "a:2")
    known = stage.lookout.ask(list_servers)
    assert [(each.id, each.url, each.messages, each.fresh) for each in known] == [
        ("aaaaaaaa", "http://a2", "a:2", True),
        ("bbbbbbbb", "http://b", "b:1", True),
    ]
    stage.lookout.withdraw("aaaaaaaa")
    assert [each.id for each in stage.lookout.ask(list_servers)] == ["bbbbbbbb"]


async def test_a_leader_that_was_succeeded_stands_by_only_when_it_says_so(stage: Stage) -> None:
    first = await stage.contender("aaaaaaaa")
    taken = await first.take()
    for name in ("aaaaaaaa", "bbbbbbbb"):
        stage.lookout.announce(name, f"http://{name}", "")
    second = await stage.contender("bbbbbbbb")
    stage.lookout.end_session_of(taken)
    await second.take()
    known = {each.id: (each.fresh, each.listed) for each in stage.lookout.ask(list_servers)}
    assert known == {"aaaaaaaa": (False, True), "bbbbbbbb": (True, True)}
    stage.lookout.announce("aaaaaaaa", "http://aaaaaaaa", "")
    assert all(each.fresh for each in stage.lookout.ask(list_servers))
    await second.database.write(lambda tx: forget_servers(tx, ["aaaaaaaa"]))
    assert [each.id for each in stage.lookout.ask(list_servers)] == ["bbbbbbbb"]


def test_nobody_leads_in_a_database_without_tables(postgres: Postgres) -> None:
    lookout = Lookout(postgres.new_database())
    assert lookout.look() is None
    lookout.close()


async def test_the_number_of_a_server_alone_grows_with_each_start(shop: Shop, clock: HandClock) -> None:
    """Also in a database that was restored: the clock has gone on meanwhile."""
    first = await shop.database.write(next_fence)
    second = await shop.database.write(next_fence)
    clock.now += 5000

    def forget(tx: Transaction) -> None:
        tx.connection.execute(schema.leadership.delete())

    await shop.database.write(forget)
    third = await shop.database.write(next_fence)
    assert first < second < third
    leader = await shop.database.read(read_leader)
    assert leader is not None
    assert leader.fence == third


@pytest.mark.parametrize("host", ["gpu1", "a-very-long-host-name-that-somebody-gave-to-a-machine.lab"])
def test_a_session_tells_its_server_and_its_host(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: host)
    monkeypatch.setattr("os.getpid", lambda: 4_194_303)
    name = session_name("0123abcd")
    # PostgreSQL cuts off what is longer, and the lock would have no holder.
    assert len(name.encode()) <= 63
    assert is_session_of(name, "0123abcd")
    assert not is_session_of(name, "0123abce")
    assert host.startswith(host_of_session(name))


def test_a_session_is_checked_before_it_waits_and_after_it_has_the_lock(url: str) -> None:
    seen: list[int] = []

    def look(connection: object) -> None:
        holders = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        seen.append(connection.execute(holders).fetchone()[0])  # type: ignore[attr-defined]
        connection.rollback()  # type: ignore[attr-defined]

    engine = engines.writing_engine(url, session=WriterSession(session_name("x"), look))
    with engine.connect():
        assert seen == [0, 1]
    engine.dispose()
