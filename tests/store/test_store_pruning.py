"""Old events go, a piece at a time; what a client still needs of them stays."""

from __future__ import annotations

from functools import partial

import pytest

from danlu.core.events import EventKind
from danlu.core.user import Role
from danlu.store import pruning
from danlu.store import users as store
from danlu.store.events import events_after
from danlu.store.pruning import events_known, prune_access, prune_events
from danlu.store.settings import change_scheduling
from tests.store.builders import Shop

DAY_S = 86_400.0


async def prune(shop: Shop, before: float) -> int:
    """All pieces; how many there were."""
    place, number = await shop.write(partial(prune_events, before=before, after_id=0)), 1
    while place is not None:
        place, number = await shop.write(partial(prune_events, before=before, after_id=place)), number + 1
    return number


async def happen(shop: Shop) -> None:
    """Something that concerns no job."""
    for paused in (True, False):
        await shop.write(lambda tx, paused=paused: change_scheduling(tx, "ann", paused=paused))


async def told_of(shop: Shop) -> set[int | None]:
    return {event.job_id for event in await shop.events()}


class TestEvents:
    async def test_those_of_jobs_that_ended_long_ago_go_and_others_stay(self, shop: Shop) -> None:
        old, waiting, deleted, running = await shop.submit_many(4)
        await shop.run_to_end(old)
        await shop.delete(deleted)
        await happen(shop)
        begun = await shop.begin(running)
        assert begun is not None
        shop.clock.advance(100 * DAY_S)
        recent = await shop.submit()
        await shop.run_to_end(recent)
        await prune(shop, shop.clock() - DAY_S)
        assert await told_of(shop) == {waiting.id, running.id, recent.id}

    async def test_a_job_that_ran_for_long_keeps_its_beginning(self, shop: Shop) -> None:
        job = await shop.submit()
        begun = await shop.begin(job)
        assert begun is not None
        shop.clock.advance(100 * DAY_S)
        started = await shop.started(begun)
        assert started is not None
        await shop.run_to_end(await shop.submit())
        kinds = [event.kind for event in await shop.events(job.id)]
        await prune(shop, shop.clock() - DAY_S)
        assert [event.kind for event in await shop.events(job.id)] == kinds
        assert kinds[0] is EventKind.SUBMITTED

    async def test_numbers_go_on_from_the_newest_which_always_stays(self, shop: Shop) -> None:
        await happen(shop)
        newest = (await shop.events())[-1].id
        await prune(shop, float("inf"))
        assert [event.id for event in await shop.events()] == [newest]
        await happen(shop)
        assert (await shop.events())[-1].id == newest + 2

    async def test_they_go_in_pieces(self, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pruning, "PIECE", 3)
        kept = await shop.submit()
        for _ in range(5):
            await happen(shop)
        assert await prune(shop, float("inf")) > 3
        assert [event.job_id for event in await shop.events()] == [kept.id, None]

    async def test_it_is_known_up_to_which_some_are_gone(self, shop: Shop) -> None:
        assert await shop.read(events_known) == (0, 0)
        await shop.submit()
        await happen(shop)
        newest = (await shop.events())[-1].id
        assert await shop.read(events_known) == (newest, 0)
        await prune(shop, float("inf"))
        assert await shop.read(events_known) == (newest, newest - 1)
        shop.clock.advance(1)
        await happen(shop)
        await prune(shop, shop.clock())
        assert await shop.read(events_known) == (newest + 2, newest)
        behind = await shop.read(lambda c: events_after(c, newest, 10))
        assert [event.id for event in behind] == [newest + 1, newest + 2]


async def test_proofs_that_are_over_go_too(shop: Shop) -> None:
    def furnish(tx) -> None:
        store.add_user(tx, "ann", Role.MEMBER, password_hash=None)
        for name, expires_at in (("old", tx.now + 1), ("kept", None), ("recent", tx.now + 50 * DAY_S)):
            store.add_token(tx, "ann", name, name, expires_at)
        store.add_session(tx, "ann", "s", "c", tx.now + 1)
        store.add_link(tx, "ann", "l", tx.now + 1)

    await shop.write(furnish)
    shop.clock.advance(100 * DAY_S)
    await shop.write(lambda tx: prune_access(tx, tx.now - 90 * DAY_S))
    assert [each.name for each in await shop.read(lambda c: store.list_tokens(c, "ann"))] == [
        "kept",
        "recent",
    ]
