"""Which of the members are there: answers their beats, grants their leases, and notices a silence."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from nats.aio.msg import Msg

from danlu.cluster.connection import NoLine
from danlu.cluster.control_line import ControlLine, read, read_stranger, sender_of
from danlu.cluster.plain_json import from_plain
from danlu.cluster.seats import Seat, Seats
from danlu.core.member import Member
from danlu.core.node import NodeFacts, NodeState

_log = logging.getLogger(__name__)

REMOVED = "removed"
TOO_OLD = "too_old"
LATE_S = 1.0
"""A timer that comes later than this was held up with everything else, beats too."""

OnMembership = Callable[[str, NodeState], None]


class Attendance:
    """`advertised` is where agents may dial; `accepts_version` says whether an agent of that version may work
    with us. `on_membership` is told when a node is heard after a silence, and when its lease has run out;
    `on_stale` when a node has heard of a server that came after us; `on_mute` when one beats that did not
    answer before."""

    def __init__(
        self,
        line: ControlLine,
        lease_s: float,
        advertised: Callable[[], Sequence[str]],
        accepts_version: Callable[[str], bool],
    ) -> None:
        self.seats = Seats()
        self.on_membership: OnMembership | None = None
        self.on_stale: Callable[[], None] | None = None
        self.on_mute: Callable[[Seat], None] | None = None
        self._line = line
        self._lease_s = lease_s
        self._advertised = advertised
        self._accepts_version = accepts_version
        self._timer: asyncio.TimerHandle | None = None
        self._heard = asyncio.Event()

    def update(self, members: Sequence[Member]) -> list[Seat]:
        """Those who are members no more."""
        gone = self.seats.update(members, time.monotonic())
        self._set_timer()
        return gone

    async def wait_for_all(self, patience_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while not all(seat.is_up for seat in self.seats):
                    self._heard.clear()
                    await self._heard.wait()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def call_roll(self) -> None:
        """There is a new line: whoever hears this beats at once."""
        with contextlib.suppress(NoLine):
            for seat in self.seats:
                await self._line.say(seat.member.id, "beat")

    async def dismiss(self, seat: Seat) -> None:
        with contextlib.suppress(NoLine):
            await self._line.say(seat.member.id, REMOVED)

    # Beats

    async def take_beat(self, message: Msg) -> None:
        beat = read(message)
        if beat is None or not self._line.may_act():
            return
        if int(beat.get("fence", 0)) > self._line.fence:
            # It is another's to answer.
            self.note_stale()
            return
        seat = self.seats.of_member(sender_of(message))
        if seat is None:
            await self._line.answer(message, {"refused": {"code": REMOVED}})
            return
        version = str(beat.get("version", ""))
        if not self._accepts_version(version):
            await self._line.answer(message, {"refused": {"code": TOO_OLD, "version": version}})
            return
        before = seat.facts
        if "facts" in beat:
            seat.facts = replace(from_plain(NodeFacts, beat["facts"]), name=seat.member.node)
            seat.facts_digest = str(beat["facts_digest"])
        seat.take_reading(beat.get("reading"))
        seat.skew_s = float(beat.get("clock", 0.0)) - time.time()
        wants_facts = seat.facts is None or seat.facts_digest != beat.get("facts_digest")
        seat.beat_sent_at = float(beat["sent_at"])
        # Before the answer is on its way: a lease that was granted must be known to have been.
        self.seats.note_beat(seat, time.monotonic())
        await self._line.answer(
            message,
            {
                "lease_s": self._lease_s,
                "fence": self._line.fence,
                "session": self._line.session,
                "servers": list(self._advertised()),
                "now": time.time(),
                "wants_facts": wants_facts,
            },
        )
        if not seat.is_up and not wants_facts:
            self.welcome(seat)
        elif seat.is_mute and self.on_mute is not None:
            self.on_mute(seat)
        elif seat.is_up and before and seat.facts and before.version != seat.facts.version:
            # It was upgraded without a silence; somebody waits to hear of it.
            self._tell(seat, NodeState.UP)

    async def take_standing(self, message: Msg) -> None:
        """Somebody who was not let in asks whether it still belongs here."""
        asked = read_stranger(message)
        if asked is not None and self._line.may_act():
            is_member = self.seats.of_member(str(asked.get("id"))) is not None
            await self._line.answer(message, {"member": is_member})

    def welcome(self, seat: Seat) -> None:
        """It is there, and answers."""
        seat.is_up, seat.is_mute = True, False
        self._heard.set()
        if self._timer is None:
            self._set_timer()
        self._tell(seat, NodeState.UP)

    def note_stale(self) -> None:
        if self.on_stale is not None:
            self.on_stale()

    # Silence

    def _set_timer(self) -> None:
        """One for all: it goes off when the next lease may have run out."""
        self.close()
        oldest = self.seats.oldest_beat()
        if oldest is not None:
            due = oldest + self._lease_s
            pause_s = max(due - time.monotonic(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(pause_s, self._look_for_silence, due)

    def _look_for_silence(self, due: float) -> None:
        self._timer = None
        now = time.monotonic()
        if now - due > LATE_S:
            # We were asleep ourselves. What was said meanwhile is read first.
            self._timer = asyncio.get_running_loop().call_later(LATE_S, self._look_for_silence, now + LATE_S)
            return
        for seat in self.seats.silent_since(now - self._lease_s):
            seat.is_up = False
            self._tell(seat, NodeState.LOST)
        if self.seats.oldest_beat() is None:
            # Nobody is left. It may be our own line.
            self._line.connection.drop()
        self._set_timer()

    def _tell(self, seat: Seat, state: NodeState) -> None:
        _log.info("node %s is %s", seat.member.node, state.value)
        if self.on_membership is not None:
            self.on_membership(seat.member.node, state)
