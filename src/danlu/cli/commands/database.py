"""`danlu database`: where everything is kept, and how it gets elsewhere."""

from __future__ import annotations

import sys

import click

from danlu.cli.exit_codes import FAILED
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option
from danlu.codec import encode
from danlu.sdk.connecting.connection import data_folder


@click.group("database", cls=WordedGroup)
def database() -> None:
    pass


@database.command("show", cls=WordedCommand, places=("data",))
@json_option()
@pass_session
def show(session: Session, as_json: bool) -> None:
    from danlu.cli.layout import pairs
    from danlu.launch.database.commands import show_database
    from danlu.launch.database.fault import DatabaseFault
    from danlu.wire.units import show_bytes

    try:
        shown = show_database(data_folder(session.environment, session.data))
    except DatabaseFault as fault:
        reason = fault.describe(session.language)
        raise Refused("cli.database_fault", exit_code=FAILED, reason=reason) from fault
    if as_json:
        session.print_json(encode(shown))
        return
    schema = shown.revision or session.say("cli.database.unused")
    if shown.revision not in (None, shown.newest):
        schema = session.say("cli.database.outdated", revision=shown.revision, newest=shown.newest)
    facts = {
        "kind": session.say(f"cli.database.{shown.kind}"),
        "place": shown.place,
        "size": show_bytes(shown.size_bytes),
        "schema": schema,
    }
    if (mark := shown.out_of_use) is not None:
        facts["out_of_use"] = session.say(f"cli.database.{mark.why}", place=mark.place)
    facts |= {name: str(shown.rows[name]) for name in ("jobs", "users", "events") if name in shown.rows}
    click.echo(pairs([(session.say(f"cli.database.label.{name}"), value) for name, value in facts.items()]))


@database.command("move", cls=WordedCommand, places=("data",))
@argument("target", required=False, metavar="URL|sqlite")
@pass_session
def move(session: Session, target: str | None) -> int:
    from danlu.launch.database.commands import run_move

    wanted = target or session.environment.get("DANLU_DATABASE")
    if wanted is None:
        raise Refused("cli.no_target")
    data = data_folder(session.environment, session.data)
    return run_move(data, wanted, session.language, _Progress(session))


@database.command("reinstate", cls=WordedCommand, places=("data",))
@argument("place", required=False, metavar="URL|FILE")
@pass_session
def reinstate(session: Session, place: str | None) -> int:
    from danlu.launch.database.commands import run_reinstate

    return run_reinstate(data_folder(session.environment, session.data), place, session.language)


class _Progress:
    """One line for each table; on a terminal it counts while the table is carried."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._live = sys.stderr.isatty()

    def __call__(self, table: str, done: int, total: int) -> None:
        if done < total and not self._live:
            return
        text = self._session.say("cli.database.progress", table=table, done=done, total=total)
        click.echo(f"\r{text}" if self._live else text, err=True, nl=not self._live or done == total)
