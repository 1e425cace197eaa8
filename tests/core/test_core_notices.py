"""Who is shown which notice, and until when."""

from __future__ import annotations

from typing import Any

from danlu.core.events import Event, EventKind, shown_to
from danlu.core.notices.notice import Notice, NoticeContent, NoticeLevel, next_change_of, notices_for
from danlu.core.user import Role, User

ANN = User("ann", Role.ADMIN, 0.0)
BO = User("bo", Role.MEMBER, 0.0)


def a_notice(notice_id: int = 1, **said: Any) -> Notice:
    content: dict[str, Any] = {
        "text_en": "text",
        "text_zh": "",
        "level": NoticeLevel.INFO,
        "begins_at": 100.0,
        "ends_at": None,
        "roles": (),
        "public": False,
    }
    return Notice(
        id=notice_id, content=NoticeContent(**{**content, **said}), created_by="ann", created_at=0.0
    )


def test_a_notice_is_shown_from_its_begin_until_its_end():
    notice = a_notice(ends_at=200.0)
    shown = [now for now in (99.0, 100.0, 199.0, 200.0) if notices_for(BO, [notice], now)]
    assert shown == [100.0, 199.0]
    changes = [next_change_of(BO, [notice], now) for now in (99.0, 100.0, 200.0)]
    assert changes == [100.0, 200.0, None]


def test_a_notice_for_some_roles_is_not_shown_to_others_nor_before_the_sign_in():
    for_admins, for_all = a_notice(1, roles=(Role.ADMIN,)), a_notice(2, public=True)
    everything = [for_admins, for_all]
    assert [each.id for each in notices_for(ANN, everything, 100.0)] == [2, 1]
    assert [each.id for each in notices_for(BO, everything, 100.0)] == [2]
    assert [each.id for each in notices_for(None, [*everything, a_notice(3)], 100.0)] == [2]
    assert next_change_of(BO, [for_admins], 0.0) is None


def test_the_gravest_comes_first_then_the_latest():
    levels = [NoticeLevel.INFO, NoticeLevel.URGENT, NoticeLevel.WARNING, NoticeLevel.URGENT]
    notices = [a_notice(number, level=level) for number, level in enumerate(levels, 1)]
    assert [each.id for each in notices_for(BO, notices, 100.0)] == [4, 2, 3, 1]


def test_only_admins_are_told_the_words_of_a_notice_by_its_event():
    event = Event(
        1, 0.0, EventKind.NOTICE_CHANGED, actor="ann", data={"notice": 7, "after": {"text_en": "for admins"}}
    )
    assert shown_to(ANN, event) == event
    told = shown_to(BO, event)
    assert told is not None
    assert (told.data, told.actor) == ({"notice": 7}, None)


def test_who_dismissed_a_notice_is_told_to_that_user_alone():
    event = Event(1, 0.0, EventKind.NOTICE_DISMISSED, actor="bo", data={"notice": 7})
    assert shown_to(BO, event) == event
    assert shown_to(ANN, event) is None
