"""Users, and the secrets that prove who they are: each for its time, each only once if it says so."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from danlu.core.events import EventKind
from danlu.core.user import Role, User
from danlu.store import users
from tests.store.builders import Shop


@pytest.fixture
async def ann(shop: Shop) -> User:
    return await shop.write(lambda tx: users.add_user(tx, "ann", Role.ADMIN, password_hash="$argon2$…"))


async def test_a_user_reads_back_without_the_hash(shop: Shop, ann: User) -> None:
    assert await shop.read(lambda c: users.get_user(c, "ann")) == ann
    assert (ann.role, ann.priority, ann.has_password, ann.locked) == (Role.ADMIN, 1.0, True, False)
    assert "argon2" not in repr(ann)
    assert "argon2" not in str(await shop.events(kind=EventKind.USER_CHANGED))


async def test_nobody_is_added_twice(shop: Shop, ann: User) -> None:
    with pytest.raises(IntegrityError):
        await shop.write(lambda tx: users.add_user(tx, ann.name, Role.MEMBER, password_hash=None))
    assert [user.role for user in await shop.read(users.list_users)] == [Role.ADMIN]


async def test_a_locked_admin_does_not_count_as_one_who_can_act(shop: Shop, ann: User) -> None:
    await shop.write(lambda tx: users.add_user(tx, "bo", Role.ADMIN, password_hash=None))
    assert await shop.read(users.count_admins) == 2
    await shop.write(lambda tx: users.change_user(tx, "bo", ann.name, locked=True))
    assert await shop.read(users.count_admins) == 1


async def test_what_changed_is_told_but_no_secret(shop: Shop, ann: User) -> None:
    await shop.write(lambda tx: users.change_user(tx, "ann", "ann", password_hash="new", locked=False))
    event = (await shop.events(kind=EventKind.USER_CHANGED))[-1]
    assert event.data == {
        "user": "ann",
        "change": ["locked", "password_hash"],
        "before": {"locked": False},
        "after": {"locked": False},
    }


async def test_defaults_are_empty_until_they_are_set(shop: Shop, ann: User) -> None:
    assert await shop.read(lambda c: users.defaults_of(c, "ann")) == {}
    await shop.write(lambda tx: users.change_user(tx, "ann", "ann", defaults={"gpus": 1}))
    assert await shop.read(lambda c: users.defaults_of(c, "ann")) == {"gpus": 1}
    assert await shop.read(lambda c: users.defaults_of(c, "nobody")) == {}


class TestLinks:
    async def test_a_link_works_once(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_link(tx, "ann", "hash", tx.now + 60))
        assert await shop.read(lambda c: users.has_link(c, "hash", shop.clock()))
        assert await shop.write(lambda tx: users.use_link(tx, "hash")) == users.UsedLink(ann, None)
        assert not await shop.read(lambda c: users.has_link(c, "hash", shop.clock()))
        assert await shop.write(lambda tx: users.use_link(tx, "hash")) is None

    async def test_two_who_click_at_once_do_not_both_get_in(self, shop: Shop, ann: User) -> None:
        import asyncio

        await shop.write(lambda tx: users.add_link(tx, "ann", "hash", tx.now + 60))
        clicks = (shop.write(lambda tx: users.use_link(tx, "hash")) for _ in range(5))
        used = [link.user.name for link in await asyncio.gather(*clicks) if link is not None]
        assert used == ["ann"]

    async def test_an_old_link_does_not_work(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_link(tx, "ann", "hash", tx.now + 60))
        shop.clock.advance(60)
        assert await shop.write(lambda tx: users.use_link(tx, "hash")) is None


class TestSessions:
    async def test_a_session_lasts_until_its_time(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_session(tx, "ann", "hash", "csrf", tx.now + 60))

        async def look() -> users.StoredSession | None:
            return await shop.read(lambda c: users.find_session(c, "hash", shop.clock()))

        assert await look() == users.StoredSession(ann, "csrf", 1_060.0, None)
        shop.clock.advance(59.9)
        assert await look() is not None
        shop.clock.advance(0.1)
        assert await look() is None

    async def test_an_ended_session_is_over(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_session(tx, "ann", "hash", "csrf", tx.now + 60))
        await shop.write(lambda tx: users.end_session(tx, "ann", "hash"))
        assert await shop.read(lambda c: users.find_session(c, "hash", 0.0)) is None


class TestTokens:
    async def test_a_token_without_a_lifetime_lasts(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_token(tx, "ann", "laptop", "hash", None))
        assert await shop.read(lambda c: users.find_token(c, "hash", 1e12)) == users.TokenHolder(ann, None)

    async def test_a_token_with_one_ends_with_it(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_token(tx, "ann", "laptop", "hash", tx.now + 60))
        holder = users.TokenHolder(ann, 1_060.0)
        assert await shop.read(lambda c: users.find_token(c, "hash", 1_059.0)) == holder
        assert await shop.read(lambda c: users.find_token(c, "hash", 1_060.0)) is None

    async def test_only_its_owner_can_end_it(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_user(tx, "bo", Role.MEMBER, password_hash=None))
        token_id = await shop.write(lambda tx: users.add_token(tx, "ann", "laptop", "hash", None))
        assert not await shop.write(lambda tx: users.end_token(tx, "bo", token_id=token_id))
        assert await shop.write(lambda tx: users.end_token(tx, "ann", token_id=token_id))
        assert await shop.read(lambda c: users.find_token(c, "hash", 0.0)) is None

    async def test_its_last_use_is_noted(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_token(tx, "ann", "laptop", "hash", None))
        shop.clock.advance(5)
        await shop.write(lambda tx: users.note_token_used(tx, "hash"))
        (token,) = await shop.read(lambda c: users.list_tokens(c, "ann"))
        assert (token.name, token.created_at, token.last_used_at) == ("laptop", 1_000.0, 1_005.0)


class TestEndingAllAccess:
    @pytest.fixture
    async def ways_in(self, shop: Shop, ann: User) -> None:
        await shop.write(lambda tx: users.add_user(tx, "bo", Role.MEMBER, password_hash=None))
        for name in ("ann", "bo"):
            await shop.write(lambda tx, n=name: users.add_session(tx, n, f"{n}-here", "csrf", 2e3))
            await shop.write(lambda tx, n=name: users.add_session(tx, n, f"{n}-there", "csrf", 2e3))
            await shop.write(lambda tx, n=name: users.add_token(tx, n, "laptop", f"{n}-token", None))
            await shop.write(lambda tx, n=name: users.add_link(tx, n, f"{n}-link", 2e3))

    async def open_ways(self, shop: Shop) -> set[str]:
        from danlu.store.engine import schema

        tables = (schema.sessions, schema.tokens, schema.login_links)
        return await shop.read(
            lambda c: {row.secret_hash for table in tables for row in c.execute(table.select())}
        )

    async def test_every_way_in_is_closed_for_this_user_alone(self, shop: Shop, ways_in: None) -> None:
        await shop.write(lambda tx: users.end_all_access(tx, "ann"))
        assert await self.open_ways(shop) == {"bo-here", "bo-there", "bo-token", "bo-link"}

    async def test_except_the_one_that_is_in_use(self, shop: Shop, ways_in: None) -> None:
        await shop.write(lambda tx: users.end_all_access(tx, "ann", keep="ann-here"))
        assert {way for way in await self.open_ways(shop) if way.startswith("ann")} == {"ann-here"}
