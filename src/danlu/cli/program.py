"""`danlu`: finds the command, runs it, and turns whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from danlu.cli.exit_codes import BROKEN_PIPE, INTERRUPTED
from danlu.cli.refusals import Refused, report
from danlu.cli.session import Session
from danlu.cli.worded import WordedGroup, place_options, session_of
from danlu.sdk.errors import ClientError

SECTIONS: dict[str, dict[str, str]] = {
    "jobs": {
        "submit": "submit",
        "run": "run",
        "examples": "examples",
        "ps": "ps",
        "show": "show",
        "why": "show",
        "top": "top",
        "elements": "elements",
        "logs": "logs",
        "edit": "edit",
        "cancel": "steering",
        "hold": "steering",
        "release": "steering",
        "move": "steering",
        "resubmit": "steering",
        "delete": "delete",
        "defaults": "defaults",
        "kv": "keys",
        "locks": "locks",
    },
    "cluster": {
        "nodes": "nodes",
        "gpus": "gpus",
        "gpu": "gpus",
        "drain": "nodes",
        "undrain": "nodes",
        "join": "join",
        "leave": "join",
        "doctor": "doctor",
        "pause": "scheduling",
        "resume": "scheduling",
        "scheduling": "scheduling",
    },
    "people": {
        "users": "users",
        "groups": "groups",
    },
    "server": {
        "up": "service",
        "down": "service",
        "status": "service",
        "server-log": "server_log",
        "settings": "settings",
        "audit": "audit",
        "notices": "notices",
        "backup": "backup",
        "restore": "backup",
        "database": "database",
        "login": "account",
        "logout": "account",
        "whoami": "account",
        "version": "version",
    },
}
"""The commands as the help shows them, and the module each is in; a module loads when it is used."""

MODULES = {name: module for section in SECTIONS.values() for name, module in section.items()}


class Program(WordedGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in MODULES:
            return None
        module = import_module(f"danlu.cli.commands.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in MODULES and not ctx.resilient_parsing:
            raise click.NoSuchCommand(args[0], possibilities=MODULES, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        session = session_of(ctx)
        for section, commands in SECTIONS.items():
            with formatter.section(session.say(f"cli.heading.{section}")):
                formatter.write_dl([(name, session.say(f"cli.help.{name}")) for name in commands])


def make_program() -> Program:
    return Program("danlu", params=place_options(), no_args_is_help=True)


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run one command line; its exit code."""
    session = Session(environment)
    try:
        code = _invoke(session, list(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        return INTERRUPTED
    return code


def _invoke(session: Session, arguments: list[str]) -> int:
    program = make_program()
    if "_DANLU_COMPLETE" in session.environment:
        program.main(arguments, "danlu", obj=session)
    try:
        with program.make_context("danlu", arguments, obj=session) as context:
            answer: Any = program.invoke(context)
            return answer if isinstance(answer, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as lost:
        click.echo(lost.ctx.get_help() if lost.ctx else "")
        return 0
    except BrokenPipeError:
        raise
    except (click.ClickException, ClientError, Refused, OSError) as fault:
        return report(session, fault)


def _forget_stdout() -> None:
    """The reader of our output is gone; the interpreter shall not stumble over it while it ends."""
    nowhere = os.open(Path(os.devnull), os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
