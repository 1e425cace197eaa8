"""Python functions as jobs: what to call goes in, what came of it goes out. Bytes, never looked into."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection
from starlette.requests import ClientDisconnect

from danlu.api.auth import TheControl, TheUser
from danlu.api.logs.pieces import as_promised, with_zeros
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.control.calls.call_files import result_path
from danlu.control.control import Control
from danlu.control.jobs.job_service import find_job
from danlu.core.errors import Conflict, Invalid, NotFound
from danlu.core.job_id import label_of
from danlu.core.task import LogChunk
from danlu.core.user import User
from danlu.store.jobs.attempts import attempts_of
from danlu.wire.calls import StoredCall

router = make_router("functions")

PIECE = 1 << 20
BYTES = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@dataclass(frozen=True, slots=True)
class ResultFile:
    node: str
    path: str


@router.post("/calls", status_code=201, openapi_extra={"requestBody": {"required": True, **BYTES}})
async def store_call(request: Request, user: TheUser, control: TheControl) -> StoredCall:
    """Hand in what a job shall call, as bytes that the SDK makes. The field `call` of a job names it."""
    try:
        return await control.calls.store(user, request.stream())
    except ClientDisconnect:
        raise Invalid("connection_broke") from None


@router.get(
    "/jobs/{job_id}/result",
    response_class=StreamingResponse,
    responses={200: BYTES},
)
async def read_result(
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    attempt: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> StreamingResponse:
    """What the function of a job gave back, or how it failed, as bytes for the SDK."""
    file = await _find(control, user, job_id, attempt)
    first = await _read(control, file, 0, PIECE)
    if not first.size:
        raise NotFound("no_result", job=label_of(job_id))
    headers = {"Content-Length": str(first.size), "X-Content-Type-Options": "nosniff"}
    pieces = as_promised(first, partial(_read, control, file), PIECE)
    return StreamingResponse(pieces, media_type="application/octet-stream", headers=headers)


async def _find(control: Control, user: User, job_id: int, number: int | None) -> ResultFile:
    def read(connection: Connection) -> ResultFile:
        job = find_job(connection, user, job_id)
        wanted = number or job.attempt
        attempt = next((each for each in attempts_of(connection, job_id) if each.number == wanted), None)
        if number is not None and attempt is None:
            raise NotFound("no_such_attempt", job=label_of(job_id), attempt=number)
        if job.spec.call is None or attempt is None:
            raise NotFound("no_result", job=label_of(job_id))
        if attempt.ended_at is None:
            raise Conflict("result_not_yet", job=label_of(job_id))
        task = attempt.tasks[0]
        path = result_path(control.settings.task_results, job_id, wanted, task.rank)
        return ResultFile(task.allocation.node, path)

    return await control.database.read(read)


async def _read(control: Control, file: ResultFile, offset: int, limit: int) -> LogChunk:
    try:
        piece = await control.agents.read_log(file.node, file.path, offset, limit, None)
        return with_zeros(piece, offset, limit)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise Conflict("result_unreadable", path=file.path, reason=reason) from None
