"""`danlu notices`: what admins tell all users."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.layout import clean, moment, table
from danlu.cli.notices import text_of
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option, option

if TYPE_CHECKING:
    from collections.abc import Callable

    from danlu.wire.notices.notice import NoticeFields, PostedNotice

LEVELS = ("info", "warning", "urgent")
ROLES = ("member", "mentor", "admin", "viewer")
ALL = "all"
NEVER = "never"
LONGEST_INPUT = 20_000


@click.group("notices", cls=WordedGroup)
def notices() -> None:
    pass


def _content_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in reversed(
        (
            option("--zh", metavar="TEXT", words="notice_zh"),
            option("--level", metavar="LEVEL", type=values.Word(lambda: LEVELS), words="notice_level"),
            option("--from", "begins_at", metavar="TIME", type=values.MOMENT, words="notice_from"),
            option("--until", "ends_at", metavar="TIME", type=values.MOMENT_OR_NEVER, words="notice_until"),
            option("--for", "roles", metavar="ROLES", type=values.LIST, words="notice_for"),
            option("--public/--not-public", "public", default=None, words="notice_public"),
        )
    ):
        command = decorate(command)
    return command


@notices.command("list", cls=WordedCommand)
@option("-a", "--all", "everything", is_flag=True, words="all_notices")
@json_option()
@pass_session
def list_notices(session: Session, everything: bool, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/notices/all" if everything else "/notices"))
    elif everything:
        _print_all(session, client.notices.list_all())
    elif shown := client.notices.list():
        for notice in shown:
            level = session.say(f"cli.notice.{notice.level}")
            session.print("cli.notice.title", level=level, notice=notice.id)
            click.echo(text_of(session, notice))
    else:
        session.tell("cli.notices.empty")


@notices.command("add", cls=WordedCommand)
@argument("text", metavar="TEXT|-")
@_content_options
@pass_session
def add_notice(session: Session, /, text: str, **said: Any) -> None:
    from danlu.wire.notices.notice import NoticeFields

    made = session.connect().notices.add(_changed(NoticeFields(), text, said))
    session.print(
        "cli.notices.added" if made.begins_at <= time.time() else "cli.notices.planned", notice=made.id
    )


@notices.command("edit", cls=WordedCommand)
@argument("notice", metavar="NUMBER", type=values.POSITION)
@option("--text", metavar="TEXT|-", words="notice_text")
@_content_options
@pass_session
def edit_notice(session: Session, /, notice: int, text: str | None, **said: Any) -> None:
    from danlu.wire.notices.notice import NoticeFields

    client = session.connect()
    known = next((each for each in client.notices.list_all() if each.id == notice), None)
    if known is None:
        raise Refused("cli.no_such_notice", exit_code=1, notice=notice)
    before = NoticeFields(
        text_en=known.text_en,
        text_zh=known.text_zh,
        level=known.level,
        begins_at=known.begins_at,
        ends_at=known.ends_at,
        roles=known.roles,
        public=known.public,
    )
    client.notices.edit(notice, _changed(before, text, said))
    session.print("cli.notices.edited", notice=notice)


@notices.command("remove", cls=WordedCommand)
@argument("notice", metavar="NUMBER", type=values.POSITION)
@pass_session
def remove_notice(session: Session, notice: int) -> None:
    session.connect().notices.remove(notice)
    session.print("cli.notices.removed", notice=notice)


@notices.command("dismiss", cls=WordedCommand)
@argument("notice", metavar="NUMBER", type=values.POSITION)
@pass_session
def dismiss_notice(session: Session, notice: int) -> None:
    session.connect().notices.dismiss(notice)
    session.print("cli.notices.dismissed", notice=notice)


def _changed(before: NoticeFields, text: str | None, said: dict[str, Any]) -> NoticeFields:
    """The notice with what was said. A text of `-` is read from standard input."""
    changes: dict[str, Any] = {}
    if text is not None:
        changes["text_en"] = sys.stdin.read(LONGEST_INPUT) if text == "-" else text
    if said["zh"] is not None:
        changes["text_zh"] = said["zh"]
    for name in ("level", "begins_at", "public"):
        if said[name] is not None:
            changes[name] = said[name]
    if said["ends_at"] is not None:
        changes["ends_at"] = None if said["ends_at"] == NEVER else said["ends_at"]
    if said["roles"] is not None:
        changes["roles"] = [values.one_of(role, list(ROLES)) for role in said["roles"] if role != ALL]
    return replace(before, **changes)


def _print_all(session: Session, rows: list[PostedNotice]) -> None:
    if not rows:
        session.tell("cli.notices.none")
        return
    names = ("notice", "level", "state", "from", "until", "for", "text")
    headings = [session.say(f"cli.column.{name}") for name in names]
    click.echo(table(headings, [_row(session, row) for row in rows]))


def _row(session: Session, row: PostedNotice) -> list[str]:
    now = time.time()
    over = row.ends_at is not None and row.ends_at <= now
    state = "over" if over else "planned" if row.begins_at > now else "shown"
    roles = [session.say(f"cli.role.{role}") for role in row.roles] or [session.say("cli.notices.for_all")]
    if row.public:
        roles.append(session.say("cli.notices.public"))
    return [
        str(row.id),
        session.say(f"cli.notice.{row.level}"),
        session.say(f"cli.notices.state.{state}"),
        moment(row.begins_at),
        moment(row.ends_at) or session.say("cli.notices.removed_by_hand"),
        ", ".join(roles),
        clean(text_of(session, row).partition("\n")[0]),
    ]
