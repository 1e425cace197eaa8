"""Looking for something in a log: what is asked, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import MaxLen

from danlu.core.bounds import Number

MOST_FOUND = 10_000


@dataclass(frozen=True, slots=True)
class LogSearch:
    """Forward: matches that begin at `offset` or later. Backward: those that end there or earlier, the last
    one first; no `offset` means from the end. No `text` means signs of trouble, whatever they are."""

    text: str | None
    offset: int | None = None
    backward: bool = False
    limit: int = 100
    ignore_case: bool = True
    """Of ASCII letters."""


@dataclass(frozen=True, slots=True)
class Found:
    """`line` is the line, or of a long one what is around the match."""

    offset: Number
    length: Number
    line_offset: Number
    line: bytes


@dataclass(frozen=True, slots=True)
class LogSearched:
    """`next` is where to go on; None when the log was searched to its end (or its beginning)."""

    found: Annotated[tuple[Found, ...], MaxLen(MOST_FOUND)]
    next: Number | None
    size: Number
