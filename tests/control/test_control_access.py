"""Whether a proof still counts: known without asking the database, until a user's rights change."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from argon2.profiles import RFC_9106_LOW_MEMORY

from danlu.control.identity.access import Access, Identity
from danlu.control.identity.hashing import Hashing, decoy_hash
from danlu.core.errors import Forbidden, NotSignedIn
from danlu.store.users import change_user, end_all_access
from tests.control.world import World


class CountedReads:
    """The database of a world, which counts the questions and can be told to be slow."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.reads = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def read(self, question: Any) -> Any:
        self.reads += 1
        answer = await self._database.read(question)
        await self.gate.wait()
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


class Door:
    def __init__(self, world: World) -> None:
        self.world = world
        self.database = CountedReads(world.control.database)
        self.access = Access(self.database, world.control.bus, world.settings, world.clock)  # type: ignore[arg-type]

    async def with_token(self, name: str = "bo", lifetime_s: float | None = None) -> tuple[Identity, int]:
        number, secret = await self.access.make_token(await self.world.user(name), "laptop", lifetime_s)
        return await self.access.identify_token(secret), number

    async def counts(self, identity: Identity) -> bool:
        try:
            await self.access.check_still(identity)
        except (NotSignedIn, Forbidden):
            return False
        return True

    async def with_session(self, name: str = "bo") -> Identity:
        session = await self.access.open_session(await self.world.user(name))
        return await self.access.identify_session(session.secret)


@pytest.fixture
async def door(world: World) -> Door:
    return Door(world)


async def test_a_proof_counts_without_a_question_however_long(door: Door) -> None:
    (token, _), session = await door.with_token(), await door.with_session()
    asked = door.database.reads
    for _ in range(100):
        door.world.clock.advance(60)
        assert await door.counts(token)
        assert await door.counts(session)
    assert door.database.reads == asked


async def test_it_ends_at_its_time(door: Door) -> None:
    (token, _), session = await door.with_token(lifetime_s=60.0), await door.with_session()
    door.world.clock.advance(59.9)
    assert await door.counts(token)
    door.world.clock.advance(0.2)
    assert not await door.counts(token)
    assert await door.counts(session)
    door.world.clock.advance(door.world.settings.session_lifetime_s)
    assert not await door.counts(session)


async def test_a_session_is_not_taken_for_good_after_its_time_because_it_was_a_moment_ago(door: Door) -> None:
    session = await door.access.open_session(await door.world.user("bo"))
    door.world.clock.advance(door.world.settings.session_lifetime_s - 1)
    await door.access.identify_session(session.secret)
    door.world.clock.advance(1.5)
    with pytest.raises(NotSignedIn):
        await door.access.identify_session(session.secret)


async def test_a_locked_user_is_out_as_soon_as_that_is_known_and_others_stay(door: Door) -> None:
    (bo, _), (cy, _) = await door.with_token("bo"), await door.with_token("cy")
    await door.world.change_user("bo", locked=True)
    assert not await door.counts(bo)
    assert await door.counts(cy)


async def test_whatever_ends_a_proof_tells_those_who_watch(door: Door) -> None:
    told = []
    with door.access.watch(lambda: told.append(1)):
        token, number = await door.with_token()
        await door.access.end_token(token.user, number)
        assert (len(told), await door.counts(token)) == (1, False)
        session = await door.with_session()
        await door.access.end(session)
        assert (len(told), await door.counts(session)) == (2, False)
        session = await door.with_session()
        await door.access.set_password(session.user, "a new secret", by=await door.world.user("ann"))
        assert len(told) > 2
        assert not await door.counts(session)
    before = len(told)
    door.access.forget_cached()
    assert len(told) == before


async def test_what_was_read_before_a_lock_is_not_remembered_after_it(door: Door) -> None:
    (identity, _) = await door.with_token()
    door.access.forget_cached()
    door.database.gate.clear()
    slow = asyncio.create_task(door.counts(identity))
    await door.world.until_true(lambda: door.database.reads >= 1)
    await asyncio.sleep(0.05)

    def lock(tx: Any) -> None:
        change_user(tx, "bo", "ann", locked=True)
        end_all_access(tx, "bo")

    await door.world.control.database.write(lock)
    door.database.gate.set()
    await slow
    assert not await door.counts(identity)


async def test_who_is_locked_or_unknown_does_not_come_in(door: Door) -> None:
    with pytest.raises(NotSignedIn):
        await door.access.identify_token("danlu_nobody")
    _, secret = await door.access.make_token(await door.world.user("bo"), "laptop", None)
    await door.world.change_user("bo", locked=True)
    with pytest.raises(Forbidden):
        await door.access.identify_token(secret)


async def test_a_password_is_hashed_at_the_recommended_cost() -> None:
    """The servers of other tests hash cheaply (tests/support/preloaded.py); those of users never do."""
    assert extract_parameters(await Hashing().make("password")) == RFC_9106_LOW_MEMORY


def test_what_stands_in_for_an_unknown_name_is_a_hash_like_any_other() -> None:
    """Were it malformed, or made at another cost, the time of an answer would tell who has an account."""
    hasher = PasswordHasher()
    decoy = decoy_hash(hasher)
    assert not hasher.check_needs_rehash(decoy)
    assert len(decoy) == len(hasher.hash("password"))
    with pytest.raises(VerifyMismatchError):
        hasher.verify(decoy, "password")


async def test_a_role_that_was_taken_away_ends_what_was_opened_with_it(door: Door) -> None:
    token, _ = await door.with_token()
    await door.world.change_user("bo", role="viewer")
    assert not await door.counts(token)


async def test_nothing_outlives_the_token_that_it_was_made_with(door: Door) -> None:
    access, clock = door.access, door.world.clock
    user = await door.world.user("bo")
    token, _ = await door.with_token(lifetime_s=3600.0)
    for lifetime_s in (None, 3601.0):
        with pytest.raises(Forbidden) as refused:
            await access.make_token(user, "longer", lifetime_s, token.ceiling)
        assert (refused.value.code, refused.value.field) == ("outlives_token", "lifetime_s")
    await access.make_token(user, "shorter", 60.0, token.ceiling)
    code, link_ends = await access.make_link(user, token.ceiling)
    assert link_ends <= token.expires_at
    opened = await access.use_link(code, "1.1.1.1")
    session = await access.identify_session(opened.secret)
    assert session.expires_at == session.ceiling == token.expires_at
    with pytest.raises(Forbidden):
        await access.make_token(user, "by a detour", None, session.ceiling)
    clock.advance(3600.0)
    with pytest.raises(NotSignedIn):
        await access.identify_session(opened.secret)


async def test_what_does_not_end_may_make_what_does_not(door: Door) -> None:
    user = await door.world.user("bo")
    token, _ = await door.with_token()
    await door.access.make_token(user, "for ever", None, token.ceiling)
    code, _ = await door.access.make_link(user, token.ceiling)
    session = await door.access.identify_session((await door.access.use_link(code, "1.1.1.1")).secret)
    assert session.expires_at == door.world.clock() + door.world.settings.session_lifetime_s
    await door.access.make_token(user, "for ever too", None, session.ceiling)


async def test_what_a_mentor_has_open_ends_when_groups_change(world: World) -> None:
    """A log that was followed may be of a user who is in the group no more."""
    door = Door(world)
    await world.lead("cy", "bo")
    mentor, member = (await door.with_token("cy"))[0], (await door.with_token("bo"))[0]
    assert await door.counts(mentor)
    await world.change_user("bo", priority=2.0)
    assert await door.counts(mentor), "that has nothing to do with it"
    await world.change_user("bo", group_name=None)
    assert not await door.counts(mentor)
    assert await door.counts(member)
    again, _ = await door.with_token("cy")
    await world.control.groups.remove(await world.user("ann"), "lab")
    assert not await door.counts(again)
