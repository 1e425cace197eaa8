"""`danlu server-log`"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.layout import clean, paint
from danlu.cli.session import FOLLOWING_PATIENCE_S, Session, pass_session
from danlu.cli.worded import WordedCommand, json_option, option
from danlu.codec import encode

if TYPE_CHECKING:
    from danlu.wire.server_log import LogLevel, ServerLogEntry

LEVELS = ("debug", "info", "warning", "error")
COLOURS = {"warning": "yellow", "error": "red", "debug": "bright_black"}


@click.command("server-log", cls=WordedCommand)
@option("-f", "--follow", is_flag=True, words="follow_server_log")
@option("--level", metavar="LEVEL", type=values.Word(lambda: LEVELS), default="info", words="entry_level")
@option("--text", metavar="TEXT", words="entry_text")
@option("-n", "--tail", metavar="ENTRIES", type=values.number(1, 5_000), default=100, words="entries")
@json_option()
@pass_session
def server_log(
    session: Session, follow: bool, level: LogLevel, text: str | None, tail: int, as_json: bool
) -> None:
    client = session.connect(patience_s=FOLLOWING_PATIENCE_S if follow else 15.0, translated=not as_json)
    if as_json and not follow:
        session.print_json(client.get_json("/server/log", {"level": level, "text": text, "limit": tail}))
        return
    last = 0
    for entry in client.service.log(level=level, text=text, limit=tail).entries:
        last = entry.id
        _print(session, entry, as_json)
    if follow:
        for entry in client.service.follow_log(level=level, text=text, after=last):
            _print(session, entry, as_json)


def _print(session: Session, entry: ServerLogEntry, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(encode(entry), ensure_ascii=False))
        return
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.at))
    level = paint(session, f"{entry.level:<7}", COLOURS.get(entry.level))
    click.echo(f"{at}  {level}  {clean(entry.source)}  {clean(entry.text)}")
