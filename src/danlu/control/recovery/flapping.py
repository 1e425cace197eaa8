"""A node that comes and goes does more harm than one that is gone: jobs begin there again and again. Pure."""

from __future__ import annotations

from collections.abc import Sequence

LOSSES = 3
WITHIN_S = 600.0


def note_loss(before: Sequence[float], now: float) -> tuple[float, ...]:
    """When a node was lost lately, this time included: as many of the last as it takes to judge it."""
    return (*before, now)[-LOSSES:]


def comes_and_goes(losses: Sequence[float]) -> bool:
    return len(losses) >= LOSSES and losses[-1] - losses[-LOSSES] <= WITHIN_S
