"""What the dashboard shows: one look at the server, and what of it the user wants to see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from danlu.wire.jobs import JobRow
    from danlu.wire.nodes.node import NodeRow
    from danlu.wire.server import Status


@dataclass(frozen=True, slots=True)
class JobsShown:
    """The jobs of the three areas; `more` of each are there but not shown."""

    running: tuple[JobRow, ...] = ()
    waiting: tuple[JobRow, ...] = ()
    history: tuple[JobRow, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    status: Status
    nodes: tuple[NodeRow, ...]
    jobs: JobsShown


def choose(rows: Iterable[JobRow], text: str) -> list[JobRow]:
    """The jobs in which every word of a filter stands: in the id, name, owner, state or place."""
    words = text.lower().split()
    return [row for row in rows if all(word in _words_of(row) for word in words)]


def _words_of(row: JobRow) -> str:
    return f"{row.ref} {row.name} {row.owner} {row.state} {row.node or ''}".lower()
