"""Calls that one server took in are there for the next one that leads."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from danlu.control.calls.call_copies import PIECE, CallCopies
from danlu.store.engine.database import Database
from danlu.store.engine.migrate import migrate
from danlu.store.jobs.calls import drop_pieces, stored_calls


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    migrate(tmp_path / "danlu.db")
    database = Database(tmp_path / "danlu.db", lambda: 1000.0)
    database.start()
    yield database
    await database.close()


def keep(folder: Path, content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()
    (folder / "li").mkdir(parents=True, exist_ok=True)
    (folder / "li" / digest).write_bytes(content)
    return digest


@pytest.mark.parametrize("size", [0, 1, PIECE, 2 * PIECE + 7])
async def test_a_call_comes_over_whole_and_private(database: Database, tmp_path: Path, size: int) -> None:
    content = bytes(number % 251 for number in range(size))
    one, two = CallCopies(database, tmp_path / "one"), CallCopies(database, tmp_path / "two")
    digest = keep(tmp_path / "one", content)
    await one.send("li", digest)
    await one.send("li", digest)
    await two.share()
    brought = tmp_path / "two" / "li" / digest
    assert brought.read_bytes() == content
    assert (brought.stat().st_mode & 0o777, brought.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in brought.parent.iterdir()] == [digest]


async def test_half_a_call_and_a_damaged_one_are_not_brought(database: Database, tmp_path: Path) -> None:
    one, two = CallCopies(database, tmp_path / "one"), CallCopies(database, tmp_path / "two")
    digest = keep(tmp_path / "one", b"x" * PIECE * 2)
    (tmp_path / "one" / "li" / digest).write_bytes(b"y" * PIECE * 2)
    await one.send("li", digest)
    assert await database.read(stored_calls) == {("li", digest): 2}
    await two.share()
    assert not list((tmp_path / "two" / "li").iterdir())
    await database.write(lambda tx: drop_pieces(tx, "li", digest))
    assert await database.read(stored_calls) == {}
