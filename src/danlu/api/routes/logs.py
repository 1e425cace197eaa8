"""Logs: by offset, by tail, and live. Never more than a chunk of them in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from annotated_types import Ge, Le
from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import TheLanguage, problem_of
from danlu.api.logs.log_following import LogFollower
from danlu.api.logs.log_formats import FORMATS, FormatName
from danlu.api.logs.log_search import show_matches, while_awaited
from danlu.api.logs.log_sharing import SharedLogs
from danlu.api.logs.log_times import read_times
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.api.streams.sse import stream
from danlu.control.logs.job_logs import JobLogs, LogFile
from danlu.core.errors import Conflict, Invalid
from danlu.core.job_id import job_of, label_of
from danlu.core.logs.log_search import LogSearch
from danlu.core.task import LogChunk
from danlu.wire.fields import ShortText
from danlu.wire.logs import (
    LogInfo,
    LogMatches,
    LogName,
    LogSearchDirection,
    LogSearchKind,
    LogStream,
    LogTimes,
)

router = make_router("logs", "/jobs/{job_id}/log")

LARGEST_CHUNK = 1024 * 1024
LONGEST_TAIL = 16 * 1024 * 1024
MOST_TIMES = 5000

AttemptNumber = Annotated[int | None, Query(ge=1, le=2**31)]
Rank = Annotated[int, Query(ge=0, le=1023)]
Offset = Annotated[int, Ge(-(2**62)), Le(2**62)]


async def read_log_name(
    attempt: AttemptNumber = None, rank: Rank = 0, stream: LogStream = "stdout"
) -> LogName:
    return LogName(attempt, stream, rank)


TheLog = Annotated[LogName, Depends(read_log_name)]


async def get_shared_logs(request: Request) -> SharedLogs:
    logs: SharedLogs = request.app.state.shared_logs
    return logs


TheSharedLogs = Annotated[SharedLogs, Depends(get_shared_logs)]


@router.get("", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
async def read_log(
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    offset: Offset = 0,
    limit: Annotated[int, Ge(1), Le(LARGEST_CHUNK)] = LARGEST_CHUNK,
    lines: Annotated[int | None, Query(ge=0, le=100_000)] = None,
) -> Response:
    """A piece of a log, byte for byte. A negative offset counts from the end; `lines` gives the tail.

    Where a log was cut there is nothing: `X-Log-Cut` says from where to where, and what is asked for there
    begins behind it (`X-Log-Offset`). Of a file that is appended to, the log of an attempt is what it wrote
    itself; `X-Log-Replaced` says that the file is another since, or was truncated: then it is all of that.
    """
    file = await answers.fact(
        ("log", user.name, user.role, job_id, wanted), lambda: control.job_logs.find(user, job_id, wanted)
    )
    chunk = (
        await _read_tail(control.job_logs, file, lines)
        if lines is not None
        else await control.job_logs.read(file, offset, limit)
    )
    headers = {
        "X-Log-Offset": str(chunk.offset),
        "X-Log-Next": str(chunk.offset + len(chunk.data)),
        "X-Log-Size": str(chunk.size),
        "X-Log-Ranks": str(len(file.attempt.tasks) if file.attempt else 1),
        "X-Content-Type-Options": "nosniff",
    }
    if chunk.cut is not None:
        headers["X-Log-Cut"] = f"{chunk.cut[0]}-{chunk.cut[1]}"
    if chunk.replaced:
        headers["X-Log-Replaced"] = "true"
    return Response(chunk.data, media_type="application/octet-stream", headers=headers)


@router.get("/info")
async def read_log_info(
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
    language: TheLanguage,
) -> LogInfo:
    """Where a log is and how large; `problem` says why it cannot be read now, if that is so."""
    file = await control.job_logs.find(user, job_id, wanted)
    problem, chunk = None, LogChunk(b"", 0, 0)
    try:
        chunk = await control.job_logs.read(file, 0, 1)
    except Conflict as refusal:
        problem = problem_of(language, refusal).message
    return LogInfo(
        job=job_of(job_id),
        ref=label_of(job_id),
        attempt=file.attempt.number if file.attempt else 0,
        rank=wanted.rank,
        stream=wanted.stream,
        path=file.path,
        size=chunk.size,
        merged=file.merged,
        discarded=file.discarded,
        ended=file.ended,
        problem=problem,
        cut_at=chunk.cut[0] if chunk.cut else None,
        cut_to=chunk.cut[1] if chunk.cut else None,
        begins_at=file.part.begin if file.part and not chunk.replaced else 0,
        replaced=chunk.replaced,
    )


@router.get("/times")
async def read_log_times(
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
    begin: Annotated[int, Ge(0), Le(2**62)] = 0,
    end: Annotated[int, Ge(0), Le(2**62)] = 2**62,
    limit: Annotated[int, Ge(1), Le(MOST_TIMES)] = MOST_TIMES,
) -> LogTimes:
    """When a log was how long, for its bytes from `begin` to `end`: a line was written between the last time
    whose offset lies before its end and the next one. Looked at every second while a log grows."""
    file = await control.job_logs.find(user, job_id, wanted)
    return await read_times(control.job_logs, file, begin, end, limit)


@router.get("/search")
async def search_log(
    request: Request,
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
    text: ShortText = "",
    offset: Offset | None = None,
    direction: LogSearchDirection = "forward",
    limit: Annotated[int, Ge(1), Le(1000)] = 100,
    ignore_case: bool = True,
    kind: LogSearchKind = "text",
) -> LogMatches:
    """Where something is in a log: a text, or with `kind=error` the first words of trouble.

    Forward from `offset` (the beginning), or backward from there (the end). A call searches a bounded part
    of the log; `next` is where to go on.
    """
    if kind == "text" and not text:
        raise Invalid("no_search_text", field="text")
    file = await control.job_logs.find(user, job_id, wanted)
    search = LogSearch(
        text if kind == "text" else None, offset, direction == "backward", limit, ignore_case=ignore_case
    )
    searched = await while_awaited(request, control.job_logs.search(file, search))
    return show_matches(searched)


@router.get(
    "/follow",
    response_class=StreamingResponse,
    responses={200: {"content": {each.media_type: {} for each in FORMATS.values()}}},
)
async def follow_log(
    job_id: JobIdPath,
    wanted: TheLog,
    user: TheUser,
    control: TheControl,
    logs: TheSharedLogs,
    offset: Offset = 0,
    format_name: Annotated[FormatName, Query(alias="format")] = "events",
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**62)] = None,
) -> StreamingResponse:
    """A log as it grows: `chunk` events whose id is the offset to resume from, then one `end` event.

    A job that waits is waited for. `format=records` gives the bytes as they are: lines of JSON, and behind
    that of a `chunk` its `length` bytes.
    """
    await control.job_logs.find(user, job_id, wanted)
    start = offset if last_event_id is None else last_event_id
    format = FORMATS[format_name]
    follower = LogFollower(control, logs, user, job_id, wanted)
    return stream(format.frame(follower.follow(start)), format.media_type)


async def _read_tail(logs: JobLogs, file: LogFile, lines: int) -> LogChunk:
    """The last lines, read backwards in growing pieces, and never more than a bounded piece."""
    length = 64 * 1024
    # Most logs are shorter than that, and one look is enough for those.
    first = await logs.read(file, -length, length)
    wanted = _last_lines(first.data, lines)
    if first.end >= first.size and (first.offset == 0 or len(wanted) < len(first.data)):
        return replace(first, data=wanted, offset=first.end - len(wanted))
    while True:
        size = (await logs.read(file, 0, 1)).size
        start = at = max(0, size - length)
        data = b""
        while at < size and (piece := await logs.read(file, at, LARGEST_CHUNK)).data:
            if piece.offset > at:
                # What was cut out lies between: these are no neighbours.
                start, data = piece.offset, b""
            data += piece.data
            at = piece.end
        wanted = _last_lines(data, lines)
        if start == 0 or start > size - length or len(wanted) < len(data) or length >= LONGEST_TAIL:
            return replace(first, data=wanted, offset=start + len(data) - len(wanted), size=size)
        length *= 4


def _last_lines(data: bytes, lines: int) -> bytes:
    """The last `lines` lines; a last line without its newline counts as one."""
    if lines == 0:
        return b""
    end = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        end = data.rfind(b"\n", 0, end)
        if end < 0:
            return data
    return data[end + 1 :]
