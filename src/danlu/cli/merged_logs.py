"""The output of all ranks of an attempt as one: every line behind the rank that wrote it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from danlu.cli.following import write_bytes
from danlu.cli.log_pieces import pieces_from
from danlu.cli.stamped_lines import StampedLines
from danlu.sdk.errors import ClientError

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.logs import LogStream


class MergedLogs:
    """Lines of one rank stay in their order; between ranks it is the order in which they came to us."""

    def __init__(
        self,
        client: Client,
        job_id: int | str,
        attempt: int | None,
        stream: LogStream,
        ranks: int,
        timestamps: bool = False,
    ) -> None:
        self._client = client
        self._job_id = job_id
        self._attempt = attempt
        self._stream: LogStream = stream
        self._ranks = range(ranks)
        self._timestamps = timestamps
        self._width = len(str(ranks - 1))
        self._one_at_a_time = threading.Lock()
        self._fault: Exception | None = None

    def print(self, tail: int | None) -> None:
        """What there is now, rank by rank; with `tail` the last lines of each."""
        for rank in self._ranks:
            self._write(rank, self._read(rank, tail))

    def _stamping(self, rank: int, begin: int) -> StampedLines | None:
        if not self._timestamps:
            return None
        jobs, attempt, stream = self._client.jobs, self._attempt, self._stream
        told = jobs.log_times(self._job_id, attempt=attempt, stream=stream, rank=rank, begin=begin)
        return StampedLines(told)

    def follow(self) -> None:
        """From the beginning to the end of the attempt, all ranks at once. Raises what kept one of them from
        that, once the others are done."""
        threads = [threading.Thread(target=self._follow, args=(rank,), daemon=True) for rank in self._ranks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._fault is not None:
            raise self._fault

    def _follow(self, rank: int) -> None:
        try:
            following = self._client.jobs.follow(
                self._job_id, attempt=self._attempt, stream=self._stream, rank=rank
            )
            lines = self._stamping(rank, 0)
            if lines is None:
                self._write(rank, following)
            else:
                lines.live = True
                placed = ((following.offset - len(data), data) for data in following)
                self._write(rank, _stamped(lines, placed))
        except (ClientError, OSError) as fault:
            self._fault = fault

    def _read(self, rank: int, tail: int | None) -> Iterable[bytes]:
        client, job_id, attempt, stream = self._client, self._job_id, self._attempt, self._stream
        if tail is not None:
            first = client.jobs.log_tail(job_id, tail, attempt=attempt, stream=stream, rank=rank)
        else:
            first = client.jobs.log(job_id, attempt=attempt, stream=stream, rank=rank)
        lines = self._stamping(rank, first.offset)
        pieces = pieces_from(client, job_id, attempt, stream, rank, first)
        if lines is None:
            return (piece.data for piece in pieces)
        return _stamped(lines, ((piece.offset, piece.data) for piece in pieces))

    def _write(self, rank: int, pieces: Iterable[bytes]) -> None:
        mark = f"[{rank:>{self._width}}] ".encode()
        for lines in whole_lines(pieces):
            marked = b"".join(mark + line for line in lines)
            with self._one_at_a_time:
                write_bytes(sys.stdout, marked)


def _stamped(lines: StampedLines, pieces: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    for offset, data in pieces:
        yield lines.push(offset, data)
    yield lines.finish()


def whole_lines(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines that each piece completes; what is left without an end gets one."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        if lines:
            yield [line + b"\n" for line in lines]
    if rest:
        yield [rest + b"\n"]
