"""Who waits for whom, and who no longer needs to."""

from __future__ import annotations

from sqlalchemy import Connection

from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.states import EndReason, JobState
from danlu.core.waiting_job import WaitingJob
from danlu.store.jobs.board import read_board
from danlu.store.jobs.dependencies import (
    all_successors_of,
    dependencies_of,
    missing_jobs,
    set_dependencies,
    successors_of,
)
from tests.store.builders import Shop, a_spec, a_verdict, after, after_ok


async def obstacles(shop: Shop, job: Job) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(waits for, failed) of a job in the queue, as the scheduler sees it."""

    def look(connection: Connection) -> WaitingJob:
        return next(each for each in read_board(connection).jobs.queue if each.id == job.id)

    seen = await shop.read(look)
    return seen.waits_for, seen.failed_predecessors


class TestKinds:
    async def test_needing_the_success_of_a_job_includes_needing_its_end(self, shop: Shop) -> None:
        first = await shop.submit()
        both = after(first.id) + after_ok(first.id)
        for dependencies in (both, both[::-1]):
            job = await shop.submit(a_spec(dependencies=dependencies))
            assert await shop.read(lambda c, j=job: dependencies_of(c, j.id)) == after_ok(first.id)

    async def test_setting_them_again_replaces_them(self, shop: Shop) -> None:
        a, b = await shop.submit_many(2)
        job = await shop.submit(a_spec(dependencies=after(a.id)))
        await shop.write(lambda tx: set_dependencies(tx, job.id, after_ok(b.id)))
        assert await shop.read(lambda c: dependencies_of(c, job.id)) == after_ok(b.id)
        await shop.write(lambda tx: set_dependencies(tx, job.id, ()))
        assert await shop.read(lambda c: dependencies_of(c, job.id)) == ()


class TestTheBoard:
    async def test_a_predecessor_that_has_not_ended_is_waited_for(self, shop: Shop) -> None:
        waiting, held, running = await shop.submit(), await shop.submit(held=True), await shop.submit()
        await shop.begin(running)
        ids = waiting.id, held.id, running.id
        job = await shop.submit(a_spec(dependencies=after(*ids)))
        assert await obstacles(shop, job) == (ids, ())

    async def test_after_any_is_content_with_every_end(self, shop: Shop) -> None:
        good, bad, gone = await shop.submit_many(3)
        job = await shop.submit(a_spec(dependencies=after(good.id, bad.id, gone.id)))
        await shop.run_to_end(good)
        await shop.run_to_end(bad, EndReason.EXIT_CODE)
        await shop.change(gone, JobState.CANCELLED, ended_at=1.0)
        assert await obstacles(shop, job) == ((), ())

    async def test_after_success_is_not(self, shop: Shop) -> None:
        good, bad, gone = await shop.submit_many(3)
        job = await shop.submit(a_spec(dependencies=after_ok(good.id, bad.id, gone.id)))
        assert await obstacles(shop, job) == ((good.id, bad.id, gone.id), ())
        await shop.run_to_end(good)
        await shop.run_to_end(bad, EndReason.EXIT_CODE)
        await shop.change(gone, JobState.CANCELLED, ended_at=1.0)
        assert await obstacles(shop, job) == ((), (bad.id, gone.id))

    async def test_a_failed_predecessor_that_goes_back_to_the_queue_is_waited_for_again(
        self, shop: Shop
    ) -> None:
        bad = await shop.submit()
        job = await shop.submit(a_spec(dependencies=after_ok(bad.id)))
        failed = await shop.run_to_end(bad, EndReason.EXIT_CODE)
        await shop.change(failed, JobState.WAITING, ended_at=None)
        assert await obstacles(shop, job) == ((bad.id,), ())

    async def test_it_shows_who_holds_what_and_whose_priority_is_special(self, shop: Shop) -> None:
        from danlu.core.user import Role
        from danlu.store.users import add_user, change_user

        for name in ("ann", "bo"):
            await shop.write(lambda tx, n=name: add_user(tx, n, Role.MEMBER, password_hash=None))
        await shop.write(lambda tx: change_user(tx, "bo", "root", priority=-2.0))
        running = await shop.begin(await shop.submit(owner="bo"), 1, 2)
        assert running is not None
        await shop.run_to_end(await shop.submit())
        held = await shop.submit(held=True)
        board = await shop.read(read_board)
        assert [(each.job_id, each.owner, each.allocation.gpu_ids) for each in board.jobs.holdings] == [
            (running.id, "bo", (1, 2))
        ]
        assert [(each.id, each.held) for each in board.jobs.queue] == [(held.id, True)]
        assert board.rules.priorities == {"bo": -2.0}

    async def test_only_the_current_attempt_of_a_job_holds_anything(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit(), 0)
        assert job is not None
        waiting = await shop.end(job, a_verdict(EndReason.EXIT_CODE, JobState.WAITING))
        assert waiting is not None
        assert (await shop.read(read_board)).jobs.holdings == []
        await shop.begin(waiting, 2)
        (holding,) = (await shop.read(read_board)).jobs.holdings
        assert holding.allocation.gpu_ids == (2,)


class TestDeletedPredecessors:
    async def test_nobody_waits_for_a_deleted_job_and_each_successor_is_told(self, shop: Shop) -> None:
        first = await shop.submit()
        any_end = await shop.submit(a_spec(dependencies=after(first.id)))
        success = await shop.submit(a_spec(dependencies=after_ok(first.id)))
        await shop.delete(first)
        for job in (any_end, success):
            assert await obstacles(shop, job) == ((), ())
            (told,) = await shop.events(job.id, EventKind.DEPENDENCY_DROPPED)
            assert told.data == {"predecessor": first.id}

    async def test_a_failed_job_that_is_deleted_blocks_no_more(self, shop: Shop) -> None:
        bad = await shop.submit()
        job = await shop.submit(a_spec(dependencies=after_ok(bad.id)))
        failed = await shop.run_to_end(bad, EndReason.EXIT_CODE)
        assert await obstacles(shop, job) == ((), (bad.id,))
        await shop.delete(failed)
        assert await obstacles(shop, job) == ((), ())

    async def test_a_deleted_job_is_missing_like_one_that_never_was(self, shop: Shop) -> None:
        here, gone = await shop.submit_many(2)
        await shop.delete(gone)
        assert await shop.read(lambda c: missing_jobs(c, [here.id, gone.id, 99])) == [gone.id, 99]
        assert await shop.read(lambda c: missing_jobs(c, [])) == []


class TestSuccessors:
    async def test_direct_ones_and_all_the_way_down(self, shop: Shop) -> None:
        #      1 ─► 2 ─► 4 ─► 5
        #      └──► 3 ──┘         6 alone
        one = await shop.submit()
        two = await shop.submit(a_spec(dependencies=after(one.id)))
        three = await shop.submit(a_spec(dependencies=after_ok(one.id)))
        four = await shop.submit(a_spec(dependencies=after(two.id, three.id)))
        five = await shop.submit(a_spec(dependencies=after(four.id)))
        await shop.submit()
        assert await shop.read(lambda c: successors_of(c, [one.id])) == [two.id, three.id]
        assert await shop.read(lambda c: all_successors_of(c, one.id)) == [two.id, three.id, four.id, five.id]
        assert await shop.read(lambda c: all_successors_of(c, five.id)) == []

    async def test_even_a_circle_comes_to_an_end(self, shop: Shop) -> None:
        a, b = await shop.submit_many(2)
        await shop.write(lambda tx: set_dependencies(tx, a.id, after(b.id)))
        await shop.write(lambda tx: set_dependencies(tx, b.id, after(a.id)))
        assert await shop.read(lambda c: all_successors_of(c, a.id)) == [b.id]

    async def test_a_chain_of_many_is_followed_to_its_end(self, shop: Shop) -> None:
        previous = await shop.submit()
        first = previous
        for _ in range(30):
            previous = await shop.submit(a_spec(dependencies=after(previous.id)))
        assert len(await shop.read(lambda c: all_successors_of(c, first.id))) == 30
