"""`danlu top`"""

from __future__ import annotations

import sys

import click

from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand


@click.command("top", cls=WordedCommand)
@pass_session
def top(session: Session) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("cli.top_needs_terminal")
    # A user who cannot get in is told so as by any other command.
    with session.connect(patience_s=0.0) as client:
        me, url = client.me.get(), client.server.url
        client.service.status()
        session.stay_with(client.server)
    from danlu.cli.top.dashboard import Dashboard

    Dashboard(session, me.name, url).run()
