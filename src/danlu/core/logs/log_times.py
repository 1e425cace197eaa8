"""When a log was how long, as its node has written it down beside it."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

SUFFIX = ".times"
MOST_BYTES = 1 << 20
"""More than any node writes of one log."""
_LARGEST_OFFSET = 2**62
_LATEST = 1e11


class LogMoment(NamedTuple):
    """At this moment the log was so long: what lies before `offset` had been written by then."""

    offset: int
    at: float


def parse_times(data: bytes) -> list[LogMoment]:
    """Growing in both. A node wrote this: what makes no sense in it is left out."""
    times: list[LogMoment] = []
    for line in data.splitlines():
        found = _parse(line)
        if found is None or (times and found.at < times[-1].at):
            continue
        # The log was truncated: what was there beyond is gone, and what is there now came later.
        while times and times[-1].offset > found.offset:
            times.pop()
        if not times or found.offset > times[-1].offset:
            times.append(found)
    return times


def _parse(line: bytes) -> LogMoment | None:
    try:
        offset, at = line.split()
        found = LogMoment(int(offset), float(at))
    except ValueError:
        return None
    is_sense = 0 <= found.offset <= _LARGEST_OFFSET and math.isfinite(found.at) and 0 <= found.at <= _LATEST
    return found if is_sense else None


def between(times: Sequence[LogMoment], begin: int, end: int, most: int) -> list[LogMoment]:
    """Those that tell when the bytes from `begin` to `end` were written, with one on either side; of too many
    only some, the last of them always."""
    offsets = [time.offset for time in times]
    first = max(0, bisect_right(offsets, begin) - 1)
    last = min(len(times), bisect_left(offsets, end) + 1)
    wanted = list(times[first:last])
    step = -(-len(wanted) // max(1, most))
    return wanted[(len(wanted) - 1) % step :: step] if step > 1 else wanted
