"""The server's own log on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LogLevel = Literal["debug", "info", "warning", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLogEntry:
    id: int
    """Grows with time, also over restarts of the server."""
    at: float
    level: LogLevel
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLogPage:
    """Entries, the oldest first. `next` is what to give as `before` for older ones; null at the beginning."""

    entries: list[ServerLogEntry]
    next: int | None
