"""When the doctor looks at whom. Pure but for what it remembers."""

from __future__ import annotations

from collections.abc import Iterable

EVERY_S = 3600.0
AFTER_START_S = 60.0
"""Who was there before the server came has a look soon, too: nobody says that it has come."""
ASK_AGAIN_S = (2.0, 300.0)
"""After the first silence, and at the most after many."""


class Rounds:
    """Times are of one clock, whichever the caller has."""

    def __init__(self, now: float) -> None:
        self._all_at = now + AFTER_START_S
        self._due: dict[str, float] = {}
        self._silences: dict[str, int] = {}

    def call_for(self, nodes: Iterable[str], now: float) -> None:
        """Somebody wants these looked at; one that has just come has not been silent yet."""
        for node in nodes:
            self._due[node] = now
            self._silences.pop(node, None)

    def note_silence(self, node: str, now: float) -> None:
        """It did not answer: ask again soon, but not for ever as often."""
        first_s, most_s = ASK_AGAIN_S
        silences = self._silences[node] = self._silences.get(node, 0) + 1
        # One that was called for meanwhile is looked at all the earlier.
        at = now + min(first_s * 2 ** min(silences - 1, 20), most_s)
        self._due[node] = min(at, self._due.get(node, at))

    def note_answer(self, node: str) -> None:
        self._silences.pop(node, None)

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
        return due

    def next_at(self) -> float:
        return min((self._all_at, *self._due.values()))
