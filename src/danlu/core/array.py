"""Arrays: one job, many elements that differ in their index alone. `0-99`, `1,3,5-9`, `0-100:10`,
`0-99%10`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from danlu.core.job_id import LARGEST_INDEX
from danlu.core.states import ACTIVE, IN_QUEUE, JobState

MOST_ELEMENTS = 100_000
_PART = re.compile(r"(\d{1,7})(?:-(\d{1,7})(?::(\d{1,7}))?)?", re.ASCII)


class BadArray(ValueError):
    """The text is no array, or one that is too large."""


@dataclass(frozen=True, slots=True)
class Indices:
    """The indices of an array in ascending order, without listing them: a few ranges, however many
    elements."""

    ranges: tuple[range, ...]
    at_most: int | None = None
    """How many of its elements may run at a time; None: as many as fit."""

    def __len__(self) -> int:
        return sum(len(each) for each in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for each in self.ranges:
            yield from each

    def __contains__(self, index: object) -> bool:
        return any(index in each for each in self.ranges)

    def at(self, place: int) -> int:
        """The index at a place counted from 0."""
        ends = list(accumulate(len(each) for each in self.ranges))
        which = bisect_right(ends, place)
        return self.ranges[which][place - (ends[which - 1] if which else 0)]

    def place_from(self, index: int) -> int:
        """The place of the first index that is at least this one; beyond the last place if there is none."""
        before = 0
        for each in self.ranges:
            if index <= each[-1]:
                return before + max(0, -(-(index - each.start) // each.step))
            before += len(each)
        return before

    def place_of(self, index: int) -> int:
        """The place of an index, counted from 0. Raises ValueError when it is none of them."""
        before = 0
        for each in self.ranges:
            if index in each:
                return before + each.index(index)
            before += len(each)
        raise ValueError(index)

    def __str__(self) -> str:
        text = ",".join(_show(each) for each in self.ranges)
        return text if self.at_most is None else f"{text}%{self.at_most}"


def parse_array(text: str) -> Indices:
    """The indices that a text names, each once. Raises BadArray."""
    listed, percent, limit = text.replace(" ", "").partition("%")
    if percent and not (limit.isascii() and limit.isdigit() and 0 < int(limit) <= MOST_ELEMENTS):
        raise BadArray(text)
    ranges = [_parse_part(part, text) for part in listed.split(",")]
    if sum(len(each) for each in ranges) > MOST_ELEMENTS:
        raise BadArray(text)
    apart = sorted(ranges, key=lambda each: each.start)
    if any(left[-1] >= right.start for left, right in pairwise(apart)):
        # Ranges that run into each other: list every index, then gather them anew.
        apart = _gather(sorted({index for each in ranges for index in each}))
    return Indices(tuple(apart), int(limit) if percent else None)


def _parse_part(part: str, text: str) -> range:
    match = _PART.fullmatch(part)
    if match is None:
        raise BadArray(text)
    first, last, step = match.groups()
    if step is not None and int(step) == 0:
        raise BadArray(text)
    found = range(int(first), int(last or first) + 1, int(step or 1))
    if not found or found[-1] > LARGEST_INDEX:
        raise BadArray(text)
    return range(found[0], found[-1] + 1, found.step if len(found) > 1 else 1)


def _gather(indices: list[int]) -> list[range]:
    """Neighbouring indices as ranges of step 1."""
    ranges: list[range] = []
    for index in indices:
        if ranges and ranges[-1].stop == index:
            ranges[-1] = range(ranges[-1].start, index + 1)
        else:
            ranges.append(range(index, index + 1))
    return ranges


def _show(indices: range) -> str:
    if len(indices) == 1:
        return str(indices.start)
    step = f":{indices.step}" if indices.step != 1 else ""
    return f"{indices.start}-{indices[-1]}{step}"


@dataclass(frozen=True, slots=True)
class ArrayCounts:
    """How the elements of an array fare. `begun` counts the indices that were started or given up: those from
    there on have not been touched."""

    total: int
    begun: int = 0
    active: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0
    at_most: int | None = None

    @property
    def waiting(self) -> int:
        return self.total - self.active - self.ended

    @property
    def ended(self) -> int:
        return self.succeeded + self.failed + self.cancelled


def array_state(counts: ArrayCounts, now: JobState) -> JobState:
    """The state of the whole, given that of its elements. It stands in the queue as long as it has elements
    to begin; then it runs until its last element has ended."""
    if counts.ended == counts.total:
        if counts.failed and not (counts.cancelled and now is JobState.STOPPING):
            return JobState.FAILED
        return JobState.CANCELLED if counts.cancelled else JobState.SUCCEEDED
    if now in IN_QUEUE and counts.begun < counts.total:
        return now
    return now if now is JobState.STOPPING else JobState.RUNNING


def shown_state(state: JobState, counts: ArrayCounts | None) -> JobState:
    """What people read: an array some of whose elements run is running, though others still wait."""
    if counts is not None and counts.active and state is JobState.WAITING:
        return JobState.RUNNING
    return state


COUNTED = {
    **dict.fromkeys((state.value for state in ACTIVE), "active"),
    JobState.SUCCEEDED.value: "succeeded",
    JobState.FAILED.value: "failed",
    JobState.CANCELLED.value: "cancelled",
}
"""In which number of its array an element in some state is counted; one that waits is counted in none."""
