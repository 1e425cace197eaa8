"""`danlu pause` and `danlu resume`"""

from __future__ import annotations

import click

from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand


@click.command("pause", cls=WordedCommand)
@pass_session
def pause(session: Session) -> None:
    session.connect().scheduling.pause()
    session.print("cli.paused")


@click.command("resume", cls=WordedCommand)
@pass_session
def resume(session: Session) -> None:
    session.connect().scheduling.resume()
    session.print("cli.resumed")
