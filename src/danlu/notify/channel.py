"""The seam for channels: mail, chats, webhooks."""

from __future__ import annotations

from typing import Protocol

from danlu.notify.notification import Notification


class Channel(Protocol):
    @property
    def name(self) -> str:
        """What the server's log calls it."""

    async def send(self, notification: Notification) -> None:
        """Deliver it, once. Whatever is raised means that it was not delivered, and is to be tried again."""
