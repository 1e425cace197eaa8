"""The curve of a task's GPUs: thinned, so that a month takes no more room than an hour, and packed.

Times fall into equal buckets, each of which becomes one point: the mean load, and the most memory. Wider
buckets are made of whole narrower ones, so that a curve can be thinned again and again.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from danlu.control.telemetry.readings_history import LONGEST_STEP_S, STEP_S, ReadingsHistory
from danlu.core.resources import Used
from danlu.store.nodes.usage import Span, StoredUsage
from danlu.wire.nodes.node import NodeHistory

MOST_POINTS = 720

Values = tuple[int | None, ...]


class Point(NamedTuple):
    """The load and the memory of each of a task's GPUs, in their order. None: nothing was known."""

    at: float
    load: Values
    used_mb: Values


Curve = list[Point]


def curve_of(past: NodeHistory, gpu_ids: Sequence[int]) -> Curve:
    """What a node remembers of some of its GPUs."""
    known = {gpu.index: gpu for gpu in past.gpus}
    unknown: list[int | None] = [None] * len(past.times)
    load = [known[index].load if index in known else unknown for index in gpu_ids]
    used_mb = [known[index].used_mb if index in known else unknown for index in gpu_ids]
    return [
        Point(at, tuple(column[place] for column in load), tuple(column[place] for column in used_mb))
        for place, at in enumerate(past.times)
    ]


def fresh_curve(history: ReadingsHistory, span: Span, stored: StoredUsage | None) -> Curve:
    """What the history knows of a task beyond what is stored."""
    since = max(span.began_at, stored.until if stored else -math.inf)
    past = history.of_node(span.node, since, math.inf if span.ended_at is None else span.ended_at)
    return [point for point in curve_of(past, span.gpu_ids) if stored is None or point.at > stored.until]


def whole_curve(fresh: Curve, stored: StoredUsage | None) -> Curve:
    """What is stored, and what came after it."""
    return join(unpack(stored.data), fresh) if stored else fresh


def join(earlier: Curve, later: Curve) -> Curve:
    """One behind the other; with a gap, where nothing was measured in between."""
    if not earlier:
        return later
    last = earlier[-1]
    usual_s = last.at - earlier[-2].at if len(earlier) > 1 else STEP_S
    behind = [last, *(point for point in later if point.at > last.at)]
    return earlier[:-1] + _show_gaps(behind, max(LONGEST_STEP_S, 2 * usual_s))


def thin(curve: Curve) -> Curve:
    """At most `MOST_POINTS`, and the gaps between them."""
    if len(curve) <= MOST_POINTS:
        return curve
    width_s = STEP_S
    while (curve[-1].at - curve[0].at) / width_s >= MOST_POINTS - 1:
        width_s *= 2
    buckets = groupby(curve, lambda point: point.at // width_s)
    return _show_gaps([_merge(list(points)) for _, points in buckets], max(LONGEST_STEP_S, 2 * width_s))


def summarise_curves(curves: Sequence[Curve]) -> Used:
    """What the GPUs of an attempt did, from the curves of its tasks."""
    loads = [load for curve in curves for point in curve for load in point.load if load is not None]
    used_mb = [used for curve in curves for point in curve for used in point.used_mb if used is not None]
    return Used(
        gpu_load=sum(loads) / len(loads) if loads else None,
        gpu_load_peak=max(loads, default=None),
        gpu_memory_mb=round(sum(used_mb) / len(used_mb)) if used_mb else None,
        gpu_memory_peak_mb=max(used_mb, default=None),
    )


def pack(curve: Curve) -> bytes:
    columns = [list(column) for column in zip(*curve, strict=True)]
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode())


def unpack(data: bytes) -> Curve:
    rows = zip(*json.loads(zlib.decompress(data)), strict=True)
    return [Point(at, tuple(load), tuple(used_mb)) for at, load, used_mb in rows]


def _merge(points: Curve) -> Point:
    return Point(
        points[0].at,
        tuple(_mean(values) for values in zip(*(point.load for point in points), strict=True)),
        tuple(_most(values) for values in zip(*(point.used_mb for point in points), strict=True)),
    )


def _mean(values: Values) -> int | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known)) if known else None


def _most(values: Values) -> int | None:
    return max((value for value in values if value is not None), default=None)


def _show_gaps(curve: Curve, longest_step_s: float) -> Curve:
    """With a point that knows nothing wherever two are further apart than that: no line is drawn across."""
    shown = curve[:1]
    for before, point in pairwise(curve):
        if point.at - before.at > longest_step_s and not _is_unknown(before) and not _is_unknown(point):
            unknown = (None,) * len(before.load)
            shown.append(Point((before.at + point.at) / 2, unknown, unknown))
        shown.append(point)
    return shown


def _is_unknown(point: Point) -> bool:
    return all(value is None for value in (*point.load, *point.used_mb))
