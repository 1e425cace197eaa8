"""Logs: by offset, by tail, and live. Never more than a chunk of them in memory."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le
from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheAccess, TheControl, TheIdentity, TheUser
from danlu.api.routes.jobs import JobIdPath
from danlu.api.sse import HEARTBEAT, HEARTBEAT_S, frame, stream
from danlu.cluster.agents import Watch
from danlu.control.access import Access, Identity
from danlu.control.control import Control
from danlu.control.hub import Subscription
from danlu.control.jobs import find_job
from danlu.control.outputs import DISCARD, task_outputs
from danlu.core.errors import Conflict, NotFound
from danlu.core.job import Attempt
from danlu.core.job_id import job_of, label_of
from danlu.core.states import ENDED
from danlu.core.task import LogChunk
from danlu.core.user import User
from danlu.store.attempts import attempts_of
from danlu.store.users import get_user
from danlu.wire.jobs import LogInfo, LogStream

router = APIRouter(prefix="/jobs/{job_id}/log", tags=["logs"])

LARGEST_CHUNK = 1024 * 1024
FOLLOW_CHUNK = 256 * 1024
LONGEST_TAIL = 16 * 1024 * 1024

AttemptNumber = Annotated[int | None, Query(ge=1, le=2**31)]
Offset = Annotated[int, Ge(-(2**62)), Le(2**62)]


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where one stream of one attempt is. No `path` yet: the job has not been placed."""

    job_id: int
    attempt: Attempt | None
    job_over: bool
    stream: LogStream
    node: str
    path: str | None
    merged: bool
    owner: User | None
    own: bool
    """It is Danlu's own log, in Danlu's own area, where nobody can put another file in its place."""

    @property
    def discarded(self) -> bool:
        return self.path == DISCARD

    @property
    def ended(self) -> bool:
        return self.attempt.ended_at is not None if self.attempt else self.job_over


@router.get("", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
async def read_log(
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    attempt: AttemptNumber = None,
    stream: LogStream = "stdout",
    offset: Offset = 0,
    limit: Annotated[int, Ge(1), Le(LARGEST_CHUNK)] = LARGEST_CHUNK,
    lines: Annotated[int | None, Query(ge=0, le=100_000)] = None,
) -> Response:
    """A piece of a log, byte for byte. A negative offset counts from the end; `lines` gives the tail."""
    file = await answers.fact(
        ("log", user.name, user.role, job_id, attempt, stream),
        lambda: _find(control, user, job_id, attempt, stream),
    )
    chunk = (
        await _read_tail(control, file, lines)
        if lines is not None
        else await _read(control, file, offset, limit)
    )
    headers = {
        "X-Log-Offset": str(chunk.offset),
        "X-Log-Next": str(chunk.offset + len(chunk.data)),
        "X-Log-Size": str(chunk.size),
        "X-Content-Type-Options": "nosniff",
    }
    return Response(chunk.data, media_type="application/octet-stream", headers=headers)


@router.get("/info")
async def read_log_info(
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    attempt: AttemptNumber = None,
    stream: LogStream = "stdout",
) -> LogInfo:
    """Where a log is and how large."""
    file = await _find(control, user, job_id, attempt, stream)
    problem = None
    try:
        size = (await _read(control, file, 0, 1)).size
    except Conflict as refusal:
        size, problem = 0, str(refusal.facts["reason"])
    return LogInfo(
        job=job_of(job_id),
        ref=label_of(job_id),
        attempt=file.attempt.number if file.attempt else 0,
        stream=stream,
        path=file.path,
        size=size,
        merged=file.merged,
        discarded=file.discarded,
        ended=file.ended,
        problem=problem,
    )


@router.get(
    "/follow", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}}
)
async def follow_log(
    job_id: JobIdPath,
    user: TheUser,
    identity: TheIdentity,
    control: TheControl,
    access: TheAccess,
    attempt: AttemptNumber = None,
    stream_name: Annotated[LogStream, Query(alias="stream")] = "stdout",
    offset: Offset = 0,
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**62)] = None,
) -> StreamingResponse:
    """A log as it grows: `chunk` events whose id is the offset to resume from, then one `end` event.

    A job that waits is waited for.
    """
    await _find(control, user, job_id, attempt, stream_name)
    start = offset if last_event_id is None else last_event_id
    return stream(_follow(control, access, identity, job_id, attempt, stream_name, start))


async def _follow(
    control: Control,
    access: Access,
    identity: Identity,
    job_id: int,
    number: int | None,
    name: LogStream,
    offset: int,
) -> AsyncIterator[bytes]:
    user = identity.user
    with control.hub.subscribe() as news:
        file = await _find(control, user, job_id, number, name)
        while file.path is None and not file.ended:
            yield HEARTBEAT
            await _wait(news, job_id, None)
            if news.closed:
                return
            file = await _find(control, user, job_id, number, name)
        if file.path is None or file.discarded or file.attempt is None:
            yield frame("end", await _outcome(control, user, file))
            return
        async with control.agents.watch_log(file.node, file.path) as watch:
            while True:
                chunk = await _read_if_possible(control, file, offset)
                if chunk.data:
                    offset = chunk.offset + len(chunk.data)
                    yield _chunk_frame(chunk)
                    continue
                if file.ended:
                    break
                happened = await _wait(news, job_id, watch)
                if news.closed or (happened == "nothing" and not await access.is_still_valid(identity)):
                    return
                if happened != "file":
                    # Looked up before the next read: once it says the end, that read is the last word.
                    file = await _find(control, user, job_id, file.attempt.number, name)
                if happened == "nothing":
                    yield HEARTBEAT
        yield frame("end", await _outcome(control, user, file))


async def _read_if_possible(control: Control, file: LogFile, offset: int) -> LogChunk:
    """The next piece; none while the log cannot be read. Whoever follows still learns of the job's end."""
    try:
        return await _read(control, file, offset, FOLLOW_CHUNK)
    except Conflict:
        return LogChunk(b"", offset, offset)


def _chunk_frame(chunk: LogChunk) -> bytes:
    following = chunk.offset + len(chunk.data)
    data = {"offset": chunk.offset, "next": following, "base64": base64.b64encode(chunk.data).decode()}
    return frame("chunk", data, following)


async def _wait(news: Subscription, job_id: int, watch: Watch | None) -> Literal["job", "file", "nothing"]:
    """Wait until something happens to the job or its file changes; at most until a heartbeat is due."""
    job = asyncio.ensure_future(_news_of(news, job_id))
    waits = [job, asyncio.ensure_future(watch.changed())] if watch is not None else [job]
    try:
        done, _ = await asyncio.wait(waits, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
    if job in done:
        return "job"
    return "file" if done else "nothing"


async def _news_of(news: Subscription, job_id: int) -> None:
    while not news.closed:
        events = await news.next()
        if news.overrun or any(event.job_id == job_id for event in events):
            news.overrun = False
            return


async def _outcome(control: Control, user: User, file: LogFile) -> dict[str, Any]:
    job = await control.database.read(lambda connection: find_job(connection, user, file.job_id))
    of = file.attempt or job
    return {
        "state": job.state.value,
        "attempt": file.attempt.number if file.attempt else 0,
        "end_reason": of.end_reason.value if of.end_reason else None,
        "exit_code": of.exit_code,
        "signal": of.signal,
    }


async def _find(control: Control, user: User, job_id: int, number: int | None, name: LogStream) -> LogFile:
    def read(connection: Connection) -> LogFile:
        job = find_job(connection, user, job_id)
        if job.is_array:
            raise Conflict("array_has_no_log", job=job_id)
        attempts = attempts_of(connection, job_id)
        wanted = number or job.attempt
        attempt = next((each for each in attempts if each.number == wanted), None)
        if number is not None and attempt is None:
            raise NotFound("no_such_attempt", job=label_of(job_id), attempt=number)
        over = job.state in ENDED
        owner = get_user(connection, job.owner)
        if attempt is None:
            return LogFile(job_id, None, over, name, "", None, True, owner, True)
        task = attempt.tasks[0]
        stdout, stderr = task_outputs(control.settings.logs, job_id, attempt.number, task)
        path = stdout if name == "stdout" else stderr
        own = not (task.stdout_path if name == "stdout" else task.stderr_path)
        return LogFile(job_id, attempt, over, name, task.allocation.node, path, stdout == stderr, owner, own)

    return await control.database.read(read)


async def _read(control: Control, file: LogFile, offset: int, limit: int) -> LogChunk:
    if file.path is None or file.discarded:
        return LogChunk(b"", 0, 0)
    uid = None if file.own else control.accounts.uid_for(file.owner)
    if uid is None and not file.own:
        # Whose file it may be cannot be told any more, and the server may be able to read every file.
        raise Conflict("log_unreadable", path=file.path, reason="its account is gone")
    try:
        return await control.agents.read_log(file.node, file.path, offset, limit, uid)
    except OSError as problem:
        raise Conflict("log_unreadable", path=file.path, reason=problem.strerror or str(problem)) from None


async def _read_tail(control: Control, file: LogFile, lines: int) -> LogChunk:
    """The last lines, read backwards in growing pieces, and never more than a bounded piece."""
    length = 64 * 1024
    # Most logs are shorter than that, and one look is enough for those.
    first = await _read(control, file, -length, length)
    wanted = _last_lines(first.data, lines)
    if first.offset == 0 or len(wanted) < len(first.data):
        return LogChunk(wanted, first.offset + len(first.data) - len(wanted), first.size)
    while True:
        size = (await _read(control, file, 0, 1)).size
        start = max(0, size - length)
        data = b""
        while start + len(data) < size:
            piece = await _read(control, file, start + len(data), LARGEST_CHUNK)
            if not piece.data:
                break
            data += piece.data
        wanted = _last_lines(data, lines)
        if start == 0 or len(wanted) < len(data) or length >= LONGEST_TAIL:
            return LogChunk(wanted, start + len(data) - len(wanted), size)
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
