"""What a node may say: its messages and answers, each with its fields and their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, cast

from annotated_types import MaxLen, MinLen

from danlu.core.bounds import (
    MOST_FINDINGS,
    MOST_TASKS,
    Moment,
    Name,
    Number,
    Prose,
    Whole,
    Word,
)
from danlu.core.nodes.node import Finding
from danlu.core.task import LogChunk


@dataclass(frozen=True, slots=True)
class Beat:
    """`facts` only where they are news; they and the `reading` are understood by themselves: a beat counts as
    one whatever is wrong with those."""

    agent_session: Word
    """It becomes a part of the subject that calls are sent to."""
    sent_at: Moment
    """By the node's own clock that never stops."""
    facts_digest: Name = ""
    clock: Moment = 0.0
    version: Name = ""
    fence: Number = 0
    fence_session: Name = ""
    fence_proof: Name = ""
    stood_back: bool = False
    facts: Any = None
    reading: Any = None

    @property
    def followed(self) -> dict[str, Any]:
        """Which server it has followed, as `FenceProofs` reads it."""
        names = ("fence", "fence_session", "fence_proof")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class TaskNews:
    """Starts and ends of tasks, each understood by itself."""

    agent_session: Word
    facts: Annotated[list[Any], MaxLen(MOST_TASKS)]


@dataclass(frozen=True, slots=True)
class LogChange:
    watch: Name


@dataclass(frozen=True, slots=True)
class FetchAsk:
    path: str
    offset: Number


@dataclass(frozen=True, slots=True)
class NodeRefusal:
    """An answer that says why something was not done."""

    code: Name
    text: Prose = ""
    errno: Whole | None = None
    file: Prose | None = None


@dataclass(frozen=True, slots=True)
class LogPlace:
    """Where the bytes behind an answer lie in their file, and where that was cut."""

    offset: Number
    size: Number
    inode: Number = 0
    cut: Annotated[list[Number], MinLen(2), MaxLen(2)] | None = None
    held: Number | None = None

    def chunk(self, data: bytes) -> LogChunk:
        cut = None if self.cut is None else (self.cut[0], self.cut[1])
        return LogChunk(data, self.offset, self.size, self.inode, cut, self.held)


FINDINGS = cast("type[list[Finding]]", Annotated[list[Finding], MaxLen(MOST_FINDINGS)])
TASKS = cast("type[list[Any]]", Annotated[list[Any], MaxLen(MOST_TASKS)])
JOB_IDS = list[Number]
BYTES = Number
