"""The bounded queue of one channel. A channel that fails is tried again, and holds up nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from danlu.notify.channel import Channel
from danlu.notify.notification import Notification

log = logging.getLogger(__name__)

LONGEST_QUEUE = 1_000
PAUSES_S = (1.0, 5.0, 30.0, 120.0, 600.0)
"""How long to wait before each further try; then the notification is given up."""
PATIENCE_S = 30.0
"""A channel that has not delivered within this time has failed."""


class Delivery:
    """What is put here is sent in its order. When the queue is full, the oldest goes: it says least."""

    def __init__(
        self,
        channel: Channel,
        *,
        longest: int = LONGEST_QUEUE,
        pauses_s: Sequence[float] = PAUSES_S,
        patience_s: float = PATIENCE_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._channel = channel
        self._longest = longest
        self._pauses_s = tuple(pauses_s)
        self._patience_s = patience_s
        self._sleep = sleep
        self._queue: deque[Notification] = deque()
        self._news = asyncio.Event()

    def put(self, notification: Notification) -> None:
        """Never waits."""
        if len(self._queue) >= self._longest:
            dropped = self._queue.popleft()
            log.warning("%s is too slow: not told that job %s %s", *self._describe(dropped))
        self._queue.append(notification)
        self._news.set()

    async def run(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._queue:
                await self._deliver(self._queue.popleft())

    async def _deliver(self, notification: Notification) -> None:
        for pause_s in (*self._pauses_s, None):
            try:
                async with asyncio.timeout(self._patience_s):
                    await self._channel.send(notification)
                return
            except Exception as problem:
                # Only the kind: what a channel says of its failure may name its secrets.
                reason = type(problem).__name__
            if pause_s is not None:
                await self._sleep(pause_s)
        log.warning("%s was not told that job %s %s: %s", *self._describe(notification), reason)

    def _describe(self, notification: Notification) -> tuple[str, object, str]:
        return self._channel.name, notification.facts.get("job"), notification.kind.value
