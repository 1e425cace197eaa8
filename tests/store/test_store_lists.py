"""Lists: page by page every job once, in the order people expect."""

from __future__ import annotations

import pytest

from danlu.core.job import JobSummary
from danlu.core.states import EndReason, JobState
from danlu.store.engine import schema
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.queue_order import move_job
from tests.store.builders import Shop, a_spec, count_areas

S = JobState


async def pages(shop: Shop, *, limit: int, **query: object) -> list[list[JobSummary]]:
    """All pages of a list, each fetched with the cursor of the one before."""
    found: list[list[JobSummary]] = []
    cursor = None
    while True:
        asked = ListQuery(cursor=cursor, limit=limit, **query)  # type: ignore[arg-type]
        jobs, cursor = await shop.read(lambda c, q=asked: list_jobs(c, q))
        found.append(jobs)
        if cursor is None:
            return found
        assert len(found) < 50, "the list never ends"


async def ids(shop: Shop, **query: object) -> list[int]:
    return [job.id for job in (await pages(shop, limit=1000, **query))[0]]


async def a_busy_day(shop: Shop) -> None:
    """Seventeen jobs in every area, some with the very same end."""
    for number in range(17):
        job = await shop.submit(a_spec(name=f"job {number}"), owner="bo" if number % 4 == 0 else "ann")
        if number % 3 == 0:
            await shop.run_to_end(job, EndReason.EXIT_CODE if number % 2 else EndReason.COMPLETED)
        elif number % 3 == 1:
            await shop.begin(job)
        if number % 5 == 0:
            shop.clock.advance(10)


@pytest.mark.parametrize("area", [None, "waiting", "running", "history"])
@pytest.mark.parametrize("limit", [1, 2, 5, 100])
async def test_over_all_pages_every_job_comes_exactly_once(shop: Shop, area: str | None, limit: int) -> None:
    await a_busy_day(shop)
    whole = await ids(shop, area=area)
    paged = await pages(shop, limit=limit, area=area)
    assert [job.id for page in paged for job in page] == whole
    assert len(set(whole)) == len(whole)
    assert all(len(page) == limit for page in paged[:-1])
    counts = await shop.read(count_areas)
    assert len(whole) == (counts[area] if area else sum(counts.values()) == 17 and 17)


async def test_a_page_that_is_exactly_full_is_the_last_one(shop: Shop) -> None:
    await shop.submit_many(4)
    assert [len(page) for page in await pages(shop, limit=2, area="waiting")] == [2, 2]


async def test_an_empty_list_is_one_empty_page(shop: Shop) -> None:
    assert await pages(shop, limit=5, area="history") == [[]]


class TestOrder:
    async def test_the_waiting_stand_in_the_queue_order(self, shop: Shop) -> None:
        a, b, c = await shop.submit_many(3)
        await shop.write(lambda tx: move_job(tx, c, 1, "root"))
        assert await ids(shop, area="waiting") == [c.id, a.id, b.id]

    async def test_history_begins_with_the_latest_end_not_with_the_latest_job(self, shop: Shop) -> None:
        a, b, c = await shop.submit_many(3)
        for job in (b, c, a):
            shop.clock.advance(10)
            await shop.run_to_end(job)
        assert await ids(shop, area="history") == [a.id, c.id, b.id]

    async def test_running_and_everything_begin_with_the_newest(self, shop: Shop) -> None:
        a, b, c = await shop.submit_many(3)
        await shop.begin(c)
        await shop.begin(a)
        assert await ids(shop, area="running") == [c.id, a.id]
        assert await ids(shop) == [c.id, b.id, a.id]

    async def test_a_cancelled_job_that_never_ran_is_in_history_too(self, shop: Shop) -> None:
        job = await shop.submit()
        await shop.change(job, S.CANCELLED, ended_at=shop.clock())
        assert await ids(shop, area="history") == [job.id]

    async def test_a_deleted_job_is_in_no_list(self, shop: Shop) -> None:
        job = await shop.submit()
        await shop.delete(job)
        assert await ids(shop) == await ids(shop, area="history") == []


class TestFilters:
    async def test_by_owner_and_by_state(self, shop: Shop) -> None:
        await a_busy_day(shop)
        everything = (await pages(shop, limit=100))[0]
        assert await ids(shop, owner="bo") == [job.id for job in everything if job.owner == "bo"]
        failed = [job.id for job in everything if job.state is S.FAILED]
        assert sorted(await ids(shop, area="history", state=S.FAILED)) == sorted(failed)
        assert await ids(shop, area="waiting", state=S.FAILED) == []

    async def test_by_a_part_of_the_name_in_either_case(self, shop: Shop) -> None:
        a = await shop.submit(a_spec(name="ResNet-50"))
        await shop.submit(a_spec(name="lstm"))
        b = await shop.submit(a_spec(name="训练 resnet"))
        assert await ids(shop, name="resnet") == [b.id, a.id]
        assert await ids(shop, name="训练") == [b.id]

    async def test_a_number_finds_the_job_of_that_id_as_well(self, shop: Shop) -> None:
        first = await shop.submit(a_spec(name="x"))
        named = await shop.submit(a_spec(name=f"again {first.id}"))
        assert await ids(shop, name=str(first.id)) == [named.id, first.id]

    @pytest.mark.parametrize("text", ["%", "_", "\\", "'", "9" * 40, "²", "٣"])
    async def test_odd_characters_mean_themselves(self, shop: Shop, text: str) -> None:
        await shop.submit(a_spec(name="plain"))
        odd = await shop.submit(a_spec(name=f"a{text}b"))
        assert await ids(shop, name=text) == [odd.id]

    async def test_counts_follow_the_same_filters(self, shop: Shop) -> None:
        await a_busy_day(shop)
        counts = await shop.read(lambda c: count_areas(c, owner="bo"))
        assert counts == {area: len(await ids(shop, area=area, owner="bo")) for area in counts}


class TestCursors:
    @pytest.mark.parametrize("area", ["waiting", "running", "history", None])
    async def test_jobs_that_arrive_between_two_pages_repeat_and_hide_nobody(
        self, shop: Shop, area: str | None
    ) -> None:
        await a_busy_day(shop)
        before = await ids(shop, area=area)
        first, cursor = await shop.read(lambda c: list_jobs(c, ListQuery(area=area, limit=3)))
        await a_busy_day(shop)
        seen = [job.id for job in first]
        while cursor is not None:
            asked = ListQuery(area=area, limit=3, cursor=cursor)
            page, cursor = await shop.read(lambda c, q=asked: list_jobs(c, q))
            seen += [job.id for job in page]
        assert len(seen) == len(set(seen))
        assert [job_id for job_id in seen if job_id in before] == before

    async def test_a_cursor_survives_the_deletion_of_the_row_it_points_at(self, shop: Shop) -> None:
        a, b, c, d = await shop.submit_many(4)
        _, cursor = await shop.read(lambda conn: list_jobs(conn, ListQuery(area="waiting", limit=2)))
        await shop.delete(b)
        rest, _ = await shop.read(lambda conn: list_jobs(conn, ListQuery(area="waiting", cursor=cursor)))
        assert [job.id for job in rest] == [c.id, d.id]
        assert a.id not in {job.id for job in rest}


async def test_ids_beyond_31_bits_are_paged_like_all_others(shop: Shop) -> None:
    """The last id of all is just below 2^32, and that is more than an INTEGER of PostgreSQL holds."""
    await shop.write(lambda tx: tx.connection.execute(schema.counters.update().values(value=2**31 + 7)))
    jobs = await shop.submit_many(3)
    for job in jobs[:2]:
        await shop.run_to_end(job)
    for area, expected in (("waiting", jobs[2:]), ("history", jobs[1::-1]), (None, jobs[::-1])):
        found, cursor = [], None
        while True:
            query = ListQuery(area=area, cursor=cursor, limit=1)
            page, cursor = await shop.read(lambda c, query=query: list_jobs(c, query))
            found += [row.id for row in page]
            if cursor is None:
                break
        assert found == [job.id for job in expected]
