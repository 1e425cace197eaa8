"""Notices: what users are shown, and what admins post."""

from __future__ import annotations

from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.views.notice_views import show_notices, show_posted
from danlu.wire.notices.notice import NoticeFields, NoticeId, PostedNotice, ShownNoticeRows

router = make_router("notices", "/notices")


@router.get("")
async def list_shown_notices(user: TheUser, control: TheControl) -> ShownNoticeRows:
    """The notices that you are shown now and have not dismissed."""
    return show_notices(await control.notice_board.shown_to(user))


@router.get("/public")
async def list_public_notices(control: TheControl) -> ShownNoticeRows:
    """The notices of the sign-in page. For all who can reach the server."""
    return show_notices(await control.notice_board.shown_to(None))


@router.get("/all")
async def list_all_notices(user: TheUser, control: TheControl) -> list[PostedNotice]:
    """All notices, the latest first, also those that are over or still to come. For administrators."""
    return [show_posted(notice) for notice in await control.notice_board.list_all(user)]


@router.post("", status_code=201)
async def post_notice(said: NoticeFields, user: TheUser, control: TheControl) -> PostedNotice:
    """Show a notice to users, at once or from a time on. For administrators."""
    return show_posted(await control.notice_board.post(user, said))


@router.put("/{notice_id}")
async def edit_notice(
    notice_id: NoticeId, said: NoticeFields, user: TheUser, control: TheControl
) -> PostedNotice:
    """Replace the whole of a notice. Where its words or its level change, those who dismissed it are shown it
    again. For administrators."""
    return show_posted(await control.notice_board.edit(user, notice_id, said))


@router.delete("/{notice_id}", status_code=204)
async def remove_notice(notice_id: NoticeId, user: TheUser, control: TheControl) -> None:
    """For administrators."""
    await control.notice_board.remove(user, notice_id)


@router.post("/{notice_id}/dismiss", status_code=204)
async def dismiss_notice(notice_id: NoticeId, user: TheUser, control: TheControl) -> None:
    """Do not show it to you any more."""
    await control.notice_board.dismiss(user, notice_id)
