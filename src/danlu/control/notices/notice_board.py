"""The notices that admins post, and what each user is shown of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.control.identity.rights import check_admin
from danlu.core.errors import Conflict, Invalid, NotFound
from danlu.core.notices.notice import Notice, NoticeContent, NoticeLevel, next_change_of, notices_for
from danlu.core.user import Role, User
from danlu.store.engine.database import Database, Transaction
from danlu.store.notices import (
    add_notice,
    dismiss_notice,
    dismissed_by,
    edit_notice,
    get_notice,
    list_notices,
    remove_notice,
)
from danlu.wire.notices.notice import NoticeFields

MOST_NOTICES = 200


@dataclass(frozen=True, slots=True)
class ShownNotices:
    """`changes_in_s`: how long until one of them ends or another begins by itself."""

    notices: list[Notice]
    changes_in_s: float | None


@dataclass(frozen=True, slots=True)
class NoticeBoard:
    database: Database
    clock: Callable[[], float]

    async def shown_to(self, user: User | None) -> ShownNotices:
        """What this user is shown now and has not dismissed; None: who has not signed in."""

        def read(connection: Connection) -> ShownNotices:
            now = self.clock()
            gone = dismissed_by(connection, user.name) if user is not None else set()
            notices = [each for each in list_notices(connection) if each.id not in gone]
            change = next_change_of(user, notices, now)
            return ShownNotices(notices_for(user, notices, now), None if change is None else change - now)

        return await self.database.read(read)

    async def list_all(self, admin: User) -> list[Notice]:
        """The latest first, also those that are over or still to come."""
        check_admin(admin)
        return await self.database.read(list_notices)

    async def post(self, admin: User, said: NoticeFields) -> Notice:
        """Raises Invalid, Conflict."""
        check_admin(admin)

        def write(tx: Transaction) -> Notice:
            if len(list_notices(tx.connection)) >= MOST_NOTICES:
                raise Conflict("too_many_notices", most=MOST_NOTICES)
            return add_notice(tx, admin.name, _content_of(said, tx.now))

        return await self.database.write(write)

    async def edit(self, admin: User, notice_id: int, said: NoticeFields) -> Notice:
        """The whole of it is replaced; without a begin it keeps its own. Raises NotFound, Invalid."""
        check_admin(admin)

        def write(tx: Transaction) -> Notice:
            notice = _find(tx.connection, notice_id)
            return edit_notice(tx, admin.name, notice, _content_of(said, notice.content.begins_at))

        return await self.database.write(write)

    async def remove(self, admin: User, notice_id: int) -> None:
        """Raises NotFound."""
        check_admin(admin)
        await self.database.write(lambda tx: remove_notice(tx, admin.name, _find(tx.connection, notice_id)))

    async def dismiss(self, user: User, notice_id: int) -> None:
        """The user is shown it no more, until its words change. Raises NotFound, also for a notice that is
        not for this user."""

        def write(tx: Transaction) -> None:
            notice = _find(tx.connection, notice_id)
            if not notice.content.is_for(user):
                raise NotFound("no_such_notice", notice=notice_id)
            dismiss_notice(tx, user.name, notice_id)

        await self.database.write(write)


def _find(connection: Connection, notice_id: int) -> Notice:
    notice = get_notice(connection, notice_id)
    if notice is None:
        raise NotFound("no_such_notice", notice=notice_id)
    return notice


def _content_of(said: NoticeFields, begins_at: float) -> NoticeContent:
    """Raises Invalid."""
    text_en, text_zh = said.text_en.strip(), said.text_zh.strip()
    if not (text_en or text_zh):
        raise Invalid("notice_without_text", field="text_en")
    begins_at = begins_at if said.begins_at is None else said.begins_at
    if said.ends_at is not None and said.ends_at <= begins_at:
        raise Invalid("notice_ends_before", field="ends_at")
    if said.public and said.roles:
        raise Invalid("public_notice_for_some", field="roles")
    return NoticeContent(
        text_en=text_en,
        text_zh=text_zh,
        level=NoticeLevel(said.level),
        begins_at=begins_at,
        ends_at=said.ends_at,
        roles=tuple(Role(role) for role in said.roles),
        public=said.public,
    )
