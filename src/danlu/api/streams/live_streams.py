"""The one connection of a browser: many channels in one answer, opened and closed while it runs.

Each channel has at most one record under way, and they take turns: a log that grows without a pause neither
holds up the events nor fills the memory; it alone waits for the connection.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Set
from contextlib import aclosing, contextmanager
from itertools import pairwise

from danlu.api.errors import problem_of
from danlu.api.streams.live_records import record
from danlu.codec import encode
from danlu.control.event_bus import NO_KINDS, EventBus, Subscription
from danlu.core.errors import Conflict, DanluError, NotFound
from danlu.wire.live import MOST_CHANNELS, LiveChange, LiveChannel
from danlu.wording.catalogue import Language

log = logging.getLogger(__name__)

HEARTBEAT = record("heartbeat")

Follow = Callable[[LiveChannel], AsyncGenerator[bytes]]


class LiveStream:
    """`owner` is the hash of the secret it was opened with: no other session may change it."""

    def __init__(self, owner: str, follow: Follow, language: Language, start: list[LiveChannel]) -> None:
        self.id = secrets.token_urlsafe(24)
        self.owner = owner
        self._follow = follow
        self._language = language
        self._last = 0
        """The number of the channel that was opened last."""
        self._channels: dict[int, asyncio.Task[None]] = {}
        self._pending: deque[tuple[bytes, asyncio.Future[None]]] = deque()
        """Records that wait for their turn, one of each channel at most."""
        self._news = asyncio.Event()
        self._check(start, frozenset())
        self._start = start

    def change(self, change: LiveChange) -> None:
        """All of it, or nothing where it raises Conflict."""
        self._check(change.open, self._channels.keys() - set(change.close))
        for number in change.close:
            if pump := self._channels.pop(number, None):
                pump.cancel()
        self._open(change.open)

    def _check(self, wanted: list[LiveChannel], left: Set[int]) -> None:
        if len(left) + len(wanted) > MOST_CHANNELS:
            raise Conflict("too_many_channels", most=MOST_CHANNELS)
        numbers = [self._last, *(channel.id for channel in wanted)]
        if any(after <= before for before, after in pairwise(numbers)):
            raise Conflict("channel_used")

    def _open(self, channels: list[LiveChannel]) -> None:
        for channel in channels:
            self._last = channel.id
            self._channels[channel.id] = asyncio.create_task(self._pump(channel))

    async def records(self, bus: EventBus, heartbeat_s: float) -> AsyncIterator[bytes]:
        """All that its channels tell. Ends when the server stops."""
        with bus.subscribe(NO_KINDS) as news:
            stopping = asyncio.create_task(_wait_for_stop(news))
            stopping.add_done_callback(lambda _: self._news.set())
            self._open(self._start)
            try:
                yield record("stream", stream=self.id)
                while not stopping.done():
                    while self._pending:
                        told, sent = self._pending.popleft()
                        if not sent.cancelled():
                            yield told
                        if not sent.cancelled():
                            sent.set_result(None)
                    if not await self._hear(heartbeat_s):
                        yield HEARTBEAT
            finally:
                stopping.cancel()
                for pump in self._channels.values():
                    pump.cancel()

    async def _hear(self, heartbeat_s: float) -> bool:
        """Whether there was anything to tell before it was time for a sign of life."""
        try:
            async with asyncio.timeout(heartbeat_s):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    async def _pump(self, channel: LiveChannel) -> None:
        try:
            async with aclosing(self._follow(channel)) as news:
                async for told in news:
                    await self._tell(told)
            await self._tell(record("closed", channel.id))
        except DanluError as refusal:
            problem = encode(problem_of(self._language, refusal))
            await self._tell(record("refused", channel.id, status=refusal.status, problem=problem))
        except Exception:
            log.exception("a channel of kind %s broke", channel.kind)
            await self._tell(record("closed", channel.id))
        finally:
            self._channels.pop(channel.id, None)

    async def _tell(self, told: bytes) -> None:
        """Returns when it was sent."""
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((told, sent))
        self._news.set()
        await sent


async def _wait_for_stop(news: Subscription) -> None:
    while not news.closed:
        await news.next()


class LiveStreams:
    """Those that are open now, by their names."""

    def __init__(self) -> None:
        self._open: dict[str, LiveStream] = {}

    @contextmanager
    def keep(self, stream: LiveStream) -> Iterator[None]:
        self._open[stream.id] = stream
        try:
            yield
        finally:
            del self._open[stream.id]

    def find(self, name: str, owner: str) -> LiveStream:
        """Raises NotFound, for one of another session too."""
        stream = self._open.get(name)
        if stream is None or not secrets.compare_digest(stream.owner, owner):
            raise NotFound("no_such_stream")
        return stream
