"""`danlu settings`, and what was changed of them"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.commands.audit import describe_change
from danlu.cli.layout import clean, moment, pairs, table
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
    from danlu.wire.settings import SettingChangeRow

SWITCH = {"on": True, "off": False}
SWITCHES = frozenset({"server_log_for_members", "limit_cpus", "limit_memory"})


@click.group("settings", cls=WordedGroup, invoke_without_command=True)
@option("--server-log-for-members", metavar="on|off", type=values.Word(lambda: SWITCH))
@option("--default-gpus", metavar="N", type=values.number(0, 1024))
@option("--auto-gpus", metavar="N", type=values.number(1, 1024))
@option("--auto-nodes", metavar="N", type=values.number(1, 1024))
@option("--stage-folder", metavar="FOLDER")
@option("--stage-disk-percent", metavar="PERCENT", type=values.number(1, 100))
@option("--events-days", metavar="DAYS", type=values.number(0, 36_500))
@option("--audit-days", metavar="DAYS", type=values.number(0, 36_500))
@option("--job-log-limit", "job_log_limit_mb", metavar="SIZE", type=values.LIMIT_MB)
@option("--all-logs-limit", "all_logs_limit_mb", metavar="SIZE", type=values.LIMIT_MB)
@option("--limit-cpus", metavar="on|off", type=values.Word(lambda: SWITCH))
@option("--limit-memory", metavar="on|off", type=values.Word(lambda: SWITCH))
@json_option()
@click.pass_context
def settings(ctx: click.Context, /, as_json: bool, **said: Any) -> None:
    if ctx.invoked_subcommand is None:
        _show_or_change(session_of(ctx), as_json, said)


settings.params.extend(place_options())


@settings.command("history", cls=WordedCommand)
@option("-n", "--limit", metavar="CHANGES", type=values.number(1, 500), default=50, words="changes_limit")
@json_option()
@pass_session
def history(session: Session, limit: int, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/settings/history", {"limit": limit}))
        return
    changes = client.settings.history(limit=limit).changes
    if not changes:
        session.tell("cli.settings_never_changed")
        return
    headings = [session.say(f"cli.column.{name}") for name in ("number", "when", "by", "change")]
    rows = [
        [str(each.id), moment(each.at), clean(each.by or ""), _describe(session, each)]
        for each in reversed(changes)
    ]
    click.echo(table(headings, rows))


@settings.command("undo", cls=WordedCommand)
@argument("change", metavar="[NUMBER]", type=values.number(1), required=False)
@option("--force", is_flag=True, words="undo_force")
@pass_session
def undo(session: Session, change: int | None, force: bool) -> None:
    done = session.connect().settings.undo(change, force=force)
    session.print(
        "cli.setting_undone", number=done.undoes, change=describe_change(done.before, done.after, {})
    )


def _describe(session: Session, change: SettingChangeRow) -> str:
    said = describe_change(change.before, change.after, {})
    return said if change.undoes is None else session.say("cli.undoes", change=said, number=change.undoes)


def _show_or_change(session: Session, as_json: bool, said: dict[str, Any]) -> None:
    client = session.connect(translated=not as_json)
    said = {name: SWITCH.get(value, value) if name in SWITCHES else value for name, value in said.items()}
    if any(value is not None for value in said.values()):
        client.settings.edit(**said)
    if as_json:
        session.print_json(client.get_json("/settings"))
        return
    current = client.settings.get()
    shown = [
        ("server-log-for-members", _switch(current.server_log_for_members)),
        ("default-gpus", str(current.default_gpus)),
        ("auto-gpus", str(current.auto_gpus)),
        ("auto-nodes", str(current.auto_nodes)),
        ("stage-folder", current.stage_folder or "/var/tmp"),  # noqa: S108 (what the nodes take then)
        ("stage-disk-percent", str(current.stage_disk_percent)),
        ("events-days", str(current.events_days)),
        ("audit-days", str(current.audit_days)),
        ("job-log-limit", _limit(current.job_log_limit_mb)),
        ("all-logs-limit", _limit(current.all_logs_limit_mb)),
        ("limit-cpus", _switch(current.limit_cpus)),
        ("limit-memory", _switch(current.limit_memory)),
    ]
    click.echo(pairs(shown))


def _switch(is_on: bool) -> str:
    return "on" if is_on else "off"


def _limit(megabytes: int) -> str:
    from danlu.wire.units import show_memory

    return show_memory(megabytes) if megabytes else "0"
