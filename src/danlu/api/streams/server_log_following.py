"""Following the server's own log, for as long as one may."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from danlu.api.streams.sse import HEARTBEAT, HEARTBEAT_S, frame
from danlu.codec import encode
from danlu.control.control import Control
from danlu.control.system.server_log import LogEntry, Wanted, may_read_server_log
from danlu.core.errors import Forbidden
from danlu.core.events import EventKind
from danlu.core.user import User
from danlu.wire.server_log import ServerLogEntry


def show_entry(entry: LogEntry, wanted: Wanted) -> ServerLogEntry:
    return ServerLogEntry(
        id=entry.id,
        at=entry.at,
        level=entry.level,
        source=entry.source,
        text=entry.told(with_trace=wanted.with_trace),
    )


ServerLogNews = int | list[ServerLogEntry] | None
"""First the id behind which all is told, then the entries as they come. None: it was quiet for long."""


async def frame_server_log(told: AsyncIterator[ServerLogNews]) -> AsyncIterator[bytes]:
    """As Server-Sent Events."""
    async for news in told:
        if news is None:
            yield HEARTBEAT
        elif isinstance(news, int):
            yield frame("hello", {"after": news}, news)
        else:
            yield b"".join(frame("entry", encode(entry), entry.id) for entry in news)


async def check_may_read(control: Control, user: User) -> None:
    """Raises Forbidden."""
    if not user.is_admin and not may_read_server_log(await control.lab_settings.read(), user):
        raise Forbidden("server_log_closed")


@dataclass(frozen=True, slots=True)
class ServerLogFollower:
    """One who follows the log. Woken by what happens; nothing is polled."""

    control: Control
    user: User
    wanted: Wanted

    async def follow(self, seen: int | None) -> AsyncIterator[ServerLogNews]:
        log = self.control.server_log
        news = asyncio.Event()
        with log.wake(news), self._rights(news) as rights:
            if seen is None:
                seen = log.last_id
            yield seen
            while not rights.closed:
                if rights.in_doubt:
                    rights.in_doubt = False
                    if not await self._may_go_on():
                        return
                entries = log.after(seen)
                if wanted := [entry for entry in entries if self.wanted.has(entry)]:
                    yield [show_entry(entry, self.wanted) for entry in wanted]
                seen = max([seen, *(entry.id for entry in entries)])
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
                        await news.wait()
                except TimeoutError:
                    yield None
                news.clear()

    async def _may_go_on(self) -> bool:
        """Whether the settings still let them read it."""
        return may_read_server_log(await self.control.lab_settings.read(), self.user)

    @contextmanager
    def _rights(self, news: asyncio.Event) -> Iterator[_Rights]:
        with self.control.bus.subscribe({EventKind.SETTINGS_CHANGED}) as events:
            rights = _Rights()

            async def listen() -> None:
                while not events.closed:
                    about_rights = bool(await events.next()) or events.take_overrun()
                    rights.closed = events.closed
                    rights.in_doubt = rights.in_doubt or about_rights
                    if rights.closed or about_rights:
                        news.set()

            listening = asyncio.create_task(listen())
            try:
                yield rights
            finally:
                listening.cancel()


class _Rights:
    """What has been heard of them since the last look."""

    def __init__(self) -> None:
        self.in_doubt = False
        self.closed = False
        """The server stops."""
