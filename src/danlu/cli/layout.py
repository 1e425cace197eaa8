"""Text on a terminal: widths of wide characters, wrapping, tables, colours, ages."""

from __future__ import annotations

import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from danlu.wire.units import show_duration

if TYPE_CHECKING:
    from danlu.cli.session import Session

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_UNITS = re.compile(r"\s+|[^\s\u1100-\U0010ffff]+|.")
_NEVER_FIRST = "，。；：、！？）】》”’…"


def width_of(text: str) -> int:
    """Columns that a text takes on a terminal."""
    plain = _ANSI.sub("", text)
    return len(plain) if plain.isascii() else sum(_columns(character) for character in plain)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width_of(text))


def shorten(text: str, columns: int) -> str:
    """At most so many columns, with '…' where something was cut off."""
    if width_of(text) <= columns:
        return text
    kept, used = [], 1
    for character in text:
        used += _columns(character)
        if used > columns:
            break
        kept.append(character)
    return "".join(kept) + "…"


def wrap(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns: broken at spaces, and between Chinese characters."""
    lines = [""]
    for unit in _UNITS.findall(text):
        line = lines[-1]
        if width_of(line) + width_of(unit.rstrip()) <= columns or unit in _NEVER_FIRST or not line:
            lines[-1] = line + unit
        else:
            lines.append(unit.lstrip())
    return [line.rstrip() for line in lines]


def clean(text: str) -> str:
    """Another user's text, without control characters that this terminal would obey."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def paint(session: Session, text: str, colour: str | None) -> str:
    return click.style(text, fg=colour) if colour and session.colours else text


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Aligned columns. On a terminal the last column is cut at its edge; elsewhere nothing is lost."""
    lines = [list(headings), *(list(row) for row in rows)]
    widths = [max(width_of(line[column]) for line in lines) for column in range(len(headings) - 1)]
    if sys.stdout.isatty():
        room = shutil.get_terminal_size().columns - sum(widths) - 2 * len(widths)
        for line in lines:
            line[-1] = shorten(line[-1], max(room, 10))
    return "\n".join(
        "  ".join([*(pad(cell, width) for cell, width in zip(line, widths, strict=False)), line[-1]]).rstrip()
        for line in lines
    )


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values, one pair a line; further lines of a value stand below its first."""
    said = [(name, value) for name, value in rows if value]
    room = max((width_of(name) for name, _ in said), default=0) + 2
    return "\n".join(pad(name, room) + value.replace("\n", "\n" + " " * room) for name, value in said)


def elapsed(since: float | None, until: float | None = None) -> str:
    if since is None:
        return ""
    return show_duration(max(0.0, (time.time() if until is None else until) - since))


def ago(session: Session, moment: float | None) -> str:
    return "" if moment is None else session.say("cli.ago", time=elapsed(moment))


def moment(at: float | None) -> str:
    """A time of this machine's zone, to the second."""
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
