"""When a task on a lost node has certainly stopped, so that the next attempt may begin elsewhere. Pure.

A node that does not hear from us stops what it may not go on with by itself: `lease_s` after it was last
granted that, with a grace. We know neither when that grant reached it nor what it does now; we know when we
last granted anything, and count from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from danlu.control.recovery.differences import Desired

LEASE_GRACE_S = 5.0
"""How long a node waits between asking such a task to end and killing it."""
KILL_S = 3.0
MARGIN_S = 2.0


@dataclass(frozen=True, slots=True)
class Fenced:
    """The tasks that are over now, and when the next one may be."""

    over: tuple[Desired, ...]
    again_at: float | None


def fence(
    tasks: Iterable[Desired],
    lost: Collection[str],
    grants: Mapping[str, float],
    since: float,
    lease_s: float,
    now: float,
) -> Fenced:
    """Of the tasks on `lost` nodes, those that their nodes must have stopped by now.

    `grants` says when each node was last granted a lease. One that is not in it may have been granted one by
    the server before this, which acted until `since` at the latest. All by the monotonic clock.
    """
    over: list[Desired] = []
    later: list[float] = []
    for task in tasks:
        if not task.leased or task.node not in lost:
            continue
        # What another server granted counts to the very moment it lost its say.
        over_at = max(grants.get(task.node, since), since) + longest_s(lease_s)
        if over_at <= now:
            over.append(task)
        else:
            later.append(over_at)
    return Fenced(tuple(over), min(later, default=None))


def longest_s(lease_s: float) -> float:
    """How long after its last grant a task may still be there."""
    return lease_s + LEASE_GRACE_S + KILL_S + MARGIN_S
