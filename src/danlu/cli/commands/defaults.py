"""`danlu defaults`: what a submission takes for what it leaves out."""

from __future__ import annotations

from typing import Any

import click

from danlu.cli.command_line import what_to_run
from danlu.cli.job_options import DASHED, FIELD, JobCommand, fields_of, job_options, words_argument
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option, place_options, session_of


@click.group("defaults", cls=WordedGroup, invoke_without_command=True)
@json_option()
@click.pass_context
def defaults(ctx: click.Context, as_json: bool) -> None:
    if ctx.invoked_subcommand is None:
        _show(session_of(ctx), as_json)


defaults.params.extend(place_options())


@defaults.command("set", cls=JobCommand, context_settings={"allow_interspersed_args": False})
@job_options
@words_argument("[-- COMMAND...]")
@click.pass_context
def set_defaults(ctx: click.Context, /, words: tuple[str, ...], **params: Any) -> None:
    from danlu.wire.jobs import JobFields

    fields = fields_of(params)
    if job := what_to_run(words, dashed=ctx.meta[DASHED]):
        fields.update(command=job.command, arguments=job.arguments)
    if not fields:
        raise Refused("cli.no_defaults_named")
    _change(session_of(ctx), JobFields(**fields), [])


@defaults.command("clear", cls=WordedCommand)
@argument("fields", nargs=-1, required=True, type=FIELD, metavar="FIELD...")
@pass_session
def clear_defaults(session: Session, fields: tuple[str, ...]) -> None:
    from danlu.wire.jobs import JobFields

    _change(session, JobFields(), list(fields))


def _change(session: Session, fields: Any, clear: list[str]) -> None:
    from danlu.wire.jobs import JobEdit

    session.connect().me.edit_defaults(JobEdit(set=fields, clear=clear))
    session.print("cli.defaults_changed")


def _show(session: Session, as_json: bool) -> None:
    from danlu.cli.commands.show import fields_shown
    from danlu.cli.layout import pairs

    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/me/defaults"))
        return
    rows = fields_shown(session, client.me.defaults(), frozenset())
    if rows:
        click.echo(pairs(rows))
    else:
        session.tell("cli.no_defaults")
