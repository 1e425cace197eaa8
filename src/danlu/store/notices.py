"""The notices, and which users dismissed which of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from danlu.codec import decode, encode
from danlu.core.events import EventKind
from danlu.core.notices.notice import Notice, NoticeContent
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_N = schema.notices.c
_D = schema.notice_dismissals.c
_CONTENT = ("text_en", "text_zh", "level", "begins_at", "ends_at", "roles", "public")


def list_notices(connection: Connection) -> list[Notice]:
    """All there are, the latest first."""
    return [_notice(row) for row in connection.execute(select(schema.notices).order_by(_N.id.desc()))]


def get_notice(connection: Connection, notice_id: int) -> Notice | None:
    row = connection.execute(select(schema.notices).where(_N.id == notice_id)).one_or_none()
    return None if row is None else _notice(row)


def dismissed_by(connection: Connection, user_name: str) -> set[int]:
    return set(connection.execute(select(_D.notice_id).where(_D.user_name == user_name)).scalars())


def add_notice(tx: Transaction, actor: str, content: NoticeContent) -> Notice:
    values = {**encode(content), "created_by": actor, "created_at": tx.now}
    made = tx.connection.execute(insert(schema.notices).values(values).returning(_N.id)).scalar_one()
    tx.record(EventKind.NOTICE_CHANGED, actor=actor, notice=made, before=None, after=encode(content))
    return Notice(id=made, content=content, created_by=actor, created_at=tx.now)


def edit_notice(tx: Transaction, actor: str, notice: Notice, content: NoticeContent) -> Notice:
    """One whose words or level changed is shown again to those who dismissed it."""
    before = notice.content
    if content == before:
        return notice
    tx.connection.execute(update(schema.notices).where(_N.id == notice.id).values(encode(content)))
    if (content.text_en, content.text_zh, content.level) != (before.text_en, before.text_zh, before.level):
        tx.connection.execute(delete(schema.notice_dismissals).where(_D.notice_id == notice.id))
    tx.record(
        EventKind.NOTICE_CHANGED,
        actor=actor,
        notice=notice.id,
        before=encode(before),
        after=encode(content),
    )
    return replace(notice, content=content)


def remove_notice(tx: Transaction, actor: str, notice: Notice) -> None:
    tx.connection.execute(delete(schema.notices).where(_N.id == notice.id))
    tx.record(
        EventKind.NOTICE_CHANGED, actor=actor, notice=notice.id, before=encode(notice.content), after=None
    )


def dismiss_notice(tx: Transaction, user_name: str, notice_id: int) -> None:
    if notice_id not in dismissed_by(tx.connection, user_name):
        dismissal = {"notice_id": notice_id, "user_name": user_name}
        tx.connection.execute(insert(schema.notice_dismissals).values(dismissal))
        tx.record(EventKind.NOTICE_DISMISSED, actor=user_name, notice=notice_id)


def _notice(row: Row[Any]) -> Notice:
    said = {name: getattr(row, name) for name in _CONTENT}
    content = decode(NoticeContent, said, trusted=True)
    return Notice(id=row.id, content=content, created_by=row.created_by, created_at=row.created_at)
