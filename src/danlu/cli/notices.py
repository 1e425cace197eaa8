"""The notices that a user is shown beside what they asked for."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

import click

from danlu.cli.layout import clean, wrap
from danlu.cli.session import Session
from danlu.sdk.errors import ClientError
from danlu.wording.catalogue import is_chinese

if TYPE_CHECKING:
    from danlu.sdk.client import Client

COLOURS = {"info": "cyan", "warning": "yellow", "urgent": "red"}
WIDEST = 100


class Texts(Protocol):
    @property
    def text_en(self) -> str: ...

    @property
    def text_zh(self) -> str: ...


def text_of(session: Session, notice: Texts) -> str:
    """In the user's language where there is a text in it, else in the other one."""
    chinese_first = is_chinese(session.language)
    texts = (notice.text_zh, notice.text_en) if chinese_first else (notice.text_en, notice.text_zh)
    return clean(texts[0] or texts[1])


def tell_notices(session: Session, client: Client) -> None:
    """On standard error, and only to a terminal: a script reads no notices. What the user asked for was
    answered already, so a server that cannot say is no error."""
    if not sys.stderr.isatty():
        return
    with suppress(ClientError):
        columns = min(shutil.get_terminal_size().columns, WIDEST) - 2
        for notice in client.notices.list():
            name = session.say(f"cli.notice.{notice.level}")
            colour = COLOURS[notice.level] if session.colours else None
            title = session.say("cli.notice.title", level=name, notice=notice.id)
            lines = [part for line in text_of(session, notice).splitlines() for part in wrap(line, columns)]
            click.echo("\n" + click.style(title, fg=colour, bold=session.colours), err=True)
            click.echo("\n".join(f"  {line}".rstrip() for line in lines), err=True)
