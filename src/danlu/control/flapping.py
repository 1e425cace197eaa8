"""A node that comes and goes does more harm than one that is gone: jobs begin there again and again. Pure but
for what it remembers."""

from __future__ import annotations

from collections import defaultdict, deque

LOSSES = 3
WITHIN_S = 600.0


class Flapping:
    def __init__(self) -> None:
        self._lost: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LOSSES))

    def note(self, node: str, now: float) -> str | None:
        """It was lost just now. The evidence, if it was lost too often: the times at which it was."""
        times = self._lost[node]
        times.append(now)
        if len(times) < LOSSES or now - times[0] > WITHIN_S:
            return None
        evidence = ",".join(f"{each:.0f}" for each in times)
        # Whoever lifts it gives the node a fresh start.
        del self._lost[node]
        return evidence
