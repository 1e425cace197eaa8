"""How well a job uses its GPUs: the curve of one of its tasks, as it is stored and as it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from danlu.control.identity.rights import find_visible_job
from danlu.control.telemetry.job_curves import Curve, fresh_curve, summarise_curves, whole_curve
from danlu.control.telemetry.readings_history import ReadingsHistory
from danlu.core.errors import NotFound
from danlu.core.job import Attempt
from danlu.core.job_id import label_of
from danlu.core.nodes.node import Node
from danlu.store.engine.database import Database
from danlu.store.jobs.attempts import attempts_of
from danlu.store.nodes.node_rows import get_node
from danlu.store.nodes.usage import Span, StoredUsage, read_usage
from danlu.wire.nodes.node import JobGpuUsage, JobUsage

Place = tuple[Span, Node | None, StoredUsage | None]


@dataclass(frozen=True, slots=True)
class UsageReader:
    database: Database
    history: ReadingsHistory
    clock: Callable[[], float]

    async def read(self, job_id: int, rank: int, last_s: float | None) -> JobUsage:
        """Of the last attempt of a job, or the last `last_s`. Every user may see it. Raises NotFound."""
        place = await self.database.read(lambda connection: _find(connection, job_id, rank))
        if place is None:
            return JobUsage(node=None, times=[], gpus=[])
        span, node, stored = place
        curve = whole_curve(fresh_curve(self.history, span, stored), stored)
        if last_s is not None:
            since = self.clock() - last_s
            curve = [point for point in curve if point.at >= since]
        return _show(span, node, curve)

    async def with_gpus(self, attempts: list[Attempt]) -> list[Attempt]:
        """The attempts, the last of them with what its GPUs did if it has ended just now: that is written
        down a few seconds later."""
        last = attempts[-1] if attempts else None
        if last is None or last.ended_at is None or not last.used.gpu_s or last.used.gpu_load is not None:
            return attempts
        spans = [_span_of(last, last.job_id, task.rank) for task in last.tasks]
        keys = [span.key for span in spans]
        stored = await self.database.read(lambda connection: read_usage(connection, keys))
        curves = [
            whole_curve(fresh_curve(self.history, span, stored.get(span.key)), stored.get(span.key))
            for span in spans
        ]
        seen = summarise_curves(curves)
        used = replace(seen, **{name: getattr(last.used, name) for name in _COUNTED})
        return [*attempts[:-1], replace(last, used=used)]


_COUNTED = ("cpu_s", "peak_memory_mb", "gpu_s")


def _find(connection: Connection, job_id: int, rank: int) -> Place | None:
    find_visible_job(connection, job_id)
    attempts = [attempt for attempt in attempts_of(connection, job_id) if attempt.tasks]
    if not attempts:
        return None
    tasks = attempts[-1].tasks
    if rank >= len(tasks):
        raise NotFound("no_such_rank", job=label_of(job_id), rank=rank, last=len(tasks) - 1)
    span = _span_of(attempts[-1], job_id, rank)
    return span, get_node(connection, span.node), read_usage(connection, [span.key]).get(span.key)


def _span_of(attempt: Attempt, job_id: int, rank: int) -> Span:
    allocation = attempt.tasks[rank].allocation
    began_at = attempt.started_at or attempt.created_at
    key = (job_id, attempt.number, rank)
    return Span(key, allocation.node, allocation.gpu_ids, began_at, attempt.ended_at)


def _show(span: Span, node: Node | None, curve: Curve) -> JobUsage:
    cards = {gpu.index: gpu.memory_mb for gpu in node.facts.gpus} if node else {}
    return JobUsage(
        node=span.node,
        times=[point.at for point in curve],
        gpus=[
            JobGpuUsage(
                index=index,
                memory_mb=cards.get(index, 0),
                load=[point.load[place] for point in curve],
                used_mb=[point.used_mb[place] for point in curve],
            )
            for place, index in enumerate(span.gpu_ids)
        ],
    )
