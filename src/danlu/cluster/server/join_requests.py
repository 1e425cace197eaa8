"""Where those are heard who are no members: on a connection of its own, so that whatever they do to it, the
nodes are heard all the same."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nats.aio.msg import Msg

from danlu.cluster.connection import Connection, MessageTooLong, NoConnection
from danlu.cluster.joining import JOIN_ASK, JOIN_STANDING
from danlu.cluster.messages import pack, unpack
from danlu.cluster.nats_config import JOIN_USER, LONGEST_FROM_STRANGERS

PER_S = 50.0
AT_ONCE = 200
MOST_WAITING = 200
MOST_WAITING_BYTES = 4 << 20

Answer = Callable[[dict[str, Any]], Awaitable[Mapping[str, Any] | None]]
"""None: no answer at all."""


@dataclass
class Rate:
    """At most `at_once`, and `per_s` for every second that passes. Pure."""

    per_s: float
    at_once: float
    _used: float = 0.0
    _at: float = 0.0

    def allows(self, now: float) -> bool:
        self._used = max(0.0, self._used - (now - self._at) * self.per_s)
        self._at = now
        return self._used < self.at_once

    def charge(self) -> None:
        self._used += 1


class JoinRequests:
    """Questions are taken one after the other; what is too many, or too long, is dropped unread."""

    def __init__(
        self, servers: Sequence[str], certificate: str, seed: str, on_join: Answer, on_standing: Answer
    ) -> None:
        self._answers = {JOIN_ASK: on_join, JOIN_STANDING: on_standing}
        self._rate = Rate(PER_S, AT_ONCE)
        self.connection = Connection(
            servers,
            certificate,
            name="desk",
            inbox="desk",
            seed=seed,
            subscriptions=dict.fromkeys(self._answers, self._take),
            most_waiting=(MOST_WAITING, MOST_WAITING_BYTES),
        )

    async def _take(self, message: Msg) -> None:
        if len(message.data) > LONGEST_FROM_STRANGERS or not self._rate.allows(time.monotonic()):
            return
        asked = _read(message)
        # We may speak anywhere, and who asks says where: only where strangers hear it.
        if asked is None or not message.reply.startswith(f"_INBOX.{JOIN_USER}."):
            self._rate.charge()
            return
        answer = await self._answers[message.subject](asked)
        if answer is None or "error" in answer or answer.get("member") is False:
            # A thousand machines that may join may do so at once.
            self._rate.charge()
        if answer is not None:
            # Who asked on a connection that broke has stopped waiting.
            with contextlib.suppress(NoConnection, MessageTooLong):
                await self.connection.publish(message.reply, pack(answer))


def _read(message: Msg) -> dict[str, Any] | None:
    """What a machine asks; None where it makes no sense."""
    try:
        return unpack(message.data)[0]
    except ValueError:
        return None
