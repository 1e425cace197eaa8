"""What was set aside is there on the day when nothing else is, and no other program gets it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.core.errors import Unavailable
from danlu.store.engine.database import Database
from danlu.store.engine.migrate import migrate
from danlu.store.engine.reserve import PARTS, Reserve
from danlu.store.settings import read_setting, write_setting
from tests.agent.small_disk import fill_disk, small_disk
from tests.store.builders import HandClock
from tests.store.test_store_database import opened


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", "size=32m,mode=755") as mounted:
        yield mounted


def a_reserve(disk: Path) -> Reserve:
    return Reserve(disk / "reserve", disk / "danlu.db")


def parts(disk: Path) -> list[str]:
    return sorted(path.name for path in (disk / "reserve").iterdir())


def test_it_is_set_aside_given_up_in_parts_and_set_aside_anew(disk: Path) -> None:
    reserve = a_reserve(disk)
    before = reserve.free_bytes
    assert reserve.is_needed
    assert reserve.keep()
    assert not reserve.is_needed
    assert before - reserve.free_bytes >= PARTS * (before // 110)
    for _ in range(PARTS - 1):
        assert reserve.give_up()
    assert not reserve.give_up()
    assert parts(disk) == ["0"], "one is for the next start"
    assert reserve.give_up(to_start=True)
    assert not reserve.give_up(to_start=True)
    assert reserve.keep()


def test_what_would_leave_no_room_is_not_set_aside(disk: Path) -> None:
    reserve = a_reserve(disk)
    filler = fill_disk(disk, 4096)
    os.truncate(filler, filler.stat().st_size - 1_000_000)
    assert not reserve.keep()
    filler.unlink()
    assert reserve.keep()


async def test_on_a_full_disk_the_store_goes_on_with_its_reserve(disk: Path, clock: HandClock) -> None:
    path = disk / "danlu.db"
    migrate(path)
    reserve = a_reserve(disk)
    reserve.keep()
    async with opened(Database(path, clock, reserve=reserve)) as database:
        await database.write(lambda tx: write_setting(tx, "first", 1))
        assert not database.look_at_disk()
        filler = fill_disk(disk, 4096)
        assert database.look_at_disk()
        for number in range(400):
            await database.write(lambda tx, n=number: write_setting(tx, f"n{n % 40}", [n] * 100))
            # Whatever it does not take at once is gone.
            fill_disk(disk, 4096)
        assert await database.read(lambda c: read_setting(c, "n39")) == [399] * 100
        assert parts(disk)[0] == "0"
        assert database.look_at_disk()
        filler.unlink()
        assert not database.look_at_disk()
        assert len(parts(disk)) == PARTS


async def test_with_nothing_left_it_is_told_as_a_full_disk(disk: Path, clock: HandClock) -> None:
    path = disk / "danlu.db"
    migrate(path)
    async with opened(Database(path, clock, reserve=a_reserve(disk))) as database:
        fill_disk(disk, 4096)
        much = [database.write(lambda tx, n=n: write_setting(tx, f"n{n}", "x" * 2000)) for n in range(1000)]
        with pytest.raises(Unavailable, match="disk_full"):
            await asyncio.gather(*much)
        assert database.is_disk_full
