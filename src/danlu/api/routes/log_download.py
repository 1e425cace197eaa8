"""A whole log as a file, of any size, for those who want to keep it."""

from __future__ import annotations

from functools import partial

from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheUser
from danlu.api.logs.pieces import as_promised
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.api.routes.logs import LARGEST_CHUNK, TheLog
from danlu.control.logs.job_logs import LogFile
from danlu.core.job_id import index_of, job_of

router = make_router("logs", "/jobs/{job_id}/log")


@router.get(
    "/download",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def download_log(
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
) -> StreamingResponse:
    """The log as it is now, from its beginning, as a file to keep: of one that was cut, what is left."""
    file = await control.job_logs.find(user, job_id, wanted)
    first = await control.job_logs.read(file, 0, LARGEST_CHUNK)
    headers = {
        "Content-Disposition": f'attachment; filename="{_name(file)}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    if first.cut is None:
        headers["Content-Length"] = str(first.size)
    pieces = as_promised(first, partial(control.job_logs.read, file), LARGEST_CHUNK)
    return StreamingResponse(pieces, media_type="application/octet-stream", headers=headers)


def _name(file: LogFile) -> str:
    index = index_of(file.job_id)
    parts = [f"job-{job_of(file.job_id)}"]
    if index is not None:
        parts.append(str(index))
    if file.attempt is not None and file.attempt.number > 1:
        parts.append(f"attempt-{file.attempt.number}")
    if file.attempt is not None and len(file.attempt.tasks) > 1:
        parts.append(f"rank-{file.rank}")
    if not file.merged:
        parts.append(file.stream)
    return "-".join(parts) + ".log"
