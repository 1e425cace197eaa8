"""How well a job uses its GPUs."""

from __future__ import annotations

import math

from fastapi import Request, Response
from sqlalchemy import Connection

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath, find_visible_job
from danlu.api.routes.logs import Rank
from danlu.api.routes.nodes import Seconds
from danlu.control.history import LONGEST_S, History
from danlu.core.errors import NotFound
from danlu.core.job import Attempt
from danlu.core.job_id import label_of
from danlu.core.node import Node
from danlu.store.attempts import attempts_of
from danlu.store.nodes import get_node
from danlu.wire.nodes import JobGpuUsage, JobUsage

router = make_router("jobs", "/jobs")

Place = tuple[Attempt, Node | None]


@router.get("/{job_id}/usage", response_model=JobUsage)
async def get_job_usage(
    request: Request,
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    seconds: Seconds = LONGEST_S,
    rank: Rank = 0,
) -> Response:
    """What the GPUs of the job did during its last attempt: those of one rank, where it is on several nodes.
    Everybody may look, as at the GPUs themselves."""

    def read(connection: Connection) -> Place | None:
        find_visible_job(connection, job_id)
        attempts = [attempt for attempt in attempts_of(connection, job_id) if attempt.tasks]
        if not attempts:
            return None
        tasks = attempts[-1].tasks
        if rank >= len(tasks):
            raise NotFound("no_such_rank", job=label_of(job_id), rank=rank, last=len(tasks) - 1)
        return attempts[-1], get_node(connection, tasks[rank].allocation.node)

    async def make() -> JobUsage:
        place = await control.database.read(read)
        if place is None:
            return JobUsage(node=None, times=[], gpus=[])
        return show_usage(*place, control.monitor.history, control.clock() - seconds, rank)

    return await answers.give(request, user, JobUsage, make)


def show_usage(
    attempt: Attempt, node: Node | None, history: History, since: float, rank: int = 0
) -> JobUsage:
    """The history of the GPUs that the attempt has or had, from its start to its end."""
    allocation = attempt.tasks[rank].allocation
    began = attempt.started_at or attempt.created_at
    past = history.of_node(allocation.node, max(since, began), attempt.ended_at or math.inf)
    known = {gpu.index: gpu for gpu in past.gpus}
    cards = {gpu.index: gpu.memory_mb for gpu in node.facts.gpus} if node else {}
    unknown: list[int | None] = [None] * len(past.times)
    return JobUsage(
        node=allocation.node,
        times=past.times,
        gpus=[
            JobGpuUsage(
                index=index,
                memory_mb=cards.get(index, 0),
                load=known[index].load if index in known else unknown,
                used_mb=known[index].used_mb if index in known else unknown,
            )
            for index in allocation.gpu_ids
        ],
    )
