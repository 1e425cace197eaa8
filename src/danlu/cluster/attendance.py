"""Which of the members are there: answers their beats, grants their leases, and notices a silence."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nats.aio.msg import Msg

from danlu.cluster.claims import Verdict
from danlu.cluster.connection import NoLine
from danlu.cluster.control_line import ControlLine, read, sender_of
from danlu.cluster.hearing import ODD
from danlu.cluster.plain_json import from_plain
from danlu.cluster.seats import Seat, Seats
from danlu.core.member import Member
from danlu.core.node import NodeFacts, NodeState

_log = logging.getLogger(__name__)

REMOVED = "removed"
TOO_OLD = "too_old"
TWIN = "twin"
OLD_RETRY_S = 60.0
"""An agent of another version waits so long before it asks again; either may be upgraded meanwhile."""
THERE_S = 1.0
"""So long an agent may need to say that it is there."""
LATE_S = 1.0
"""A timer that comes later than this was held up with everything else, beats too."""

OnMembership = Callable[[str, NodeState], None]


class Attendance:
    """`advertised` is where agents may dial; `accepts_version` says whether an agent of that version may work
    with us. `on_membership` is told when a node is heard after a silence, and when its lease has run out;
    `on_stale` when a node has heard of a server that came after us; `on_foreign` when one proves to have
    followed a server of another copy of our database, with its fence; `on_mute` when one beats that did not
    answer before; `on_contest` is to see to `settle`, aside."""

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
        self.on_foreign: Callable[[int], None] | None = None
        self.on_mute: Callable[[Seat], None] | None = None
        self.on_contest: Callable[[Seat, Msg, dict[str, Any]], None] | None = None
        self._line = line
        self._lease_s = lease_s
        self._advertised = advertised
        self._accepts_version = accepts_version
        self._timer: asyncio.TimerHandle | None = None
        self._heard = asyncio.Event()
        self._contested: set[str] = set()
        self._said: set[tuple[str, str]] = set()

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
        """There is a new line: whoever hears this beats at once. It is said in the name of the server before
        us: a node that follows another copy of our database is not to follow us for this."""
        with contextlib.suppress(NoLine):
            for seat in self.seats:
                await self._line.say(seat.member.id, "beat", fence=self._line.previous)

    async def dismiss(self, seat: Seat) -> None:
        with contextlib.suppress(NoLine):
            await self._line.say(seat.member.id, REMOVED)

    # Beats

    async def take_beat(self, message: Msg) -> None:
        beat = read(message)
        if beat is None or not self._line.may_act():
            return
        if self.is_foreign(beat):
            return
        fence = beat.get("fence", 0)
        if isinstance(fence, int) and fence > self._line.fence:
            # It is another's to answer.
            self.note_stale()
            return
        seat = self.seats.of_member(sender_of(message))
        if seat is None:
            await self._line.answer(message, {"refused": {"code": REMOVED}})
            return
        try:
            await self._consider(seat, message, beat)
        except ODD:
            _log.exception("node %s beats in a way that makes no sense", seat.member.node)

    def is_foreign(self, said: Mapping[str, Any]) -> bool:
        """Whether who says this follows another copy of our database; that is told on. Nothing is answered
        then, least of all that it was removed: we do not know who belongs to that copy."""
        if not self._line.follows_another(said):
            return False
        if self.on_foreign is not None:
            self.on_foreign(int(said["fence"]))
        return True

    async def _consider(self, seat: Seat, message: Msg, beat: dict[str, Any]) -> None:
        version = str(beat.get("version", ""))
        if not self._accepts_version(version):
            refused = {"code": TOO_OLD, "version": version, "retry_s": OLD_RETRY_S}
            self._say_once(seat, version, "its version, %s, is too far from ours", version)
            await self._line.answer(message, {"refused": refused})
            return
        now = time.monotonic()
        # Who was refused before waits whether the other one is there: we may have just begun.
        may_take = not beat.get("stood_back") or now - seat.granted_at > self._lease_s
        verdict = seat.claims.hear(str(beat["agent_session"]), now, self._lease_s, may_take=may_take)
        if verdict is Verdict.CONTESTED:
            if self.on_contest is not None and seat.member.id not in self._contested:
                self.on_contest(seat, message, beat)
        else:
            await self._follow(verdict, seat, message, beat)

    async def settle(self, seat: Seat, message: Msg, beat: dict[str, Any]) -> None:
        """Another process than before speaks for a member. Aside: the others' beats do not wait for this."""
        session = str(beat["agent_session"])
        self._contested.add(seat.member.id)
        try:
            holder_is_there, is_there = await asyncio.gather(
                self._is_there(seat, seat.claims.holder), self._is_there(seat, session)
            )
        finally:
            self._contested.discard(seat.member.id)
        verdict = seat.claims.settle(session, holder_is_there=holder_is_there, is_there=is_there)
        await self._follow(verdict, seat, message, beat)

    async def _is_there(self, seat: Seat, session: str) -> bool:
        try:
            await self._line.ask(seat.member.id, session, {"op": "ping"}, THERE_S)
        except (NoLine, ValueError):
            return False
        return True

    async def _follow(self, verdict: Verdict, seat: Seat, message: Msg, beat: dict[str, Any]) -> None:
        if verdict is Verdict.HOLDS:
            await self._grant(seat, message, beat)
        elif verdict is Verdict.REFUSED:
            session = str(beat["agent_session"])
            self._say_once(
                seat, session, "another machine uses the same credentials; the copy is to join again"
            )
            await self._line.answer(message, {"refused": {"code": TWIN, "retry_s": self._lease_s}})

    def _say_once(self, seat: Seat, what: str, why: str, *facts: object) -> None:
        """To whom it may concern: whoever is refused asks again and again."""
        if (seat.member.id, what) not in self._said:
            self._said.add((seat.member.id, what))
            _log.error(f"node %s is refused: {why}", seat.member.node, *facts)

    async def _grant(self, seat: Seat, message: Msg, beat: dict[str, Any]) -> None:
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
                "fence_proof": self._line.proof,
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

    def is_member(self, member_id: str) -> bool:
        return self.seats.of_member(member_id) is not None

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
