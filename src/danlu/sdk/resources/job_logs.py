"""The logs of jobs: read in pieces, searched, followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from danlu.sdk.following import LogFollowing
from danlu.wire.logs import (
    LogInfo,
    LogMatch,
    LogMatches,
    LogName,
    LogStream,
    LogTimes,
)

if TYPE_CHECKING:
    from danlu.sdk.api import Api

JobId = int | str
"""Of a job, `12`; of one element of an array, `"12[3]"`."""

LOG_PIECE = 1 << 20
"""The most bytes of a log that the server sends in one answer."""


def path_of(job_id: JobId) -> str:
    """Where the API has a job."""
    return f"/jobs/{quote(str(job_id), safe='')}"


@dataclass(frozen=True, slots=True)
class LogPiece:
    """Bytes of a log from `offset` up to `next` of its `size`; there are `ranks` such logs."""

    data: bytes
    offset: int
    next: int
    size: int
    ranks: int = 1
    cut: tuple[int, int] | None = None
    """It was cut: between these two there is nothing in it any more."""
    replaced: bool = False
    """The file that the job named is another since, or was truncated: this is all of it, other writers'
    too."""


class LogCalls:
    """The calls of `client.jobs` that are about logs."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def search_log(
        self,
        job_id: JobId,
        text: str | None = None,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
        offset: int | None = None,
        backward: bool = False,
        ignore_case: bool = True,
    ) -> Iterator[LogMatch]:
        """Where a text is in a log, or without one the first words of trouble (Traceback, error:, NaN…)."""
        query: dict[str, Any] = {"text": text, "kind": "error" if text is None else "text"}
        query |= asdict(LogName(attempt, stream, rank)) | {"ignore_case": ignore_case}
        query["direction"] = "backward" if backward else "forward"
        while True:
            part = self._api.get(LogMatches, f"{_path(job_id)}/search", {**query, "offset": offset})
            yield from part.matches
            if part.next is None:
                return
            offset = part.next

    def log(
        self,
        job_id: JobId,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
        offset: int = 0,
        limit: int = LOG_PIECE,
    ) -> LogPiece:
        """A piece of a log; of a job over several nodes, of one `rank`. A negative offset counts from its
        end."""
        return self._log(job_id, LogName(attempt, stream, rank), offset=offset, limit=limit)

    def log_tail(
        self,
        job_id: JobId,
        lines: int,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
    ) -> LogPiece:
        return self._log(job_id, LogName(attempt, stream, rank), lines=lines)

    def read_log(
        self,
        job_id: JobId,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
        offset: int = 0,
    ) -> Iterator[bytes]:
        """A log up to where it ends now, in pieces."""
        piece = self._log(job_id, LogName(attempt, stream, rank), offset=offset, limit=LOG_PIECE)
        goal = piece.size
        yield piece.data
        while piece.data and piece.next < goal:
            limit = min(LOG_PIECE, goal - piece.next)
            piece = self._log(job_id, LogName(attempt, stream, rank), offset=piece.next, limit=limit)
            yield piece.data

    def log_lines(
        self,
        job_id: JobId,
        at: int,
        to: int | None = None,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
    ) -> Iterator[LogPiece]:
        """From byte `at` to the end of the line in which byte `to` lies (without it, of the line of `at`),
        in pieces: what a link with `at=…&to=…` points to. Nothing where that was cut out."""
        last = at if to is None else to
        while True:
            piece = self._log(job_id, LogName(attempt, stream, rank), offset=at, limit=LOG_PIECE)
            if not piece.data or piece.offset > last:
                return
            end = piece.data.find(b"\n", last - piece.offset)
            if end >= 0:
                yield replace(piece, data=piece.data[: end + 1], next=piece.offset + end + 1)
                return
            yield piece
            at, last = piece.next, max(last, piece.next)

    def log_info(
        self, job_id: JobId, *, attempt: int | None = None, stream: LogStream = "stdout", rank: int = 0
    ) -> LogInfo:
        return self._api.get(LogInfo, f"{_path(job_id)}/info", asdict(LogName(attempt, stream, rank)))

    def log_times(
        self,
        job_id: JobId,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
        begin: int = 0,
        end: int | None = None,
    ) -> LogTimes:
        """When a log was how long, for the bytes from `begin` to `end`."""
        query = asdict(LogName(attempt, stream, rank)) | {"begin": begin, "end": end}
        return self._api.get(LogTimes, f"{_path(job_id)}/times", query)

    def follow(
        self,
        job_id: JobId,
        *,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
        offset: int = 0,
    ) -> LogFollowing:
        """The bytes of an attempt's log until it ends (by default of the latest attempt there is now). A
        negative offset counts from where the log ends now."""
        if attempt is None or offset < 0:
            info = self.log_info(job_id, attempt=attempt, stream=stream, rank=rank)
            # A job that has not been placed has no attempt yet; the server waits for its first.
            attempt = info.attempt or None
            offset = offset if offset >= 0 else max(0, info.size + offset)
        query = asdict(LogName(attempt, stream, rank))
        return LogFollowing(self._api, f"{_path(job_id)}/follow", query, offset)

    def _log(self, job_id: JobId, wanted: LogName, **place: int) -> LogPiece:
        headers = {"Accept": "application/octet-stream"}
        reply = self._api.call("GET", _path(job_id), query=asdict(wanted) | place, headers=headers)
        offset = int(reply.headers.get("x-log-offset", 0))
        end = int(reply.headers.get("x-log-next", offset + len(reply.body)))
        size = int(reply.headers.get("x-log-size", end))
        cut_at, _, cut_to = reply.headers.get("x-log-cut", "").partition("-")
        return LogPiece(
            reply.body,
            offset,
            end,
            size,
            int(reply.headers.get("x-log-ranks", 1)),
            (int(cut_at), int(cut_to)) if cut_to else None,
            "x-log-replaced" in reply.headers,
        )


def _path(job_id: JobId) -> str:
    return f"{path_of(job_id)}/log"
