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

from danlu.cluster.connection import NoConnection
from danlu.cluster.refusal_codes import OLD_RETRY_S, REMOVED, TOO_OLD, TWIN
from danlu.cluster.server.agents import OnMembership, OnSenseless
from danlu.cluster.server.control_connection import ControlConnection
from danlu.cluster.server.member_processes import ClaimVerdict
from danlu.cluster.server.member_table import MemberRow, MemberTable
from danlu.cluster.server.node_messages import Beat
from danlu.codec import BadValue, decode
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeFacts, NodeState

_log = logging.getLogger(__name__)

THERE_S = 1.0
"""So long an agent may need to say that it is there."""
LATE_S = 1.0
"""A timer that comes later than this was held up with everything else, beats too."""
TELL_AGAIN_S = 10.0
"""How often the log tells of a node that goes on making no sense."""
FACTS, READING, OTHER_SERVER = "facts", "reading", "other_server"
"""What a node's words may be about, beside the subjects of messages and the names of calls."""


class Attendance:
    """`advertised` is where agents may dial; `accepts_version` says whether an agent of that version may work
    with us. `on_membership` is told when a node is heard after a silence, and when its lease has run out;
    `on_stale` when a node has heard of a server that came after us; `on_foreign` when one proves to have
    followed a server of another copy of our database, with its fence; `on_senseless` when one says what makes
    no sense; `on_mute` when one beats that did not answer before; `on_contest` is to see to `settle`,
    aside."""

    def __init__(
        self,
        control: ControlConnection,
        lease_s: float,
        advertised: Callable[[], Sequence[str]],
        accepts_version: Callable[[str], bool],
        *,
        on_membership: OnMembership,
        on_stale: Callable[[], None],
        on_foreign: Callable[[int], None],
        on_senseless: OnSenseless,
        on_mute: Callable[[MemberRow], None],
        on_contest: Callable[[MemberRow, Msg, Beat], None],
    ) -> None:
        self.seats = MemberTable()
        self._on_membership = on_membership
        self._on_stale = on_stale
        self._on_foreign = on_foreign
        self._on_senseless = on_senseless
        self._on_mute = on_mute
        self._on_contest = on_contest
        self._control = control
        self._lease_s = lease_s
        self._advertised = advertised
        self._accepts_version = accepts_version
        self._timer: asyncio.TimerHandle | None = None
        self._heard = asyncio.Event()
        self._contested: set[str] = set()
        self._said: dict[str, str] = {}

    def update(self, members: Sequence[Member]) -> list[MemberRow]:
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
        """There is a new connection: every node that hears this beats at once. It is said in the name of the
        server before us: a node that follows another copy of our database is not to follow us for this."""
        with contextlib.suppress(NoConnection):
            for seat in self.seats:
                await self._control.say(seat.member.id, "beat", fence=self._control.previous)

    async def dismiss(self, seat: MemberRow) -> None:
        with contextlib.suppress(NoConnection):
            await self._control.say(seat.member.id, REMOVED)

    # Beats

    async def take_beat(self, message: Msg, seat: MemberRow | None, beat: Beat) -> None:
        if not self._control.may_act():
            return
        if self.is_foreign(beat.followed):
            return
        if beat.fence > self._control.fence:
            # It is another's to answer.
            self.note_stale(seat, beat.fence)
            return
        if seat is None:
            await self._control.answer(message, {"refused": {"code": REMOVED}})
            return
        await self._consider(seat, message, beat)

    def is_foreign(self, said: Mapping[str, Any]) -> bool:
        """Whether who says this follows another copy of our database; that is told on. Nothing is answered
        then, least of all that it was removed: we do not know who belongs to that copy."""
        if not self._control.follows_another(said):
            return False
        self._on_foreign(int(said["fence"]))
        return True

    async def _consider(self, seat: MemberRow, message: Msg, beat: Beat) -> None:
        if not self._accepts_version(beat.version):
            refused = {"code": TOO_OLD, "version": beat.version, "retry_s": OLD_RETRY_S}
            self._say_once(seat, beat.version, "its version, %s, is too far from ours", beat.version)
            await self._control.answer(message, {"refused": refused})
            return
        now = time.monotonic()
        # Who was refused before waits whether the other one is there: we may have just begun.
        may_take = not beat.stood_back or now - seat.granted_at > self._lease_s
        verdict = seat.claims.hear(beat.agent_session, now, self._lease_s, may_take=may_take)
        if verdict is ClaimVerdict.CONTESTED:
            if seat.member.id not in self._contested:
                self._on_contest(seat, message, beat)
        else:
            await self._follow(verdict, seat, message, beat)

    async def settle(self, seat: MemberRow, message: Msg, beat: Beat) -> None:
        """Another process than before speaks for a member. Aside: the others' beats do not wait for this."""
        session = beat.agent_session
        self._contested.add(seat.member.id)
        try:
            holder_is_there, is_there = await asyncio.gather(
                self._is_there(seat, seat.claims.holder), self._is_there(seat, session)
            )
        finally:
            self._contested.discard(seat.member.id)
        verdict = seat.claims.settle(session, holder_is_there=holder_is_there, is_there=is_there)
        await self._follow(verdict, seat, message, beat)

    async def _is_there(self, seat: MemberRow, session: str) -> bool:
        try:
            await self._control.ask(seat.member.id, session, {"op": "ping"}, THERE_S)
        except (NoConnection, ValueError):
            return False
        return True

    async def _follow(self, verdict: ClaimVerdict, seat: MemberRow, message: Msg, beat: Beat) -> None:
        if verdict is ClaimVerdict.HOLDS:
            await self._grant(seat, message, beat)
        elif verdict is ClaimVerdict.REFUSED:
            self._say_once(
                seat,
                beat.agent_session,
                "another machine uses the same credentials; the copy is to join again",
            )
            await self._control.answer(message, {"refused": {"code": TWIN, "retry_s": self._lease_s}})

    def _say_once(self, seat: MemberRow, what: str, why: str, *facts: object) -> None:
        """In the log, once: a node that is refused asks again and again."""
        if self._said.get(seat.member.id) != what:
            self._said[seat.member.id] = what
            _log.error(f"node %s is refused: {why}", seat.member.node, *facts)

    async def _grant(self, seat: MemberRow, message: Msg, beat: Beat) -> None:
        """Whatever it says of itself, it is there: what runs there goes on."""
        before = seat.facts
        if beat.facts is not None:
            self._take_facts(seat, beat)
        seat.take_reading(beat.reading)
        if beat.clock:
            seat.note_clock(beat.clock - time.time())
        # What made no sense is not asked for once more.
        wants_facts = not seat.facts_digest or seat.facts_digest != beat.facts_digest
        seat.beat_sent_at = beat.sent_at
        seat.note_sense(OTHER_SERVER)
        # Before the answer is on its way: a lease that was granted must be known to have been.
        self.seats.note_beat(seat, time.monotonic())
        await self._control.answer(
            message,
            {
                "lease_s": self._lease_s,
                "fence": self._control.fence,
                "fence_proof": self._control.proof,
                "session": self._control.session,
                "servers": list(self._advertised()),
                "now": time.time(),
                "wants_facts": wants_facts,
            },
        )
        if not seat.is_up and not wants_facts:
            self.welcome(seat)
        elif seat.is_mute:
            self._on_mute(seat)
        elif seat.is_up and seat.facts and (before is None or before.version != seat.facts.version):
            # It makes sense again, or was upgraded without a silence; listeners wait to hear of it.
            self._tell(seat, NodeState.UP)

    def _take_facts(self, seat: MemberRow, beat: Beat) -> None:
        """Of a node that says what makes no sense nothing is known any more: nothing starts there."""
        seat.facts_digest = beat.facts_digest
        try:
            seat.facts = replace(decode(NodeFacts, beat.facts), name=seat.member.node)
        except BadValue as problem:
            seat.facts = None
            self.note_senseless(seat, FACTS, str(problem))
        else:
            seat.note_sense(FACTS)

    def is_member(self, member_id: str) -> bool:
        return self.seats.of_member(member_id) is not None

    def welcome(self, seat: MemberRow) -> None:
        """It is there, and answers."""
        seat.is_up, seat.is_mute = True, False
        self._heard.set()
        if self._timer is None:
            self._set_timer()
        self._tell(seat, NodeState.UP)

    def note_senseless(self, seat: MemberRow, about: str, why: str) -> None:
        """It is that node's trouble alone, and shown on it."""
        now = time.monotonic()
        seat.note_senseless(about, why, now)
        if now - seat.senseless_told_at >= TELL_AGAIN_S:
            seat.senseless_told_at = now
            _log.warning("node %s says what makes no sense (%s): %s", seat.member.node, about, why)
            self._on_senseless(seat.member.node)

    def note_stale(self, seat: MemberRow | None, fence: int | None = None) -> None:
        """A node has heard of another server. Whether that is so, one node's word does not decide: it alone
        is not led from here."""
        if seat is not None:
            self.note_senseless(seat, OTHER_SERVER, "" if fence is None else str(fence))
        self._on_stale()

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
            # No node is left. It may be our own connection.
            self._control.connection.drop()
        self._set_timer()

    def _tell(self, seat: MemberRow, state: NodeState) -> None:
        _log.info("node %s is %s", seat.member.node, state.value)
        self._on_membership(seat.member.node, state)
