"""`danlu locks`: which locks are held, and taking one away."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from danlu.cli.layout import ago, clean, elapsed, table
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
    from danlu.wire.locks import LockRow


@click.group("locks", cls=WordedGroup, invoke_without_command=True)
@option("--all", "-a", "all_owners", is_flag=True, words="all_owners")
@json_option()
@click.pass_context
def locks(ctx: click.Context, all_owners: bool, as_json: bool) -> None:
    if ctx.invoked_subcommand is None:
        _list(session_of(ctx), all_owners, as_json)


locks.params.extend(place_options())


@locks.command("release", cls=WordedCommand)
@argument("lock", metavar="NAME")
@option("--owner", metavar="USER", words="lock_owner")
@pass_session
def release(session: Session, lock: str, owner: str | None) -> None:
    session.connect().locks.take_away(lock, owner)
    session.print("cli.lock_released", name=lock)


def _list(session: Session, all_owners: bool, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/locks", {"all_owners": all_owners or None}))
        return
    rows = client.locks.list(all_owners=all_owners)
    if not rows:
        session.tell("cli.locks.empty")
        return
    names = ("owner", "fence", "held_by", "taken", "free_in", "lock")
    click.echo(table([session.say(f"cli.column.{name}") for name in names], [_row(session, r) for r in rows]))


def _row(session: Session, row: LockRow) -> list[str]:
    holder = session.say("cli.job_number", job=row.job) if row.job else session.say("cli.a_person")
    free_in = "" if row.expires_at is None else elapsed(time.time(), row.expires_at)
    return [clean(row.owner), str(row.fence), holder, ago(session, row.taken_at), free_in, clean(row.name)]
