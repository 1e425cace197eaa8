"""A link to lines of a log, as the page makes it: `http://danlu.lab/jobs/12?attempt=2&at=4096&to=8192`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from danlu.wire.logs import LogStream

_MOST = 2**53


@dataclass(frozen=True, slots=True)
class LogLink:
    job: int | str
    host: str | None = None
    attempt: int | None = None
    rank: int | None = None
    stream: LogStream = "stdout"
    at: int | None = None
    """A byte of the first line, or none: the whole log."""
    to: int | None = None
    """A byte of the last line."""


def is_link(text: str) -> bool:
    return "/jobs/" in text


def parse_link(text: str) -> LogLink:
    """Raises ValueError."""
    parts = urlsplit(text.strip())
    query = parse_qs(parts.query)
    _, _, job = parts.path.rpartition("/jobs/")

    def number(name: str, least: int = 0) -> int | None:
        if name not in query:
            return None
        found = int(query[name][-1])
        if not least <= found <= _MOST:
            raise ValueError(name)
        return found

    at, to = number("at"), number("to")
    return LogLink(
        unquote(job).rstrip("/"),
        parts.hostname,
        number("attempt", 1),
        number("rank"),
        "stderr" if query.get("stream") == ["stderr"] else "stdout",
        at,
        to if at is not None and to is not None and to > at else at,
    )
