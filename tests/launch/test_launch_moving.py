"""Wherever a move dies, at most one of the two databases is in use, and the same command finishes it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.core.errors import Unavailable
from danlu.core.user import Role
from danlu.launch.database import commands, row_copy
from danlu.launch.database.choice import DatabaseMismatch, choose_location, kept_location, sqlite_of
from danlu.launch.database.commands import run_move, run_reinstate, show_database
from danlu.store.archive.copying import has_data
from danlu.store.archive.restoring import NUMBERS_APART
from danlu.store.engine.database import Database
from danlu.store.engine.engines import Location
from danlu.store.engine.migrate import migrate
from danlu.store.engine.out_of_use import OutOfUse, OutOfUseReason, find_out_of_use, put_out_of_use
from danlu.store.leadership import Lookout, next_fence, read_leader
from danlu.store.users import add_user
from tests.support.postgres import Postgres, running_postgres


class Died(BaseException):
    """The process is gone."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of an installation that was used."""
    folder = tmp_path / "danlu"
    folder.mkdir()
    migrate(sqlite_of(folder))
    write(sqlite_of(folder), lambda tx: (add_user(tx, "li", Role.ADMIN, password_hash=None), next_fence(tx)))
    return folder


def write(location: Location, command):
    async def run():
        opened = Database(location, time.time)
        opened.start()
        try:
            return await opened.write(command)
        finally:
            await opened.close()

    return asyncio.run(run())


def is_in_use(location: Location) -> bool:
    """Whether a server that opens it finds its users, and is not refused."""
    if not has_data(location):
        return False
    try:
        migrate(location)
        write(location, lambda tx: None)
    except Unavailable:
        return False
    return True


def move(data: Path, target: str) -> int:
    return run_move(data, target, "en", lambda *_: None)


POINTS = ["the target's commit", "the source's commit", "remember_location", "finish_carrying"]


def die_at(point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise Died

    if point == "the target's commit":
        monkeypatch.setattr(row_copy, "_copy", die)
    elif point == "the source's commit":
        mark = row_copy.put_out_of_use
        marked: list[object] = []

        def mark_once(connection, what: OutOfUse) -> None:
            if marked:
                raise Died
            marked.append(what)
            mark(connection, what)

        monkeypatch.setattr(row_copy, "put_out_of_use", mark_once)
    else:
        monkeypatch.setattr(commands, point, die)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("way", ["there", "back"])
def test_a_move_that_dies_leaves_at_most_one_in_use_and_is_finished_by_itself(
    data: Path, postgres: Postgres, point: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new_database()
    if way == "back":
        assert move(data, url) == 0
    source, target = (sqlite_of(data), url) if way == "there" else (url, "sqlite")
    place = url if way == "there" else sqlite_of(data)
    with monkeypatch.context() as dying:
        die_at(point, dying)
        with pytest.raises(Died):
            move(data, target)
    used = [location for location in (source, place) if is_in_use(location)]
    assert used in ([], [source])
    assert (used == [source]) == point.startswith("the ")
    assert move(data, target) == 0
    assert is_in_use(place)
    assert not is_in_use(source)
    assert kept_location(data) == place


def test_who_opens_the_one_that_was_moved_away_is_told_where_it_is_now(
    data: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = postgres.new_database(), postgres.new_database()
    standby = data.with_name("standby")
    standby.mkdir()
    assert move(data, first) == 0
    # Another server's folder remembers it too.
    (standby / "database-url").write_text(f"{first}\n")
    with_password = second.replace("danlu@", "danlu:hunter2@")
    assert "hunter2" in with_password
    assert move(data, with_password) == 0
    lookout = Lookout(first)
    with pytest.raises(Unavailable) as refused:
        lookout.look()
    lookout.close()
    assert refused.value.code == "database_moved"
    assert "hunter2" not in str(refused.value.facts)
    with pytest.raises(Unavailable):
        migrate(first)
    shown = show_database(standby)
    assert shown.out_of_use is not None
    assert shown.out_of_use.why is OutOfUseReason.MOVED
    # It finds its way: to the place that it was moved to, and to no other.
    assert choose_location(standby, second) == second
    with pytest.raises(DatabaseMismatch):
        choose_location(standby, postgres.new_database())
    assert move(standby, postgres.new_database()) == 1
    assert "was moved to" in capsys.readouterr().err


def test_a_move_can_be_regretted_and_no_number_is_given_twice(
    data: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    assert move(data, postgres.new_database()) == 0
    assert run_reinstate(data, None, "en") == 1, "what is in use needs no such thing"
    [aside] = data.glob("danlu.db.moved-*")
    assert find_out_of_use(aside) is not None
    assert run_reinstate(data, str(aside), "en") == 0
    assert "no server may keep using the other copy" in capsys.readouterr().out.lower()
    assert kept_location(data) == sqlite_of(data)
    assert is_in_use(sqlite_of(data))
    assert write(sqlite_of(data), last_number) >= NUMBERS_APART


def last_number(tx) -> int:
    from sqlalchemy import select

    from danlu.store.engine import schema

    return tx.connection.execute(select(schema.counters.c.value)).scalars().first()


def test_one_whose_nodes_followed_another_leads_again_after_that_one(data: Path) -> None:
    ahead = int(time.time()) + 90_000
    mark = OutOfUse(OutOfUseReason.SUPERSEDED, time.time(), fence=ahead)
    write(sqlite_of(data), lambda tx: put_out_of_use(tx.connection, mark))
    assert not is_in_use(sqlite_of(data))
    assert run_reinstate(data, None, "en") == 0
    assert write(sqlite_of(data), lambda tx: read_leader(tx.connection)).fence > ahead
