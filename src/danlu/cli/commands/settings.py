"""`danlu settings`"""

from __future__ import annotations

from typing import Any

import click

from danlu.cli import values
from danlu.cli.layout import pairs
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, json_option, option

SWITCH = {"on": True, "off": False}
SWITCHES = frozenset({"server_log_for_members", "limit_cpus", "limit_memory"})


@click.command("settings", cls=WordedCommand)
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
@pass_session
def settings(session: Session, /, as_json: bool, **said: Any) -> None:
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
