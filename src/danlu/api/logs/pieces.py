"""A file that may grow, sent as large as it was promised."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

from danlu.core.task import LogChunk


async def as_promised(
    first: LogChunk, read: Callable[[int, int], Awaitable[LogChunk]], largest: int
) -> AsyncIterator[bytes]:
    """From its beginning what is there up to `first.size`, however much it grows meanwhile; without holes
    exactly that many bytes. `read` takes an offset and how much at most."""
    piece = first
    while (data := piece.data[: max(0, first.size - piece.offset)]) and piece.offset < first.size:
        yield data
        if piece.end >= first.size:
            return
        piece = await read(piece.end, min(largest, first.size - piece.end))


def with_zeros(piece: LogChunk, offset: int, limit: int) -> LogChunk:
    """What is at `offset`, byte for byte: a hole reads as zeros. For files whose every byte counts."""
    if piece.offset <= offset and (piece.data or offset >= piece.size):
        return piece
    end = piece.offset if piece.data else piece.size
    return LogChunk(bytes(max(0, min(limit, end - offset))), offset, piece.size)
