"""The notifications of a server: which channels it has, and what they listen to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from danlu.control.control import Control
from danlu.notify.channel import Channel
from danlu.notify.delivery import Delivery
from danlu.notify.notification import LISTENED
from danlu.notify.notifier import Notifier
from danlu.settings import Settings


def make_channels(_settings: Settings) -> Sequence[Channel]:
    """The channels that an admin has set up. There are none to choose from yet."""
    return ()


@asynccontextmanager
async def notifying(control: Control, channels: Sequence[Channel]) -> AsyncIterator[None]:
    """Tell people through these channels for as long as this is open. Without any, nothing listens."""
    if not channels:
        yield
        return
    deliveries = [Delivery(channel) for channel in channels]
    with control.bus.subscribe(LISTENED) as news:
        telling = asyncio.create_task(
            Notifier(news, control.event_history, deliveries).run(), name="notifier"
        )
        try:
            yield
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
