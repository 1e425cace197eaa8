"""The register of names: whatever happens to jobs, a search finds what a look at every row finds."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from danlu.control.event_bus import EventBus
from danlu.control.search import name_index as room
from danlu.control.search.name_index import Matches, Text
from danlu.core.errors import DanluError
from danlu.core.job import JobSummary
from danlu.core.job_id import element_id
from danlu.core.states import AREAS
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.world import World

NAMES = ("train", "TRAIN-2", "eval", "训练", "训", "12", "x y", "Bo's", "a" * 200)
TEXTS = ("train", "TRAIN", "训", "练", "1", "2", "12", "bo", "BO", "nothing", "a", "'", "3[1]", "%", "_", " ")


async def find(world: World, *texts: Text, owner: str | None = None) -> Matches:
    control, owners = world.control, None if owner is None else {owner}
    return await control.name_index.find(texts, owners, control.job_counts.arrays_under_way(owners))


async def all_jobs(world: World, **query: Any) -> list[JobSummary]:
    asked = ListQuery(limit=10_000, **query)
    return (await world.control.database.read(lambda c: list_jobs(c, asked)))[0]


def means(text: Text, job: JobSummary) -> bool:
    folded = text.text.lower()
    return (
        folded in job.name.lower()
        or (text.of_owner and folded in job.owner.lower())
        or text.text.partition("[")[0] == str(job.id)
    )


async def check(world: World) -> None:
    for text in TEXTS:
        for of_owner in (False, True):
            for owner in (None, "bo", "nobody"):
                await check_one(world, [Text(text, of_owner)], owner)
    await check_one(world, [Text("tr", of_owner=False), Text("bo", of_owner=True)], None)
    await check_one(world, [Text("2", of_owner=False), Text("1", of_owner=True)], "bo")
    await check_one(world, [], "bo")


async def check_one(world: World, texts: list[Text], owner: str | None) -> None:
    found = await find(world, *texts, owner=owner)
    jobs = {area: await all_jobs(world, area=area, owner=owner) for area in AREAS}
    fitting = {
        area: [job for job in each if all(means(t, job) for t in texts)] for area, each in jobs.items()
    }
    assert found.exact
    assert found.counts == {area: len(each) for area, each in fitting.items()}, texts
    assert found.ids is not None
    assert sorted(found.ids) == sorted({job.id for each in fitting.values() for job in each}), texts
    # What a list looks for by itself is the same.
    for text in texts[:1] if len(texts) == 1 else []:
        asked = {"search": text.text} if text.of_owner else {"name": text.text}
        assert sorted(job.id for job in await all_jobs(world, owner=owner, **asked)) == sorted(found.ids)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_search_finds_what_a_look_at_every_row_finds(
    world: World, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(room, "BLOCK", 3)
    chance = Random(seed)
    known: list[int] = []
    for _ in range(40):
        await disturb(world, chance, known)
    await world.settle()
    await check(world)
    await world.restart()
    await check(world)


async def disturb(world: World, chance: Random, known: list[int]) -> None:
    admin, name = await world.user("ann"), chance.choice(NAMES)
    job = chance.choice(known) if known else 0
    match chance.choice(
        ["submit", "submit", "array", "edit", "cancel", "delete", "end"] if known else ["submit"]
    ):
        case "submit":
            known.append(await world.submit(chance.choice(["bo", "cy"]), name=name, gpus=1))
        case "array":
            array = await world.submit(name=name, gpus=1, array="0-9")
            known.append(array)
        case "edit":
            await quietly(world.control.jobs.edit(admin, job, JobEdit(set=JobFields(name=name))))
        case "cancel":
            await quietly(world.control.jobs.cancel(admin, job))
        case "delete":
            await quietly(world.control.jobs.delete(admin, job, with_successors=False, running="refuse"))
        case "end":
            for key in [key for key, fact in world.agents.known.items() if fact.end is None][:2]:
                world.agents.ends(key, chance.choice([0, 1]))
            await world.settle()


async def quietly(act: Any) -> None:
    try:
        await act
    except DanluError:
        return


async def test_what_happens_while_the_names_are_read_is_not_missed(world: World) -> None:
    for number in range(6):
        await world.submit(name=f"before {number}", hold=True)
    first = room.NameIndex(world.control.database, EventBus())
    first.start()
    later = await world.submit(name="while it reads")
    await world.control.jobs.edit(await world.user("ann"), 1, JobEdit(set=JobFields(name="renamed")))
    # As the control side does with every commit; some of it has been read already, some of it not.
    first._note(await world.control.database.read(_every_event))
    found = await first.find([Text("while", of_owner=False)], None, ())
    assert found.ids == (later,)
    assert (await first.find([Text("renamed", of_owner=False)], None, ())).ids == (1,)
    assert (await first.find([Text("before 0", of_owner=False)], None, ())).ids == ()


def _every_event(connection: Any) -> Any:
    from danlu.store.events import events_after

    return events_after(connection, 0, 1000)


async def test_very_many_are_counted_up_to_a_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FEW", 3)
    monkeypatch.setattr(room, "MOST_COUNTED", 5)
    monkeypatch.setattr(room, "BLOCK", 2)
    for number in range(8):
        await world.submit(name=f"many {number}", gpus=9, wait_for_hardware=True)
    some = await find(world, Text("many 0", of_owner=False))
    assert (some.exact, some.ids) == (True, (1,))
    many = await find(world, Text("many", of_owner=False))
    assert (many.exact, many.ids) == (False, None)
    assert many.counts["waiting"] > 5
    whole = await find(world, Text("bo", of_owner=True))
    assert (whole.ids, whole.counts["waiting"]) == (None, 6)


async def test_an_array_that_runs_is_counted_in_both_areas(world: World) -> None:
    array = await world.submit(name="sweep", array="0-99", gpus=1)
    await world.starts(element_id(array, 0))
    found = await find(world, Text("sweep", of_owner=False))
    assert found == Matches((array,), {"waiting": 1, "running": 1, "history": 0}, exact=True)
    assert (await find(world, Text("O", of_owner=True))).owners == ("bo",)


async def test_others_get_their_turn_while_a_long_history_is_searched(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "BLOCK", 1)
    monkeypatch.setattr(room, "LONGEST_TURN_S", 0.0)
    for number in range(20):
        await world.submit(name=f"job {number}")
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await find(world, Text("nothing", of_owner=False))
    counting.cancel()
    assert turns >= 20
