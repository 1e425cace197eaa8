"""Who holds what of a node."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.resources import Allocation


@dataclass(frozen=True, slots=True)
class Holding:
    """What a task of an active job holds."""

    job_id: int
    owner: str
    allocation: Allocation
    elastic: bool = False
    """The job might run on more nodes, or on fewer."""
