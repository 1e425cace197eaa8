"""Many who try to sign in at once: no more guesses than one after the other, and CPU is left for others."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from danlu.control.identity import hashing
from danlu.control.identity.access import Access
from danlu.control.identity.throttle import FREE_TRIES
from danlu.core.errors import DanluError, NotSignedIn
from danlu.store.engine.database import Transaction
from danlu.store.users import change_user
from tests.control.world import World


@pytest.fixture
async def access(world: World, monkeypatch: pytest.MonkeyPatch) -> Access:
    hasher = hashing.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(hashing, "PasswordHasher", lambda: hasher)
    found = Access(world.control.database, world.control.bus, world.settings, world.clock)
    await world.user("bo")
    password_hash = hasher.hash("right")

    def write(tx: Transaction) -> None:
        change_user(tx, "bo", "bo", password_hash=password_hash)

    await world.control.database.write(write)
    return found


async def outcomes(access: Access, tries: list[tuple[str, str, str]]) -> Counter[str]:
    async def sign_in(name: str, password: str, address: str) -> str:
        try:
            await access.check_password(name, password, address)
        except DanluError as refusal:
            return refusal.code
        return "in"

    return Counter(await asyncio.gather(*(sign_in(*each) for each in tries)))


async def test_sixty_guesses_at_once_are_no_more_than_one_after_the_other(access: Access) -> None:
    told = await outcomes(access, [("bo", f"guess{number}", "6.6.6.6") for number in range(60)])
    assert told["wrong_password"] == FREE_TRIES
    assert told["in"] == 0
    assert await outcomes(access, [("bo", "right", "1.1.1.1")]) == {"in": 1}, "bo is elsewhere"


async def test_a_crowd_that_is_right_comes_in(access: Access) -> None:
    told = await outcomes(access, [("bo", "right", "1.1.1.1")] * hashing.MOST_WAITING_PER_ADDRESS)
    assert told == {"in": hashing.MOST_WAITING_PER_ADDRESS}


async def test_the_queue_is_bounded_for_an_address_and_in_all(access: Access) -> None:
    one = await outcomes(access, [("bo", "right", "1.1.1.1")] * (hashing.MOST_WAITING_PER_ADDRESS + 5))
    assert one["too_many_logins"] == 5
    every = [("bo", "right", f"1.1.{number}.1") for number in range(hashing.MOST_WAITING + 7)]
    assert (await outcomes(access, every))["too_many_logins"] == 7
    assert await outcomes(access, [("bo", "right", "1.1.1.1")]) == {"in": 1}


async def test_who_has_no_link_does_not_make_us_write(access: Access, world: World) -> None:
    written: list[Any] = []

    class Watched:
        def __init__(self, database: Any) -> None:
            self._database = database

        async def write(self, change: Any) -> Any:
            written.append(change)
            return await self._database.write(change)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._database, name)

    access._database = Watched(world.control.database)  # type: ignore[assignment]
    with pytest.raises(NotSignedIn):
        await access.use_link("guessed", "6.6.6.6")
    assert not written
    told = [await _code_of(access.use_link(f"guess{number}", "6.6.6.6")) for number in range(200)]
    assert told.count("link_used") < 60
    assert told[-1] == "too_many_tries"


async def _code_of(asking: Any) -> str:
    try:
        await asking
    except DanluError as refusal:
        return refusal.code
    return "in"
