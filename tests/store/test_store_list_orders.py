"""Every order of a list: walking all pages by cursor gives exactly the sorted whole, on both databases."""

from __future__ import annotations

import random
from typing import Any

import pytest

from danlu.core.errors import Invalid
from danlu.core.job import JobSummary
from danlu.core.states import ACTIVE, AREAS, ENDED, IN_QUEUE, EndReason, JobState
from danlu.store.engine import schema
from danlu.store.engine.records import spec_columns
from danlu.store.jobs.job_lists import ListQuery, ascii_folded, list_jobs
from tests.store.builders import Shop, a_spec

SORTS = (None, "newest", "oldest", "longest", "name", "owner")
AREA_NAMES = (None, *AREAS)
NAMES = ("train", "Train", "TRAIN-2", "eval_1", "eval1", "训练", "训", "Éclair", "éclair", "a b", "%", "_x")
OWNERS = ("bo", "Bo", "ann", "b_o", "李", "zoe")
FAR = 1e12


def a_row(number: int, chance: random.Random) -> dict[str, Any]:
    """A job of any state; times are few, so that many are equal."""
    state = chance.choice([*IN_QUEUE, *ACTIVE, *ENDED, JobState.DELETED])
    started = chance.choice([None, 10.0, 20.5, 20.5, 30.25])
    ended = chance.choice([31.0, 40.75, 40.75, 1e9 + 1 / 3]) if state in ENDED else None
    if state in ACTIVE and started is None:
        started = 15.0
    return {
        "id": number,
        "owner": chance.choice(OWNERS),
        "state": state.value,
        "version": 1,
        "position": float(chance.choice([1, 1, 2, number])),
        "submitted_at": chance.choice([1.0, 2.0, 3.0]),
        "attempt": 1,
        "started_at": started,
        "ended_at": ended,
        "end_reason": chance.choice([EndReason.EXIT_CODE, EndReason.COMPLETED]).value if ended else None,
        **spec_columns(a_spec(name=chance.choice(NAMES), urgent=chance.random() < 0.3)),
    }


async def fill(shop: Shop, seed: int, number: int = 32) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    rows = [a_row(each, chance) for each in range(1, number + 1)]
    await shop.write(lambda tx: tx.connection.execute(schema.jobs.insert(), rows))
    return rows


def truth(rows: list[dict[str, Any]], area: str | None, sort: str | None) -> list[int]:
    """The ids of a list, sorted in the plainest way."""
    shown = [row for row in rows if row["state"] != "deleted"]
    if area is not None:
        shown = [row for row in shown if row["state"] in AREAS[area]]

    def usual(row: dict[str, Any]) -> tuple[float, ...]:
        if area == "waiting":
            return not row["urgent"], row["position"], row["id"]
        if area == "history":
            return -row["ended_at"], -row["id"]
        return (-row["id"],)

    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        match sort:
            case None:
                return usual(row)
            case "newest":
                return (-row["id"],)
            case "oldest":
                return (row["id"],)
            case "longest":
                if area == "waiting":
                    return row["submitted_at"], row["id"]
                return -length(row), -row["id"]
        text = ascii_folded(row["name"]) if sort == "name" else row["owner"]
        return text, *((-(row["ended_at"] or FAR), -row["id"]) if area is None else usual(row))

    return [row["id"] for row in sorted(shown, key=key)]


def length(row: dict[str, Any]) -> float:
    """What runs goes before all that has ended; what waits has not run."""
    if row["state"] in ACTIVE:
        return FAR - row["started_at"]
    return row["ended_at"] - (row["started_at"] or row["ended_at"]) if row["state"] in ENDED else 0.0


async def walk(shop: Shop, limit: int, **asked: Any) -> list[JobSummary]:
    found: list[JobSummary] = []
    cursor = None
    while True:
        query = ListQuery(cursor=cursor, limit=limit, **asked)
        page, cursor = await shop.read(lambda c, query=query: list_jobs(c, query))
        found += page
        if cursor is None:
            return found
        assert len(page) == limit
        assert len(found) < 200, "the list never ends"


@pytest.mark.parametrize("seed", [1, 2])
async def test_all_pages_together_are_the_sorted_whole(shop: Shop, seed: int) -> None:
    rows = await fill(shop, seed)
    for area in AREA_NAMES:
        for sort in SORTS:
            for limit in (2, 7, 100):
                found = [job.id for job in await walk(shop, limit, area=area, sort=sort)]
                assert found == truth(rows, area, sort), (area, sort, limit)


@pytest.mark.parametrize("sort", SORTS)
async def test_filters_leave_the_order_as_it_is(shop: Shop, sort: str | None) -> None:
    rows = await fill(shop, 3)
    filters: dict[str, tuple[dict[str, Any], Any]] = {
        "owner": ({"owner": "Bo"}, lambda row: row["owner"] == "Bo"),
        "state": ({"state": JobState.FAILED}, lambda row: row["state"] == "failed"),
        "end": ({"end_reason": EndReason.EXIT_CODE}, lambda row: row["end_reason"] == "exit_code"),
        "name": ({"name": "TRAIN"}, lambda row: "train" in row["name"].lower()),
        "search": (
            {"search": "B"},
            lambda row: "b" in ascii_folded(row["name"]) or "b" in ascii_folded(row["owner"]),
        ),
        "owners": (
            {"search": "B", "owners": [owner for owner in OWNERS if "b" in owner.lower()]},
            lambda row: "b" in ascii_folded(row["name"]) or "b" in ascii_folded(row["owner"]),
        ),
        "no owner": ({"search": "tr", "owners": []}, lambda row: "tr" in ascii_folded(row["name"])),
        "ids": ({"ids": tuple(range(1, 33, 3))}, lambda row: row["id"] % 3 == 1),
        "two": (
            {"owner": "bo", "search": "训"},
            lambda row: row["owner"] == "bo" and "训" in row["name"],
        ),
    }
    for area in AREA_NAMES:
        for name, (asked, fits) in filters.items():
            if name == "state" and area is None and sort in (None, "name", "owner", "longest"):
                continue  # of ended jobs alone, the order among those is the history's
            found = [job.id for job in await walk(shop, 4, area=area, sort=sort, **asked)]
            kept = [row for row in rows if fits(row)]
            assert found == truth(kept, area, sort), (area, name)


@pytest.mark.parametrize("area", AREA_NAMES)
@pytest.mark.parametrize("sort", SORTS)
async def test_the_cursor_of_another_order_is_refused_or_harmless(
    shop: Shop, area: str | None, sort: str | None
) -> None:
    await fill(shop, 4)
    for cursor in ((), (1,), ("x",), (1.5, 2), ("x", 1.0, 2), (1.0, "x", 2), ("x", "y", "z"), (1, 2, 3, 4)):
        query = ListQuery(area=area, sort=sort, cursor=cursor)
        refusals = []
        try:
            await shop.read(lambda c, query=query: list_jobs(c, query))
        except Invalid as refusal:
            refusals.append((refusal.code, refusal.field))
        assert refusals in ([], [("bad_cursor", "cursor")])
        assert refusals or len(cursor) in (1, 2, 3)


async def test_jobs_that_end_between_two_pages_are_neither_lost_nor_repeated(shop: Shop) -> None:
    jobs = [await shop.submit(a_spec(name=f"job {n % 3}")) for n in range(9)]
    for job in jobs[:6]:
        await shop.run_to_end(job)
        shop.clock.advance(1)
    query = ListQuery(area="history", sort="name", limit=2)
    first, cursor = await shop.read(lambda c: list_jobs(c, query))
    await shop.run_to_end(jobs[6])
    seen = [job.id for job in first]
    while cursor is not None:
        again = ListQuery(area="history", sort="name", limit=2, cursor=cursor)
        page, cursor = await shop.read(lambda c, again=again: list_jobs(c, again))
        seen += [job.id for job in page]
    assert len(seen) == len(set(seen))
    assert {job.id for job in jobs[:6]} <= set(seen)
