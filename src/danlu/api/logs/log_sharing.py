"""One log, many followers: each piece is read once and framed once, and one watch wakes them all."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from danlu.cluster.server.agents import Watch
from danlu.core.task import LogChunk

MOST_KEPT_BYTES = 8 << 20
"""So much of all followed logs together is kept for the followers that are a little behind."""
MOST_KEPT_PIECES = 32
KEPT_S = 1.0
"""For so long: a file may be truncated, or another one put in its place."""
LULL_S = 0.03
"""A log that is written to without a pause wakes its followers so often; the first byte after a silence
wakes them at once."""

Read = Callable[[int], Awaitable[LogChunk]]
Frame = Callable[[int, bytes], bytes]


class Piece:
    """Bytes of a log. Followers that need them framed in the same way get the same object."""

    __slots__ = ("_framed", "data", "offset", "read_at")

    def __init__(self, offset: int, data: bytes, read_at: float) -> None:
        self.offset = offset
        self.data = data
        self.read_at = read_at
        self._framed: dict[Frame, bytes] = {}

    @property
    def end(self) -> int:
        return self.offset + len(self.data)

    def framed(self, frame: Frame) -> bytes:
        found = self._framed.get(frame)
        if found is None:
            found = self._framed[frame] = frame(self.offset, self.data)
        return found

    def part_from(self, offset: int) -> Piece:
        return (
            self if offset == self.offset else Piece(offset, self.data[offset - self.offset :], self.read_at)
        )


class SharedLog:
    """A log while it is followed. No follower waits for a slower one: each reads on from its own
    offset, and those at the same offset share the read."""

    def __init__(self, watch: AbstractAsyncContextManager[Watch], may_keep: Callable[[], int]) -> None:
        loop = asyncio.get_running_loop()
        self.followers = 0
        self.change: asyncio.Future[None] = loop.create_future()
        """Done at the next change. Take it before a read: then no change is missed."""
        self._may_keep = may_keep
        self._reads: dict[int, tuple[int, asyncio.Task[Piece]]] = {}
        self._begun = 0
        self._kept: deque[Piece] = deque()
        self._watching: asyncio.Future[None] = loop.create_future()
        self._pump = asyncio.create_task(self._wake_followers(watch))

    async def be_watched(self) -> None:
        """Return when no change goes unnoticed any more."""
        await asyncio.shield(self._watching)

    def close(self) -> None:
        self._pump.cancel()
        self._kept.clear()

    async def read_afresh(self, offset: int, read: Read) -> Piece:
        """What is there now; for a follower's first look, which may count from the end."""
        return self._keep(await read(offset))

    async def read(self, offset: int, read: Read) -> Piece:
        """What comes at `offset`, perhaps as another follower has read it. Empty means that there was nothing
        when this was called, or later."""
        asked = self._begun
        while True:
            kept = self._find(offset)
            if kept is not None:
                return kept
            number, reading = self._reads.get(offset) or self._begin(offset, read)
            await asyncio.wait((reading,))
            # One that had begun before may have been too early to find, or to be allowed, anything.
            if number > asked or (reading.exception() is None and reading.result().data):
                return reading.result()

    def _begin(self, offset: int, read: Read) -> tuple[int, asyncio.Task[Piece]]:
        async def read_and_keep() -> Piece:
            try:
                return self._keep(await read(offset))
            finally:
                del self._reads[offset]

        self._begun += 1
        # A task of its own: the follower that began it may leave while others wait for it.
        reading = asyncio.create_task(read_and_keep())
        reading.add_done_callback(lambda task: task.cancelled() or task.exception())
        self._reads[offset] = self._begun, reading
        return self._reads[offset]

    def _find(self, offset: int) -> Piece | None:
        oldest = time.monotonic() - KEPT_S
        for piece in reversed(self._kept):
            if piece.read_at < oldest:
                return None
            if piece.offset <= offset < piece.end:
                return piece.part_from(offset)
        return None

    def _keep(self, chunk: LogChunk) -> Piece:
        piece = Piece(chunk.offset, chunk.data, time.monotonic())
        if any(chunk.size < kept.end for kept in self._kept):
            # It was truncated, or is another file by now.
            self._kept.clear()
        if piece.data and self.followers > 1:
            self._kept.append(piece)
            room = self._may_keep()
            while self._kept and (
                len(self._kept) > MOST_KEPT_PIECES or sum(len(kept.data) for kept in self._kept) > room
            ):
                self._kept.popleft()
        return piece

    async def _wake_followers(self, watch: AbstractAsyncContextManager[Watch]) -> None:
        try:
            async with watch as watching:
                self._watching.set_result(None)
                while True:
                    await watching.changed()
                    change, self.change = self.change, asyncio.get_running_loop().create_future()
                    change.set_result(None)
                    await asyncio.sleep(LULL_S)
        except Exception as problem:
            failed = self.change if self._watching.done() else self._watching
            failed.set_exception(problem)


class SharedLogs:
    """The logs that are followed now."""

    def __init__(self) -> None:
        self._logs: dict[Hashable, SharedLog] = {}

    @asynccontextmanager
    async def follow(
        self, key: Hashable, watch: Callable[[], AbstractAsyncContextManager[Watch]]
    ) -> AsyncIterator[SharedLog]:
        """The log of this key, the same for all who follow it. The key says also in whose name it is read."""
        log = self._logs.get(key)
        if log is None:
            log = self._logs[key] = SharedLog(watch(), lambda: MOST_KEPT_BYTES // max(1, len(self._logs)))
        log.followers += 1
        try:
            await log.be_watched()
            yield log
        finally:
            log.followers -= 1
            if not log.followers:
                del self._logs[key]
                log.close()
