"""What a scheduling pass decides, and why every other job waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from danlu.core.blockers import Blocker
from danlu.core.resources import Allocation


@dataclass(frozen=True, slots=True)
class Decision:
    """Start this job there, or of an array the element that is next. What applies it checks again: the
    snapshot may be stale by then."""

    job_id: int
    allocations: tuple[Allocation, ...]
    """One for each of its tasks, in the order of their ranks."""

    @property
    def allocation(self) -> Allocation:
        """Of its first task."""
        return self.allocations[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """Every waiting job is either in `decisions` or has its `blockers`, never both; only an array may have
    both: some of its elements start, the others wait.

    `order` names all waiting jobs: first those that may start, in the order of their turns, then those
    that may not start yet, oldest first. A pass that has `more` to start was cut short: who is in none of
    these has not been looked at. One that is `paused` starts nothing.

    `places` are the places in the queue, 1 at the head, of the jobs of all users that wait for free GPUs, in
    the order of their turns. A job that is held, that waits for another one, or that needs no free GPU stands
    before no other job and has no place. Every page and command shows this number and no other.
    """

    decisions: tuple[Decision, ...]
    blockers: Mapping[int, tuple[Blocker, ...]]
    order: tuple[int, ...]
    places: Mapping[int, int] = field(default_factory=dict)
    more: bool = False
    paused: bool = False
