"""How what is followed goes over the one stream of a browser: lines of JSON, each with its channel. Behind
that of a `chunk` come its bytes as they are, `length` of them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from danlu.api.logs.log_following import LogFinished, LogFollower
from danlu.api.logs.log_sharing import SharedLogs
from danlu.api.streams.event_following import EventFollower, Hello, show_hello
from danlu.api.streams.readings_feed import ReadingsFeed
from danlu.api.streams.server_log_following import ServerLogFollower, check_may_read
from danlu.api.views.event_views import show_event
from danlu.codec import encode
from danlu.control.control import Control
from danlu.control.system.server_log import Wanted
from danlu.core.errors import Invalid
from danlu.core.job_id import parse_label
from danlu.core.user import User
from danlu.wire.live import LiveChannel
from danlu.wire.logs import LogName

CHUNK = 128 * 1024
"""So much of a log at a time: what else is followed waits for no more."""


def record(event: str, channel: int | None = None, **facts: Any) -> bytes:
    told = {"channel": channel, "event": event, **facts}
    if channel is None:
        del told["channel"]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class LiveSources:
    """All that one user may follow, as records. Raises what the plain routes would answer with."""

    control: Control
    user: User
    logs: SharedLogs
    feed: ReadingsFeed
    server_id: str

    def follow(self, channel: LiveChannel) -> AsyncGenerator[bytes]:
        match channel.kind:
            case "events":
                return self._follow_events(channel)
            case "readings":
                return self._follow_readings(channel)
            case "log":
                return self._follow_log(channel)
            case "server_log":
                return self._follow_server_log(channel)

    async def _follow_events(self, channel: LiveChannel) -> AsyncGenerator[bytes]:
        async for news in EventFollower(self.user, self.control, None).follow(channel.after):
            if isinstance(news, Hello):
                yield record("hello", channel.id, **show_hello(news, self.server_id))
            elif isinstance(news, list):
                events = [encode(show_event(event)) for event in news]
                yield record("happened", channel.id, events=events)

    async def _follow_readings(self, channel: LiveChannel) -> AsyncGenerator[bytes]:
        async for readings in self.feed.follow():
            yield b'{"channel":%d,"event":"readings","readings":%b}\n' % (channel.id, readings)

    async def _follow_log(self, channel: LiveChannel) -> AsyncGenerator[bytes]:
        wanted = LogName(channel.attempt, channel.stream, channel.rank)
        follower = LogFollower(self.control, self.logs, self.user, _job_of(channel), wanted, chunk=CHUNK)
        async for news in follower.follow(channel.offset):
            if isinstance(news, LogFinished):
                yield record("end", channel.id, **news.outcome)
            elif news is not None:
                head = record("chunk", channel.id, offset=news.offset, length=len(news.data))
                yield head + news.data

    async def _follow_server_log(self, channel: LiveChannel) -> AsyncGenerator[bytes]:
        await check_may_read(self.control, self.user)
        wanted = Wanted(channel.level, channel.text, with_trace=self.user.is_admin)
        async for news in ServerLogFollower(self.control, self.user, wanted).follow(channel.after):
            if isinstance(news, list):
                yield record("entries", channel.id, entries=[encode(entry) for entry in news])


def _job_of(channel: LiveChannel) -> int:
    try:
        return parse_label(channel.job or "")
    except ValueError:
        raise Invalid("bad_job_id", field="job", job=channel.job or "") from None
