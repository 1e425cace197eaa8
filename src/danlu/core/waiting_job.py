"""A job in the queue, as the store reads it and the scheduler decides about it."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.resources import Ask


@dataclass(frozen=True, slots=True)
class WaitingJob:
    """A job that waits or is held. `waits_for` are predecessors still to end; `failed_predecessors` are those
    whose success it needs and that ended without it. An array is there once, for the `left` elements that it
    has to begin; an element that waits by itself names its `array`, whose limit it counts for. It `avoids`
    nodes where it could not be set up, each until some time."""

    id: int
    owner: str
    ask: Ask
    position: float
    urgent: bool = False
    held: bool = False
    not_before: float | None = None
    waits_for: tuple[int, ...] = ()
    failed_predecessors: tuple[int, ...] = ()
    left: int = 1
    array: int | None = None
    avoids: tuple[tuple[str, float], ...] = ()
    version: int = 0
    """Of the job as it was read: a decision about it holds only while it has that version."""


@dataclass(frozen=True, slots=True)
class ArrayRoom:
    """How many elements of an array may run at a time, and how many do."""

    at_most: int
    active: int
