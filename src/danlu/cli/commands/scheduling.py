"""`danlu pause`, `danlu resume` and `danlu scheduling pass`"""

from __future__ import annotations

import click

from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup


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


@click.group("scheduling", cls=WordedGroup)
def scheduling() -> None:
    pass


@scheduling.command("pass", cls=WordedCommand)
@pass_session
def run_pass(session: Session) -> None:
    passed = session.connect().scheduling.run_pass()
    session.print("cli.passed", started=passed.started, waiting=passed.waiting)
