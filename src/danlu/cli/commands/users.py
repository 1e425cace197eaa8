"""`danlu users`: the accounts of a server, for administrators."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.layout import ago, clean, table
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import (
    WordedCommand,
    WordedGroup,
    argument,
    json_option,
    option,
    place_options,
    session_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from danlu.wire.accounts import UserRow

ROLES = ("member", "mentor", "admin", "viewer")
LANGUAGES = ("en", "zh")
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that are mistaken for one another when they are read out."""


@click.group("users", cls=WordedGroup, invoke_without_command=True)
@click.pass_context
def users(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        _list(session_of(ctx), as_json=False)


users.params.extend(place_options())


def profile_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is known of a user, beside the name."""
    for add in (
        option("--unix-account", metavar="ACCOUNT", words="user_account"),
        option("--language", metavar="en|zh", type=values.Word(lambda: LANGUAGES), words="user_language"),
        option("--email", metavar="ADDRESS", words="user_email"),
        option("--student-id", metavar="ID", words="user_student_id"),
        option("--full-name", metavar="NAME", words="user_full_name"),
        option("--group", metavar="NAME", words="user_group"),
        option("--role", metavar="ROLE", type=values.Word(lambda: ROLES), words="user_role"),
    ):
        function = add(function)
    return function


@users.command("list", cls=WordedCommand)
@json_option()
@pass_session
def list_users(session: Session, as_json: bool) -> None:
    _list(session, as_json)


@users.command("add", cls=WordedCommand)
@argument("user", metavar="NAME")
@profile_options
@option("--password-stdin", is_flag=True, words="password_stdin")
@pass_session
def add_user(session: Session, /, user: str, password_stdin: bool, **said: Any) -> None:
    password = _password(password_stdin)
    fields = {name: value for name, value in said.items() if value is not None}
    made = session.connect().users.add(user, password, **fields)
    session.print("cli.user_added", name=made.name)
    _hand_over(session, made.name, password, password_stdin)


@users.command("set", cls=WordedCommand)
@argument("user", metavar="NAME")
@profile_options
@option("--priority", metavar="NUMBER", type=float, words="user_priority")
@option("--clear", metavar="FIELDS", type=values.LIST, words="user_clear")
@pass_session
def set_user(session: Session, /, user: str, clear: list[str] | None, **said: Any) -> None:
    fields = {name: value for name, value in said.items() if value is not None}
    if not fields and not clear:
        raise Refused("cli.nothing_to_set")
    session.connect().users.set(user, clear=[each.replace("-", "_") for each in clear or []], **fields)
    session.print("cli.user_changed", name=user)


@users.command("lock", cls=WordedCommand)
@argument("user", metavar="NAME")
@pass_session
def lock(session: Session, user: str) -> None:
    row = session.connect().users.lock(user)
    session.print("cli.user_locked", name=user, waiting=row.waiting, running=row.running)


@users.command("unlock", cls=WordedCommand)
@argument("user", metavar="NAME")
@pass_session
def unlock(session: Session, user: str) -> None:
    session.connect().users.unlock(user)
    session.print("cli.user_unlocked", name=user)


@users.command("reset-password", cls=WordedCommand)
@argument("user", metavar="NAME")
@option("--password-stdin", is_flag=True, words="password_stdin")
@pass_session
def reset_password(session: Session, user: str, password_stdin: bool) -> None:
    password = _password(password_stdin)
    session.connect().users.set(user, password=password)
    session.print("cli.password_reset", name=user)
    _hand_over(session, user, password, password_stdin)


def _password(from_stdin: bool) -> str:
    """One that is read, or a new one. Never an argument: every account of the machine sees those."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


def _hand_over(session: Session, name: str, password: str, from_stdin: bool) -> None:
    if not from_stdin:
        session.print("cli.first_password", name=name, password=password)


def _list(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/users"))
        return
    names = ("user", "user_role", "group", "full_name", "state", "running", "waiting", "seen")
    headings = [session.say(f"cli.column.{name}") for name in names]
    click.echo(table(headings, [_row(session, each) for each in client.users.list()]))


def _row(session: Session, row: UserRow) -> list[str]:
    return [
        clean(row.name),
        session.say(f"cli.role.{row.role}"),
        clean(row.group or ""),
        clean(row.full_name),
        session.say("cli.user_state.locked" if row.locked else "cli.user_state.active"),
        str(row.running),
        str(row.waiting),
        ago(session, row.last_seen_at),
    ]
