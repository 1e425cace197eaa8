"""How well a job uses its GPUs."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge
from fastapi import Request, Response
from sqlalchemy import Connection

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath, find_visible_job
from danlu.api.routes.logs import Rank
from danlu.control.telemetry.job_curves import Curve, fresh_curve, whole_curve
from danlu.core.errors import NotFound
from danlu.core.job import Attempt
from danlu.core.job_id import label_of
from danlu.core.nodes.node import Node
from danlu.store.jobs.attempts import attempts_of
from danlu.store.nodes.node_rows import get_node
from danlu.store.nodes.usage import Span, StoredUsage, read_usage
from danlu.wire.nodes import JobGpuUsage, JobUsage

router = make_router("jobs", "/jobs")

Seconds = Annotated[float, Ge(1)]
Place = tuple[Span, Node | None, StoredUsage | None]


@router.get("/{job_id}/usage", response_model=JobUsage)
async def get_job_usage(
    request: Request,
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    seconds: Seconds | None = None,
    rank: Rank = 0,
) -> Response:
    """What the GPUs of the job did during its last attempt, or in the last `seconds` of now: those of one
    rank, where it is on several nodes. Of a long run fewer points are kept. Everybody may look, as at the
    GPUs themselves."""

    def read(connection: Connection) -> Place | None:
        find_visible_job(connection, job_id)
        attempts = [attempt for attempt in attempts_of(connection, job_id) if attempt.tasks]
        if not attempts:
            return None
        tasks = attempts[-1].tasks
        if rank >= len(tasks):
            raise NotFound("no_such_rank", job=label_of(job_id), rank=rank, last=len(tasks) - 1)
        span = span_of(attempts[-1], job_id, rank)
        return span, get_node(connection, span.node), read_usage(connection, [span.key]).get(span.key)

    async def make() -> JobUsage:
        place = await control.database.read(read)
        if place is None:
            return JobUsage(node=None, times=[], gpus=[])
        span, node, stored = place
        curve = whole_curve(fresh_curve(control.monitor.history, span, stored), stored)
        if seconds is not None:
            since = control.clock() - seconds
            curve = [point for point in curve if point.at >= since]
        return show_usage(span, node, curve)

    return await answers.give(request, user, JobUsage, make)


def span_of(attempt: Attempt, job_id: int, rank: int) -> Span:
    allocation = attempt.tasks[rank].allocation
    began_at = attempt.started_at or attempt.created_at
    key = (job_id, attempt.number, rank)
    return Span(key, allocation.node, allocation.gpu_ids, began_at, attempt.ended_at)


def show_usage(span: Span, node: Node | None, curve: Curve) -> JobUsage:
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
