"""Following the server's own log, for as long as one may."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from danlu.api.sse import HEARTBEAT, HEARTBEAT_S, frame
from danlu.control.control import Control
from danlu.control.server_log import Entry, Wanted, may_read_server_log
from danlu.core.events import EventKind
from danlu.core.user import User
from danlu.wire.server_log import ServerLogEntry


def show_entry(entry: Entry, wanted: Wanted) -> ServerLogEntry:
    return ServerLogEntry(
        id=entry.id,
        at=entry.at,
        level=entry.level,
        source=entry.source,
        text=entry.told(with_trace=wanted.with_trace),
    )


@dataclass(frozen=True, slots=True)
class ServerLogFollower:
    """One who follows the log. Woken by what happens; nothing is polled."""

    control: Control
    user: User
    wanted: Wanted

    async def follow(self, seen: int | None) -> AsyncIterator[bytes]:
        log = self.control.server_log
        news = asyncio.Event()
        with log.wake(news), self._rights(news) as rights:
            if seen is None:
                seen = log.last_id
            yield frame("hello", {"after": seen}, seen)
            while not rights.closed:
                if rights.in_doubt:
                    rights.in_doubt = False
                    if not await self._may_go_on():
                        return
                for entry in log.after(seen):
                    seen = entry.id
                    if self.wanted.has(entry):
                        yield frame("entry", asdict(show_entry(entry, self.wanted)), entry.id)
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
                        await news.wait()
                except TimeoutError:
                    yield HEARTBEAT
                news.clear()

    async def _may_go_on(self) -> bool:
        """Whether the settings still let them read it."""
        return await self.control.database.read(lambda c: may_read_server_log(c, self.user))

    @contextmanager
    def _rights(self, news: asyncio.Event) -> Iterator[_Rights]:
        with self.control.hub.subscribe() as events:
            rights = _Rights()

            async def listen() -> None:
                while not events.closed:
                    told = await events.next()
                    rights.closed = events.closed
                    about_rights = events.overrun or any(
                        event.kind is EventKind.SETTINGS_CHANGED for event in told
                    )
                    events.overrun = False
                    rights.in_doubt = rights.in_doubt or about_rights
                    if rights.closed or about_rights:
                        news.set()

            listening = asyncio.create_task(listen())
            try:
                yield rights
            finally:
                listening.cancel()


class _Rights:
    """What has been heard of them since somebody last looked."""

    def __init__(self) -> None:
        self.in_doubt = False
        self.closed = False
        """The server stops."""
