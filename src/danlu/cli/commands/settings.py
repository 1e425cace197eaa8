"""`danlu settings`"""

from __future__ import annotations

import click

from danlu.cli import values
from danlu.cli.layout import pairs
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, json_option, option

SWITCH = {"on": True, "off": False}


@click.command("settings", cls=WordedCommand)
@option("--server-log-for-members", metavar="on|off", type=values.Word(lambda: SWITCH))
@json_option()
@pass_session
def settings(session: Session, server_log_for_members: str | None, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if server_log_for_members is not None:
        client.settings.edit(server_log_for_members=SWITCH[server_log_for_members])
    if as_json:
        session.print_json(client.get_json("/settings"))
        return
    current = client.settings.get()
    shown = "on" if current.server_log_for_members else "off"
    click.echo(pairs([("server-log-for-members", shown)]))
