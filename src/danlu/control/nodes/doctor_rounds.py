"""When the doctor looks at whom. Pure but for what it remembers."""

from __future__ import annotations

import math
from collections.abc import Iterable

EVERY_S = 3600.0
AFTER_START_S = 60.0
"""A node that was there before the server came is looked at soon, too: no event says that it has come."""
LOOK_AGAIN_S = (2.0, 300.0)
"""After the first time that a node was silent or out of service, and at the most after many."""


class Rounds:
    """Times are of one clock, whichever the caller has."""

    def __init__(self, now: float) -> None:
        self._all_at = now + AFTER_START_S
        self._due: dict[str, float] = {}
        self._troubles: dict[str, int] = {}
        self._looked_at: dict[str, float] = {}

    def call_for(self, nodes: Iterable[str], now: float) -> None:
        """These are to be looked at; one that has just come was in no trouble yet."""
        for node in nodes:
            self._due[node] = now
            self._troubles.pop(node, None)

    def suspect(self, nodes: Iterable[str], now: float) -> None:
        """Something speaks against these: look soon, however often that is said."""
        for node in nodes:
            at = max(now, self._looked_at.get(node, -math.inf) + LOOK_AGAIN_S[0])
            self._due[node] = min(at, self._due.get(node, at))

    def note_trouble(self, node: str, now: float) -> None:
        """It did not answer, or is out of service: look again soon, but not for ever as often."""
        first_s, most_s = LOOK_AGAIN_S
        troubles = self._troubles[node] = self._troubles.get(node, 0) + 1
        # One that was called for meanwhile is looked at all the earlier.
        at = now + min(first_s * 2 ** min(troubles - 1, 20), most_s)
        self._due[node] = min(at, self._due.get(node, at))

    def note_well(self, node: str) -> None:
        self._troubles.pop(node, None)

    def is_time_for_all(self, now: float) -> bool:
        """Whether every node is due. To ask counts as having seen to it."""
        if now < self._all_at:
            return False
        self._all_at = now + EVERY_S
        return True

    def take_due(self, now: float) -> set[str]:
        due = {node for node, at in self._due.items() if at <= now}
        for node in due:
            del self._due[node]
            self._looked_at[node] = now
        return due

    def next_at(self) -> float:
        return min((self._all_at, *self._due.values()))
