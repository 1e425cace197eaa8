"""`danlu groups`: who works together, and which mentors lead them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.exit_codes import FAILED
from danlu.cli.layout import clean, table
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
    from danlu.wire.people.groups import GroupMember, GroupRow


@click.group("groups", cls=WordedGroup, invoke_without_command=True)
@click.pass_context
def groups(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        _list(session_of(ctx), as_json=False)


groups.params.extend(place_options())


@groups.command("list", cls=WordedCommand)
@json_option()
@pass_session
def list_groups(session: Session, as_json: bool) -> None:
    _list(session, as_json)


@groups.command("add", cls=WordedCommand)
@argument("group", metavar="NAME")
@option("--description", metavar="TEXT", default="", words="group_description")
@option("--mentors", metavar="NAMES", type=values.LIST, words="group_mentors")
@option("--members", metavar="NAMES", type=values.LIST, words="group_members")
@pass_session
def add(
    session: Session, group: str, description: str, mentors: list[str] | None, members: list[str] | None
) -> None:
    made = session.connect().groups.add(
        group, description=description, mentors=mentors or [], members=members or []
    )
    session.print("cli.group_added", name=made.name, mentors=len(made.mentors), members=len(made.members))


@groups.command("set", cls=WordedCommand)
@argument("group", metavar="NAME")
@option("--description", metavar="TEXT", words="group_description")
@option("--mentors", metavar="NAMES", type=values.LIST, words="group_mentors")
@pass_session
def set_group(session: Session, group: str, description: str | None, mentors: list[str] | None) -> None:
    changed = session.connect().groups.set(group, description=description, mentors=mentors)
    session.print("cli.group_changed", name=changed.name)


@groups.command("members", cls=WordedCommand)
@argument("group", metavar="NAME")
@option("--add", "added", metavar="NAMES", type=values.LIST, words="group_add")
@option("--remove", "removed", metavar="NAMES", type=values.LIST, words="group_remove")
@json_option()
@pass_session
def members(
    session: Session, group: str, added: list[str] | None, removed: list[str] | None, as_json: bool
) -> None:
    client = session.connect(translated=not as_json)
    if added or removed:
        row = client.groups.set(group, add_members=added or [], remove_members=removed or [])
    else:
        found = next((each for each in client.groups.list() if each.name == group), None)
        if found is None:
            raise Refused("cli.no_group_seen", exit_code=FAILED, name=group)
        row = found
    if as_json:
        from danlu.codec import encode

        session.print_json([encode(each) for each in row.members])
    elif row.members:
        names = ("user", "full_name", "running", "waiting")
        headings = [session.say(f"cli.column.{name}") for name in names]
        click.echo(table(headings, [_member(each) for each in row.members]))
    else:
        session.tell("cli.group_empty", name=group)


@groups.command("remove", cls=WordedCommand)
@argument("group", metavar="NAME")
@pass_session
def remove(session: Session, group: str) -> None:
    session.connect().groups.remove(group)
    session.print("cli.group_removed", name=group)


def _list(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/groups"))
        return
    rows = client.groups.list()
    if not rows:
        session.tell("cli.groups_empty")
        return
    names = ("group", "mentors", "members", "running", "waiting", "description")
    click.echo(table([session.say(f"cli.column.{name}") for name in names], [_row(each) for each in rows]))


def _row(row: GroupRow) -> list[str]:
    return [
        clean(row.name),
        ",".join(row.mentors),
        str(len(row.members)),
        str(sum(each.running for each in row.members)),
        str(sum(each.waiting for each in row.members)),
        clean(row.description),
    ]


def _member(member: GroupMember) -> list[str]:
    return [clean(member.name), clean(member.full_name), str(member.running), str(member.waiting)]
