"""Python functions as jobs: what to call goes in, what came of it goes out. Bytes, never looked into."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from danlu.api.auth import TheControl, TheUser
from danlu.api.logs.pieces import as_promised, with_zeros
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.control.calls.call_results import ResultFile
from danlu.control.control import Control
from danlu.core.errors import Invalid, NotFound
from danlu.core.job_id import label_of
from danlu.core.task import LogChunk
from danlu.wire.calls import StoredCall

router = make_router("functions")

PIECE = 1 << 20
BYTES = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


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
    file = await control.call_results.find(user, job_id, attempt)
    first = await _read(control, file, 0, PIECE)
    if not first.size:
        raise NotFound("no_result", job=label_of(job_id))
    headers = {"Content-Length": str(first.size), "X-Content-Type-Options": "nosniff"}
    pieces = as_promised(first, partial(_read, control, file), PIECE)
    return StreamingResponse(pieces, media_type="application/octet-stream", headers=headers)


async def _read(control: Control, file: ResultFile, offset: int, limit: int) -> LogChunk:
    return with_zeros(await control.call_results.read(file, offset, limit), offset, limit)
