"""Numbers of a job that its owner left to Danlu."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AutoReason(StrEnum):
    """What the number of GPUs went by."""

    SAID = "said"
    """By its owner: only the nodes were left to Danlu."""
    MEMORY = "memory"
    """They are the fewest that hold what it needs."""
    FREE = "free"
    """So many were free."""
    LIMIT = "limit"
    """More were free, but a job whose owner names no number gets no more."""
    NONE_FREE = "none_free"
    """None was free, and one is the least."""


@dataclass(frozen=True, slots=True)
class Auto:
    """Which numbers were left to Danlu, and what they went by. The numbers themselves are where they always
    are; a user who edits or resubmits the job has them found anew."""

    gpus: bool = False
    nodes: bool = False
    gpu_memory_mb: int | None = None
    """What one copy of its model takes on all GPUs together, if its owner said so."""
    reason: AutoReason = AutoReason.SAID
    node: str = ""
    """Where so many GPUs were free, if it is about one node."""
