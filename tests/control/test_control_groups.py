"""Groups: who makes them, who leads them, and that memory agrees with the store."""

from __future__ import annotations

import pytest

from danlu.control.jobs.bulk_actions import query_of
from danlu.core.errors import Conflict, DanluError, Forbidden, NotFound
from danlu.core.events import EventKind
from danlu.core.user import Role
from danlu.store.events import events_after
from danlu.wire.bulk_actions import JobFilter
from danlu.wire.people.groups import GroupEdit, NewGroup
from tests.control.world import World


async def refusal(attempt: object) -> str:
    with pytest.raises(DanluError) as caught:
        await attempt  # type: ignore[misc]
    return caught.value.code


def picture(world: World) -> dict[str, tuple[str | None, set[str]]]:
    book = world.control.group_book
    return {name: (book.group_of(name), set(book.mentors_of(name))) for name in ("ann", "bo", "cy")}


async def test_what_memory_knows_is_what_a_restarted_server_reads(world: World) -> None:
    ann, groups = await world.user("ann"), world.control.groups
    await world.lead("cy", "bo", group="vision")
    await groups.create(ann, NewGroup(name="speech", mentors=["ann"], members=["ann"]))
    assert picture(world)["bo"] == ("vision", {"cy"})
    await groups.edit(ann, "speech", GroupEdit(add_members=["bo"], mentors=["ann", "cy"]))
    assert picture(world)["bo"] == ("speech", {"ann", "cy"})
    await groups.edit(ann, "speech", GroupEdit(remove_members=["ann"]))
    await groups.remove(ann, "vision")
    seen = picture(world)
    assert seen == {"ann": (None, set()), "bo": ("speech", {"ann", "cy"}), "cy": (None, set())}
    await world.restart()
    assert picture(world) == seen
    await world.control.groups.remove(ann, "speech")
    assert picture(world)["bo"] == (None, set())
    assert (await world.user("bo")).group is None


async def test_who_is_made_a_member_again_leads_nobody(world: World) -> None:
    await world.lead("cy", "bo")
    await world.change_user("cy", role=Role.MEMBER.value)
    assert world.control.group_book.led_by(await world.user("cy")) == frozenset()


async def test_only_mentors_and_administrators_lead(world: World) -> None:
    ann, groups = await world.user("ann"), world.control.groups
    assert await refusal(groups.create(ann, NewGroup(name="g", mentors=["bo"]))) == "not_a_mentor"
    assert await refusal(groups.create(ann, NewGroup(name="g", mentors=["no"]))) == "no_such_user"
    assert await refusal(groups.create(ann, NewGroup(name="g", members=["no"]))) == "no_such_user"
    assert await groups.list(ann) == [], "nothing of what was refused is there"


async def test_groups_are_made_and_changed_by_administrators(world: World) -> None:
    await world.lead("cy", "bo")
    groups, ann = world.control.groups, await world.user("ann")
    for name in ("bo", "cy"):
        user = await world.user(name)
        for attempt in (
            groups.create(user, NewGroup(name="own")),
            groups.edit(user, "lab", GroupEdit(add_members=[name])),
            groups.remove(user, "lab"),
        ):
            with pytest.raises(Forbidden):
                await attempt
    with pytest.raises(Conflict):
        await groups.create(ann, NewGroup(name="lab"))
    with pytest.raises(NotFound):
        await groups.remove(ann, "none")
    assert await refusal(groups.edit(ann, "lab", GroupEdit(remove_members=["cy"]))) == "not_in_group"


async def test_a_list_can_be_of_one_group(world: World) -> None:
    await world.schedule(paused=True)
    await world.lead("cy", "bo")
    theirs, others = await world.submit("bo"), await world.submit("cy")
    await world.add_user("di")
    book = world.control.group_book

    async def listed(user: str, **wanted: str) -> tuple[list[int], int]:
        query = query_of(await world.user(user), JobFilter(**wanted), book)  # type: ignore[arg-type]
        jobs, _, found = await world.control.job_lookup.page(query)
        return [job.id for job in jobs], found.counts["waiting"]

    for user in ("ann", "bo", "cy"):
        assert await listed(user, group="lab") == ([theirs], 1)
        assert await listed(user, group="lab", search="train") == ([theirs], 1)
        assert await listed(user, group="lab", owner="cy") == ([], 0)
    assert await listed("di") == ([others, theirs], 2)
    assert await refusal(listed("di", group="lab")) == "not_your_group"
    assert await refusal(listed("di", group="none")) == "not_your_group", "nor whether there is one"


async def test_a_mentor_holds_all_of_the_group_at_once_and_deletes_none(world: World) -> None:
    await world.schedule(paused=True)
    await world.lead("cy", "bo")
    await world.submit("bo")
    await world.submit("ann")
    actions, cy = world.control.bulk_actions, await world.user("cy")
    everything = JobFilter()
    assert [job.owner for job in (await actions.match(cy, everything, "hold")).theirs] == ["bo"]
    assert (await actions.match(cy, everything, "delete")).theirs == ()
    assert (await actions.match(cy, everything, "resubmit")).theirs == ()


async def test_every_change_says_who_did_it_and_what_was_before(world: World) -> None:
    ann = await world.user("ann")
    await world.lead("cy", "bo")
    await world.control.groups.edit(ann, "lab", GroupEdit(description="vision"))
    await world.control.groups.remove(ann, "lab")
    events = await world.control.database.read(lambda c: events_after(c, 0, 1000))
    told = [event for event in events if event.kind is EventKind.GROUP_CHANGED]
    assert [(event.actor, event.data["change"]) for event in told] == [
        ("ann", "added"),
        ("ann", "changed"),
        ("ann", "removed"),
    ]
    assert told[1].data["before"] == {"description": "", "mentors": ["cy"]}
    assert told[1].data["after"] == {"description": "vision", "mentors": ["cy"]}
    joined = [event.data for event in events if event.data.get("change") == ["group_name"]]
    assert [(data["user"], data["before"], data["after"]) for data in joined] == [
        ("bo", {"group_name": None}, {"group_name": "lab"})
    ]
