"""A node where one task after the other cannot be set up is taken out of service, whatever it says of itself.

Pure but for what it remembers: which tasks failed where, lately.
"""

from __future__ import annotations

from collections import deque

from danlu.core.nodes.doctor import Check
from danlu.core.nodes.node import Finding, FindingLevel
from danlu.core.task import TaskKey

FAILURES = 3
WITHIN_S = 60.0
FIRST_OUT_S = 30.0
LONGEST_OUT_S = 3600.0
FORGIVEN_S = 6 * 3600.0
"""After so long without another time, the next one counts as the first."""


class SetupFailures:
    """Only failures that are certainly the node's own count, and each task once. A node that failed again
    soon after it was given another try stays out for twice as long."""

    def __init__(self) -> None:
        self._lately: dict[str, deque[tuple[TaskKey, float]]] = {}
        self._out: dict[str, _Out] = {}

    def note(self, node: str, key: TaskKey, why: str, now: float) -> Finding | None:
        """What is to be said against the node from now on, if this was one too many."""
        lately = self._lately.setdefault(node, deque(maxlen=FAILURES))
        if all(each != key for each, _ in lately):
            lately.append((key, now))
        if len(lately) < FAILURES or now - lately[0][1] > WITHIN_S:
            return None
        before = self._out.get(node)
        if before is not None and now < before.until:
            return before.finding
        is_again = before is not None and now - before.until < FORGIVEN_S
        pause_s = min(2 * before.pause_s, LONGEST_OUT_S) if before and is_again else FIRST_OUT_S
        facts: dict[str, str | int | float] = {"times": len(lately), "why": why}
        finding = Finding(Check.SETUP, FindingLevel.PROBLEM, "failing", facts)
        self._out[node] = _Out(now + pause_s, pause_s, finding)
        lately.clear()
        return finding

    def finding_of(self, node: str, now: float) -> Finding | None:
        """What there is against a node; nothing once it may be given another try."""
        out = self._out.get(node)
        return out.finding if out is not None and now < out.until else None


class _Out:
    __slots__ = ("finding", "pause_s", "until")

    def __init__(self, until: float, pause_s: float, finding: Finding) -> None:
        self.until = until
        self.pause_s = pause_s
        self.finding = finding
