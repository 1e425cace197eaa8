"""Notices as the wire shows them."""

from __future__ import annotations

from danlu.control.notices.notice_board import ShownNotices
from danlu.core.notices.notice import Notice
from danlu.wire.notices.notice import NoticeRow, PostedNotice, ShownNoticeRows


def show_notices(shown: ShownNotices) -> ShownNoticeRows:
    return ShownNoticeRows(
        notices=[_show(notice) for notice in shown.notices], changes_in_s=shown.changes_in_s
    )


def show_posted(notice: Notice) -> PostedNotice:
    content = notice.content
    return PostedNotice(
        id=notice.id,
        level=content.level.value,
        text_en=content.text_en,
        text_zh=content.text_zh,
        begins_at=content.begins_at,
        ends_at=content.ends_at,
        roles=[role.value for role in content.roles],
        public=content.public,
        created_by=notice.created_by,
        created_at=notice.created_at,
    )


def _show(notice: Notice) -> NoticeRow:
    content = notice.content
    return NoticeRow(
        id=notice.id,
        level=content.level.value,
        text_en=content.text_en,
        text_zh=content.text_zh,
        begins_at=content.begins_at,
        ends_at=content.ends_at,
    )
