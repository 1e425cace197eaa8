"""Locks and keys as they are stored, in both databases."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from danlu.core.locks import Lock
from danlu.core.states import EndReason
from danlu.store import locks as store
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.locks import Full
from tests.store.builders import HandClock, Shop, a_verdict


async def take(shop: Shop, holder: str, name: str = "ckpt", owner: str = "ann", **more: Any) -> Lock:
    return await shop.write(lambda tx: store.take_lock(tx, owner, name, holder, **more))


async def release(shop: Shop, fence: int | None, name: str = "ckpt", owner: str = "ann") -> bool:
    return await shop.write(lambda tx: store.release_lock(tx, owner, name, fence))


async def held(shop: Shop, clock: HandClock, owner: str | None = "ann") -> list[tuple[str, str]]:
    locks = await shop.read(lambda c: store.list_locks(c, clock(), owner))
    return [(lock.name, lock.holder) for lock in locks]


async def test_only_one_holds_it_and_numbers_grow(shop: Shop) -> None:
    first = await take(shop, "a")
    assert (await take(shop, "b")).holder == "a"
    assert await take(shop, "a") == first
    assert await release(shop, first.fence)
    second = await take(shop, "b")
    assert (second.holder, second.fence > first.fence) == ("b", True)


async def test_an_old_number_releases_nothing(shop: Shop) -> None:
    first = await take(shop, "a")
    await release(shop, first.fence)
    await take(shop, "b")
    assert not await release(shop, first.fence)
    assert (await take(shop, "c")).holder == "b"
    assert await release(shop, None)


async def test_everybody_has_locks_of_their_own(shop: Shop, clock: HandClock) -> None:
    await take(shop, "a")
    assert (await take(shop, "b", owner="bo")).holder == "b"
    assert await held(shop, clock, None) == [("ckpt", "a"), ("ckpt", "b")]


async def test_one_with_a_lifetime_is_free_after_it_unless_renewed(shop: Shop, clock: HandClock) -> None:
    first = await take(shop, "a", lifetime_s=10.0)
    clock.advance(9.0)
    renewed = await shop.write(lambda tx: store.renew_lock(tx, "ann", "ckpt", first.fence, 10.0))
    assert renewed is not None
    clock.advance(9.0)
    assert (await take(shop, "b")).holder == "a"
    clock.advance(1.0)
    assert await held(shop, clock) == []
    assert (await take(shop, "b")).holder == "b"
    late = await shop.write(lambda tx: store.renew_lock(tx, "ann", "ckpt", first.fence, 10.0))
    assert late is None


async def test_one_of_a_job_lasts_as_long_as_its_attempt(shop: Shop, clock: HandClock) -> None:
    job = await shop.begin(await shop.submit())
    assert job is not None
    first = await take(shop, "a", job=(job.id, job.attempt))
    clock.advance(10**6)
    assert (await take(shop, "b")) == first
    assert (await take(shop, "c", name="other", job=(job.id, job.attempt + 1))).holder == "c"
    assert await held(shop, clock) == [("ckpt", "a")]
    await shop.end(job, a_verdict(EndReason.EXIT_CODE))
    assert await held(shop, clock) == []
    second = await take(shop, "b")
    assert (second.holder, second.fence > first.fence) == ("b", True)


async def test_there_is_an_end_to_how_many(shop: Shop, clock: HandClock) -> None:
    rows = [
        {
            "owner": "ann",
            "name": f"lock {number}",
            "fence": number,
            "holder": "a",
            "taken_at": 0.0,
            "expires_at": 2000.0 if number % 2 else None,
        }
        for number in range(1, store.MOST_LOCKS + 1)
    ]
    await shop.write(lambda tx: tx.connection.execute(insert(schema.locks), rows))
    with pytest.raises(Full):
        await take(shop, "a")
    clock.now = 2000.0
    assert (await take(shop, "a")).holder == "a"


async def test_keys_have_revisions_that_never_come_back(shop: Shop) -> None:
    async def put(value: str, owner: str = "ann") -> int:
        entry = await shop.write(lambda tx: store.put_entry(tx, owner, "best", value))
        return entry.revision

    first, second = await put("1"), await put("2")
    await shop.write(lambda tx: store.delete_entry(tx, "ann", "best"))
    assert first < second < await put("3")
    await put("theirs", owner="bo")
    entry = await shop.read(lambda c: store.get_entry(c, "ann", "best"))
    assert entry is not None
    assert entry.value == "3"


async def test_keys_are_listed_in_order_by_what_they_begin_with(shop: Shop) -> None:
    def write(tx: Transaction) -> None:
        for key in ("run/2", "run/10", "Run", "最好", "run_x"):
            store.put_entry(tx, "ann", key, "x")

    await shop.write(write)
    for prefix, keys in {
        "": ["Run", "run/10", "run/2", "run_x", "最好"],
        "run/": ["run/10", "run/2"],
    }.items():
        found = await shop.read(lambda c, p=prefix: store.list_entries(c, "ann", p))
        assert [entry.key for entry in found] == keys


async def test_there_is_an_end_to_how_many_keys(shop: Shop) -> None:
    rows = [
        {"owner": "ann", "key": f"key {n}", "value": "", "revision": n, "changed_at": 0.0}
        for n in range(store.MOST_KEYS)
    ]
    await shop.write(lambda tx: tx.connection.execute(insert(schema.key_values), rows))
    await shop.write(lambda tx: store.put_entry(tx, "ann", "key 7", "changed"))
    with pytest.raises(Full):
        await shop.write(lambda tx: store.put_entry(tx, "ann", "one more", ""))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.sampled_from("abc"), st.none() | st.sampled_from([5.0, 20.0])),
        st.tuples(st.just("release"), st.sampled_from("abc"), st.none()),
        st.tuples(st.just("renew"), st.sampled_from("abc"), st.just(20.0)),
        st.tuples(st.just("wait"), st.none(), st.sampled_from([1.0, 5.0, 30.0])),
    ),
    max_size=30,
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(STEPS)
async def test_never_do_two_hold_it_and_every_grant_has_a_larger_number(
    shop: Shop, clock: HandClock, steps: list[tuple[str, str | None, float | None]]
) -> None:
    """Against the simplest model there is: who has it, until when."""
    await release(shop, None)
    grants: dict[str, int] = {}
    holder, until, last = None, 0.0, 0
    for step, who, seconds in steps:
        free = holder is None or clock() >= until
        if step == "wait":
            clock.advance(seconds or 0.0)
        elif step == "take":
            lock = await take(shop, str(who), lifetime_s=seconds)
            if free:
                assert lock.holder == who
                assert lock.fence > last
                holder, last = who, lock.fence
                until = float("inf") if seconds is None else clock() + seconds
                grants[str(who)] = lock.fence
            else:
                assert (lock.holder, lock.fence) == (holder, last)
        elif step == "release":
            mine = not free and holder == who
            assert await release(shop, grants.get(str(who), 10**9)) == mine
            if mine or (free and grants.get(str(who)) == last):
                holder = None
        else:
            fence = grants.get(str(who), 10**9)
            lock_or_none = await shop.write(lambda tx, f=fence: store.renew_lock(tx, "ann", "ckpt", f, 20.0))
            assert (lock_or_none is not None) == (not free and fence == last)
            if lock_or_none is not None and until != float("inf"):
                until = clock() + 20.0
