"""Times that a node's clock has told, on the server's. Pure.

A node's clock may be wrong. What is stored are times of the server's: none lies before the job was there or
in the future, and nothing ends before it began. How long something took is the node's to say.
"""

from __future__ import annotations


def place_start(told: float, earliest: float, now: float) -> float:
    """When a task began that is said to have begun at `told`. What cannot be is replaced by when we heard of
    it."""
    return told if earliest <= told <= now else now


def place_end(
    told: float, told_start: float | None, start: float | None, earliest: float, now: float
) -> float:
    """When it ended, `start` being where its begin was placed."""
    earliest = earliest if start is None else start
    if earliest <= told <= now:
        return told
    if start is None or told_start is None:
        return now
    return min(now, start + max(0.0, told - told_start))
