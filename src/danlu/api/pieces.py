"""A file that may grow, sent as large as it was promised."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

from danlu.core.task import LogChunk


async def as_promised(
    first: LogChunk, read: Callable[[int, int], Awaitable[LogChunk]], largest: int
) -> AsyncIterator[bytes]:
    """From its beginning exactly `first.size` bytes, however much it grows meanwhile. `read` takes an offset
    and how much at most."""
    data, sent = first.data[: first.size], 0
    while data:
        yield data
        sent += len(data)
        data = b""
        if sent < first.size:
            data = (await read(sent, min(largest, first.size - sent))).data
