"""Which part of a file is the output of one task."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutputPart:
    """The part of a file that is one task's: from `begin` up to `end`, or to the end of the file."""

    inode: int
    begin: int
    end: int | None = None
