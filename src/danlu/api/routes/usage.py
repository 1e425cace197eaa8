"""How well a job uses its GPUs."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge
from fastapi import Request, Response

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.api.routes.logs import Rank
from danlu.wire.nodes.node import JobUsage

router = make_router("jobs", "/jobs")

Seconds = Annotated[float, Ge(1)]


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
    rank, where it is on several nodes. Of a long run fewer points are kept. Every user may look, as at the
    GPUs themselves."""

    return await answers.give(
        request, user, JobUsage, lambda: control.usage_reader.read(job_id, rank, seconds)
    )
