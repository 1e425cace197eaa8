"""Following a log: from before its file exists to the end of its job."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from danlu.api.logs.log_sharing import Piece, SharedLog, SharedLogs
from danlu.api.streams.sse import HEARTBEAT_S
from danlu.control.control import Control
from danlu.control.event_bus import JOB_KINDS, Subscription
from danlu.control.logs.job_logs import LogFile
from danlu.core.errors import Conflict
from danlu.core.events import Event
from danlu.core.task import LogChunk
from danlu.core.user import User
from danlu.wire.logs import LogName

FOLLOW_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class LogFinished:
    """How the attempt ended: the last that is told of its log."""

    outcome: dict[str, Any]


LogNews = Piece | LogFinished | None
"""None: it was quiet for long."""


@dataclass(frozen=True, slots=True)
class LogFollower:
    """One who follows one log of one attempt."""

    control: Control
    logs: SharedLogs
    user: User
    job_id: int
    wanted: LogName
    chunk: int = FOLLOW_CHUNK
    """So much at a time, at most."""

    async def follow(self, offset: int) -> AsyncIterator[LogNews]:
        """The log from `offset` as it grows, then how its attempt ended. Ends early when the server stops."""
        with (
            self.control.bus.subscribe(JOB_KINDS) as subscription,
            _news(subscription, self.job_id) as news,
        ):
            file = await self._find()
            while (file.path is None or file.is_ahead) and not file.ended:
                yield None
                await news.wait(HEARTBEAT_S)
                happened = news.take()
                if news.closed:
                    return
                if happened:
                    file = await self._find()
            if file.path is None or file.discarded or file.attempt is None:
                yield LogFinished(await self._outcome(file))
                return
            placed = file
            async with self.logs.follow(file.reading, lambda: self.control.job_logs.watch(placed)) as log:
                async for told in self._follow_file(log, news, file, offset):
                    yield told

    async def _follow_file(
        self, log: SharedLog, news: _News, file: LogFile, offset: int
    ) -> AsyncIterator[LogNews]:
        due = time.monotonic() + HEARTBEAT_S
        first = True
        while not news.closed:
            change = log.change
            piece = await self._read(log, file, offset, afresh=first or offset < 0)
            first = False
            if piece.data:
                offset = piece.end
                yield piece
            elif file.ended:
                yield LogFinished(await self._outcome(file))
                return
            else:
                await news.wait(due - time.monotonic(), change)
            is_due = time.monotonic() >= due
            happened = news.take()
            if happened:
                # Looked up before the next read: once it says the end, that read is the last word.
                file = await self._find(file)
            if is_due:
                yield None
                due = time.monotonic() + HEARTBEAT_S

    async def _find(self, found: LogFile | None = None) -> LogFile:
        """Once an attempt was found it stays with that one, whatever comes after it."""
        wanted = self.wanted
        if found is not None and found.attempt is not None:
            wanted = replace(wanted, attempt=found.attempt.number)
        return await self.control.job_logs.find(self.user, self.job_id, wanted)

    async def _read(self, log: SharedLog, file: LogFile, offset: int, *, afresh: bool) -> Piece:
        """The next piece; none while the log cannot be read. The follower still learns of the job's
        end."""

        async def read(start: int) -> LogChunk:
            return await self.control.job_logs.read(file, start, self.chunk)

        try:
            return await (log.read_afresh(offset, read) if afresh else log.read(offset, read))
        except Conflict:
            return Piece(offset, b"", 0.0)

    async def _outcome(self, file: LogFile) -> dict[str, Any]:
        job = await self.control.job_lookup.find_own(self.user, file.job_id)
        of = file.attempt or job
        return {
            "state": job.state.value,
            "attempt": file.attempt.number if file.attempt else 0,
            "end_reason": of.end_reason.value if of.end_reason else None,
            "exit_code": of.exit_code,
            "signal": of.signal,
        }


class _News:
    """Whether anything happened to the job since the follower last looked."""

    def __init__(self, subscription: Subscription, job_id: int) -> None:
        self._subscription = subscription
        self._job_id = job_id
        self._happened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def closed(self) -> bool:
        """The server stops."""
        return self._subscription.closed

    async def listen(self) -> None:
        news = self._subscription
        while not news.closed:
            events = await news.next()
            is_news = news.take_overrun() or news.closed or any(self._concerns(event) for event in events)
            if is_news and not self._happened.done():
                self._happened.set_result(None)

    async def wait(self, timeout_s: float, *others: asyncio.Future[None]) -> None:
        """Until there are news or one of `others` is done."""
        await asyncio.wait(
            (self._happened, *others), timeout=max(0.0, timeout_s), return_when=asyncio.FIRST_COMPLETED
        )

    def take(self) -> bool:
        happened = self._happened.done()
        if happened:
            self._happened = asyncio.get_running_loop().create_future()
        return happened

    def _concerns(self, event: Event) -> bool:
        return event.job_id == self._job_id


@contextmanager
def _news(subscription: Subscription, job_id: int) -> Iterator[_News]:
    news = _News(subscription, job_id)
    listening = asyncio.create_task(news.listen())
    try:
        yield news
    finally:
        listening.cancel()
