"""Strangers ask and go: those who stay are put out, so that the next machine can join.

The messages' server counts the connections of an account and refuses what is too many, however long others
have been there. But it tells its system account who comes and goes, and throws out whom that one names.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nats.aio.msg import Msg

from danlu.cluster.connection import Connection, NoConnection
from danlu.cluster.keys import watch_seed_of
from danlu.cluster.nats_config import MOST_STRANGERS, STRANGERS

LONGEST_VISIT_S = 60.0
"""Asking to join takes a moment; this is for the slowest of networks."""
KEPT_FREE = 100
"""Places for who comes next."""
_PRESENT = "watch.present"
_PUT_OUT = "watch.put_out"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A stranger's connection: its number is that of its messages' server."""

    server: str
    number: int


@dataclass
class VisitorTable:
    """Who is there, from where, and since when; longest first. Pure."""

    longest_s: float = LONGEST_VISIT_S
    most: int = MOST_STRANGERS - KEPT_FREE
    _present: dict[Visitor, tuple[str, float]] = field(default_factory=dict)

    def come(self, visitor: Visitor, address: str, now: float) -> Visitor | None:
        """Whom to put out for it: where there are too many, the one who has been there longest of the address
        that has the most."""
        self._present.setdefault(visitor, (address, now))
        if len(self._present) <= self.most:
            return None
        crowded = Counter(address for address, _ in self._present.values()).most_common(1)[0][0]
        longest = next(each for each, (address, _) in self._present.items() if address == crowded)
        del self._present[longest]
        return longest

    def go(self, visitor: Visitor) -> None:
        self._present.pop(visitor, None)

    def put_out_overdue(self, now: float) -> list[Visitor]:
        overdue = [each for each, (_, since) in self._present.items() if now - since >= self.longest_s]
        for each in overdue:
            del self._present[each]
        return overdue

    def next_due(self) -> float | None:
        """When the next one has been there for too long."""
        for _, since in self._present.values():
            return since + self.longest_s
        return None

    def forget(self) -> None:
        self._present.clear()


class JoinConnectionWatch:
    def __init__(
        self,
        servers: Sequence[str],
        certificate: str,
        seed: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seed` is that of the servers."""
        self.table = VisitorTable()
        self._clock = clock
        self._timer: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._connection = Connection(
            servers,
            certificate,
            name="watch",
            inbox="watch",
            seed=watch_seed_of(seed),
            subscriptions={
                f"$SYS.ACCOUNT.{STRANGERS}.CONNECT": self._take_arrival,
                f"$SYS.ACCOUNT.{STRANGERS}.DISCONNECT": self._take_departure,
                _PRESENT: self._take_present,
            },
            on_up=self._on_up,
        )

    def start(self) -> None:
        self._connection.start()

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in self._sending:
            task.cancel()
        await self._connection.close()

    def _on_up(self) -> None:
        """Who came while there was no connection is asked for; who came before gets its time anew."""
        self.table.forget()
        asked = json.dumps({"acc": STRANGERS, "limit": 2 * MOST_STRANGERS})
        self._send("$SYS.REQ.SERVER.PING.CONNZ", asked, _PRESENT)

    async def _take_arrival(self, message: Msg) -> None:
        told = json.loads(message.data)
        self._let_in(told["server"]["id"], told["client"]["id"], told["client"]["host"])

    async def _take_departure(self, message: Msg) -> None:
        told = json.loads(message.data)
        self.table.go(Visitor(told["server"]["id"], told["client"]["id"]))

    async def _take_present(self, message: Msg) -> None:
        told = json.loads(message.data)
        for each in told["data"]["connections"]:
            self._let_in(told["server"]["id"], each["cid"], each["ip"])

    def _let_in(self, server: str, number: int, address: str) -> None:
        crowded_out = self.table.come(Visitor(server, number), address, self._clock())
        if crowded_out is not None:
            self._put_out(crowded_out)
        if self._timer is None:
            self._wait()

    def _wait(self) -> None:
        due = self.table.next_due()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(due - self._clock(), self._look) if due is not None else None

    def _look(self) -> None:
        for visitor in self.table.put_out_overdue(self._clock()):
            self._put_out(visitor)
        self._wait()

    def _put_out(self, visitor: Visitor) -> None:
        self._send(f"$SYS.REQ.SERVER.{visitor.server}.KICK", json.dumps({"cid": visitor.number}), _PUT_OUT)

    def _send(self, subject: str, text: str, reply: str) -> None:
        async def send() -> None:
            # A connection that broke is followed by another, and that by a question who is there.
            with contextlib.suppress(NoConnection):
                await self._connection.publish(subject, text.encode(), reply=reply)

        task = asyncio.create_task(send())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
