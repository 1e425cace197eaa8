"""Notices: who may post them, who sees them, and what a dismissal is good for."""

from __future__ import annotations

import pytest

from danlu.core.errors import Conflict, Forbidden, Invalid, NotFound
from danlu.core.events import EventKind
from danlu.store.events import latest_of_kind
from danlu.wire.notices.notice import NoticeFields
from tests.control.world import World


async def seen_by(world: World, name: str | None) -> list[int]:
    user = None if name is None else await world.user(name)
    return [notice.id for notice in (await world.control.notice_board.shown_to(user)).notices]


async def post(world: World, **said: object) -> int:
    fields = NoticeFields(**{"text_en": "Hello", **said})  # type: ignore[arg-type]
    return (await world.control.notice_board.post(await world.user("ann"), fields)).id


async def test_only_admins_post_change_remove_and_list_all(world: World) -> None:
    board, bo, fields = world.control.notice_board, await world.user("bo"), NoticeFields(text_en="Hello")
    notice = await post(world)
    for act in (board.post(bo, fields), board.edit(bo, notice, fields), board.remove(bo, notice)):
        with pytest.raises(Forbidden):
            await act
    with pytest.raises(Forbidden):
        await board.list_all(bo)
    assert await seen_by(world, "bo") == [notice]


async def test_a_planned_notice_comes_and_goes_by_the_clock(world: World) -> None:
    now = world.clock()
    notice = await post(world, begins_at=now + 10, ends_at=now + 30)
    board, bo = world.control.notice_board, await world.user("bo")
    assert ((await board.shown_to(bo)).changes_in_s, await seen_by(world, "bo")) == (10.0, [])
    world.clock.now += 10
    assert ((await board.shown_to(bo)).changes_in_s, await seen_by(world, "bo")) == (20.0, [notice])
    world.clock.now += 20
    assert ((await board.shown_to(bo)).changes_in_s, await seen_by(world, "bo")) == (None, [])


async def test_a_dismissal_is_one_users_own_and_lasts_until_the_words_change(world: World) -> None:
    board, ann, bo = world.control.notice_board, await world.user("ann"), await world.user("bo")
    notice = await post(world)
    await board.dismiss(bo, notice)
    await board.dismiss(bo, notice)
    assert (await seen_by(world, "bo"), await seen_by(world, "cy")) == ([], [notice])
    await board.edit(ann, notice, NoticeFields(text_en="Hello", ends_at=world.clock() + 99))
    assert await seen_by(world, "bo") == [], "when it ends is no news for one who has read it"
    await board.edit(ann, notice, NoticeFields(text_en="Something else"))
    assert await seen_by(world, "bo") == [notice]
    await board.remove(ann, notice)
    with pytest.raises(NotFound):
        await board.dismiss(bo, notice)


async def test_a_notice_for_others_is_as_good_as_none(world: World) -> None:
    notice = await post(world, roles=["admin"])
    assert (await seen_by(world, "bo"), await seen_by(world, "ann")) == ([], [notice])
    with pytest.raises(NotFound):
        await world.control.notice_board.dismiss(await world.user("bo"), notice)


async def test_who_has_not_signed_in_sees_public_ones_alone(world: World) -> None:
    await post(world)
    public = await post(world, public=True)
    assert await seen_by(world, None) == [public]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"text_en": " ", "text_zh": ""}, "notice_without_text"),
        ({"begins_at": 200.0, "ends_at": 200.0}, "notice_ends_before"),
        ({"public": True, "roles": ["admin"]}, "public_notice_for_some"),
    ],
)
async def test_senseless_notices_are_refused(world: World, said: dict[str, object], code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        await post(world, **said)
    assert refusal.value.code == code


async def test_there_is_a_most_of_notices(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("danlu.control.notices.notice_board.MOST_NOTICES", 1)
    await post(world)
    with pytest.raises(Conflict):
        await post(world)


async def test_every_change_is_told_with_its_actor_and_what_was_before(world: World) -> None:
    ann = await world.user("ann")
    notice = await post(world)
    await world.control.notice_board.edit(ann, notice, NoticeFields(text_en="Hello", level="urgent"))
    await world.control.notice_board.remove(ann, notice)
    read = world.control.database.read
    events = await read(lambda connection: latest_of_kind(connection, EventKind.NOTICE_CHANGED, 9))
    levels = [[each and each["level"] for each in (e.data["before"], e.data["after"])] for e in events]
    assert levels == [["urgent", None], ["info", "urgent"], [None, "info"]]
    assert {event.actor for event in events} == {"ann"}
