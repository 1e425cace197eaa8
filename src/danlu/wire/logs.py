"""Logs of jobs on the wire: which is meant, where it is, what is found in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LogStream = Literal["stdout", "stderr"]
LogSearchKind = Literal["text", "error"]
LogSearchDirection = Literal["forward", "backward"]


@dataclass(frozen=True, slots=True)
class LogName:
    """One stream of one task of a job: of the latest attempt unless `attempt` names another. The job itself
    is named beside it: by its number at the server, as in an address at a client."""

    attempt: int | None = None
    stream: LogStream = "stdout"
    rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMatch:
    """Where something was found in a log. Offsets count bytes."""

    offset: int
    line_offset: int
    """Where its line begins; of a very long line, where what is shown of it begins."""
    length: int
    text: str
    """The line, or of a long one what is around the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMatches:
    """Matches in the order in which they were come upon: backward, the last of the log first."""

    matches: list[LogMatch]
    next: int | None
    """The offset to go on from, in the same direction; null when there is nothing more to search."""
    done: bool
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTime:
    """At this moment a log was so long: what lies before `offset` had been written by then, and what lies
    behind it had not."""

    offset: int
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTimes:
    """When a part of a log was written, as its node saw the log grow."""

    known: bool
    """False: it was not measured, as with files that the user named and agents of an earlier version."""
    times: list[LogTime]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInfo:
    """Where the log of an attempt is and how far it goes."""

    job: int
    attempt: int
    stream: LogStream
    path: str | None
    size: int
    merged: bool
    """Standard output and standard error are one file."""
    discarded: bool
    ended: bool
    problem: str | None = None
    """Why it cannot be read, if it cannot."""
    ref: str = ""
    """The job, or the element of an array, as it is written: `12[3]`."""
    rank: int = 0
    """Which task of an attempt over several nodes it is of."""
    cut_at: int | None = None
    """It was cut: from here up to `cut_to` there is nothing in it any more."""
    cut_to: int | None = None
    begins_at: int = 0
    """Where in its file it begins: one that the user named may have what earlier runs wrote before it."""
    replaced: bool = False
    """That file was truncated or replaced since, so all of it is shown."""
