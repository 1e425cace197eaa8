"""Channels that are named by their fault."""

from __future__ import annotations

import asyncio

from danlu.notify.notification import Notification


class RecordingChannel:
    name = "recording"

    def __init__(self) -> None:
        self.sent: list[Notification] = []
        self.was_sent = asyncio.Event()

    async def send(self, notification: Notification) -> None:
        self.sent.append(notification)
        self.was_sent.set()

    async def until(self, number: int) -> None:
        async with asyncio.timeout(10):
            while len(self.sent) < number:
                self.was_sent.clear()
                await self.was_sent.wait()


class FailingTwiceChannel(RecordingChannel):
    """The first two tries of everything fail."""

    name = "failing twice"
    tries = 0

    async def send(self, notification: Notification) -> None:
        self.tries += 1
        if self.tries % 3:
            raise ConnectionError("password=hunter2 was refused")
        await super().send(notification)


class NeverChannel(RecordingChannel):
    """Never comes back."""

    name = "never"

    async def send(self, notification: Notification) -> None:
        await asyncio.Event().wait()
