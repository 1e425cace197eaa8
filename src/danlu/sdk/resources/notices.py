"""Notices that admins post for all users, or for some roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from danlu.wire.notices.notice import NoticeFields, NoticeRow, PostedNotice, ShownNoticeRows

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Notices:
    def __init__(self, api: Api) -> None:
        self._api = api

    def list_all(self) -> list[PostedNotice]:
        """All there are, the latest first. For administrators."""
        return self._api.get(list[PostedNotice], "/notices/all")

    def list(self) -> list[NoticeRow]:
        """Those that you are shown now and have not dismissed, the gravest first."""
        return self._api.get(ShownNoticeRows, "/notices").notices

    def add(self, notice: NoticeFields) -> PostedNotice:
        """Post it. For administrators."""
        return self._api.ask(PostedNotice, "POST", "/notices", body=notice)

    def edit(self, notice_id: int, notice: NoticeFields) -> PostedNotice:
        """Replace the whole of it. For administrators."""
        return self._api.ask(PostedNotice, "PUT", f"/notices/{notice_id}", body=notice)

    def remove(self, notice_id: int) -> None:
        """For administrators."""
        self._api.call("DELETE", f"/notices/{notice_id}")

    def dismiss(self, notice_id: int) -> None:
        """Not to be shown it any more."""
        self._api.call("POST", f"/notices/{notice_id}/dismiss")
