"""Who of the members is there: what each last said, and when it was last heard. No I/O.

Heard in turn, members stand in the order of their last beat: who has been silent too long is found at the
head, and a thousand cost no more than one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from danlu.cluster.server.member_processes import MemberProcesses
from danlu.codec import decode
from danlu.core.nodes.doctor import SKEW_WARNING_S
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeFacts
from danlu.core.nodes.readings import NodeReading

SENSELESS_KEPT_S = 600.0


@dataclass(slots=True)
class MemberRow:
    """One member, as the control side sees it. Times are of the monotonic clock."""

    member: Member
    granted_at: float
    is_up: bool = False
    is_mute: bool = False
    """It beats, and does not answer: of what it runs nothing is known."""
    facts: NodeFacts | None = None
    facts_digest: str = ""
    ahead_s: float = 0.0
    """By how many seconds its clock is ahead of ours; 0 while it is right. It does not tremble, so that what
    a node says twice is the same twice."""
    claims: MemberProcesses = field(default_factory=MemberProcesses)
    beat_sent_at: float = 0.0
    """When its last beat was sent, by its own clock."""
    senseless_told_at: float = -math.inf
    _reading: Any = None
    _senseless: dict[str, tuple[str, float]] = field(default_factory=dict)

    def take_reading(self, plain: Any) -> None:
        """Decoded only when it is looked at: most are replaced before that."""
        self._reading = plain

    def read_reading(self) -> NodeReading | None:
        """Raises BadValue, once for each that makes no sense."""
        if self._reading is not None and not isinstance(self._reading, NodeReading):
            plain, self._reading = self._reading, None
            self._reading = decode(NodeReading, plain)
        reading: NodeReading | None = self._reading
        return reading

    def note_clock(self, skew_s: float) -> None:
        if abs(skew_s - self.ahead_s) > SKEW_WARNING_S:
            self.ahead_s = skew_s if abs(skew_s) > SKEW_WARNING_S else 0.0

    def note_senseless(self, about: str, why: str, now: float) -> None:
        self._senseless[about] = why, now

    def note_sense(self, about: str) -> None:
        """What it says of this makes sense (again)."""
        self._senseless.pop(about, None)

    def senseless(self, now: float) -> dict[str, str]:
        """What it said lately that made no sense: what that was about, and what was wrong with it."""
        return {about: why for about, (why, at) in self._senseless.items() if now - at <= SENSELESS_KEPT_S}

    @property
    def answers(self) -> bool:
        return self.is_up and not self.is_mute


class MemberTable:
    """All members. A new one counts as granted a lease at `now`: an earlier server may have granted one."""

    def __init__(self) -> None:
        self._by_id: dict[str, MemberRow] = {}
        self._by_node: dict[str, MemberRow] = {}

    def update(self, members: Sequence[Member], now: float) -> list[MemberRow]:
        """Those who are members no more."""
        known = {member.id for member in members}
        gone = [seat for member_id, seat in self._by_id.items() if member_id not in known]
        for seat in gone:
            del self._by_id[seat.member.id]
        for member in members:
            self._by_id.setdefault(member.id, MemberRow(member, now)).member = member
        self._by_node = {seat.member.node: seat for seat in self._by_id.values()}
        return gone

    def of_member(self, member_id: str) -> MemberRow | None:
        return self._by_id.get(member_id)

    def of_node(self, node: str) -> MemberRow | None:
        return self._by_node.get(node)

    def note_beat(self, seat: MemberRow, now: float) -> None:
        seat.granted_at = now
        del self._by_id[seat.member.id]
        self._by_id[seat.member.id] = seat

    def silent_since(self, moment: float) -> list[MemberRow]:
        """Those who are up, and were not heard after `moment`."""
        silent = []
        for seat in self._by_id.values():
            if not seat.is_up:
                continue
            if seat.granted_at > moment:
                break
            silent.append(seat)
        return silent

    def oldest_beat(self) -> float | None:
        """When the one who is up, and silent longest, was last heard."""
        return next((seat.granted_at for seat in self._by_id.values() if seat.is_up), None)

    def __iter__(self) -> Iterator[MemberRow]:
        return iter(tuple(self._by_id.values()))

    def answering(self) -> Iterable[MemberRow]:
        return [seat for seat in self._by_id.values() if seat.answers]
