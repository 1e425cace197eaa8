"""A log in pieces, up to where it ends now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.sdk.resources.job_logs import LogPiece
    from danlu.wire.logs import LogStream


def pieces_from(
    client: Client, job_id: int | str, attempt: int | None, stream: LogStream, rank: int, piece: LogPiece
) -> Iterator[LogPiece]:
    """This piece, and what comes behind it."""
    goal = piece.size
    yield piece
    while piece.data and piece.next < goal:
        piece = client.jobs.log(job_id, attempt=attempt, stream=stream, rank=rank, offset=piece.next)
        yield piece
