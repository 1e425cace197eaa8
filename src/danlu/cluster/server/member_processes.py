"""Which process speaks for a member. Pure.

A copied disk makes two machines of one member. What one is told, both would do, and one of them would say of
the other's tasks that they are gone. So every agent process has a *session*, a name of its own: one of them
holds the member's seat, and calls go to that one alone. Another takes its place once it is gone, as after a
restart. Whether it is gone is found by asking: if both answer, there are two.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto

REMEMBERED = 16
KEPT_LEASES = 3
"""Who is refused asks again once in a lease: silent for so many, it has given up."""


class ClaimVerdict(Enum):
    HOLDS = auto()
    CONTESTED = auto()
    """Both are to be asked whether they are there; `settle` takes their answers."""
    REFUSED = auto()
    """Another has the seat, or none may have it: two have had it by turns."""
    IGNORED = auto()
    """Who said that is gone."""


@dataclass
class MemberProcesses:
    """`holder` is the session that has the seat. While it is `disputed` none has: which one is the copy,
    an admin must say."""

    holder: str = ""
    disputed: bool = False
    _heard: dict[str, float] = field(default_factory=dict)
    _replaced: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def hear(self, session: str, now: float, lease_s: float, *, may_take: bool = True) -> ClaimVerdict:
        """A session speaks for the member. `may_take` False: not if no session has the seat."""
        kept_s = lease_s * KEPT_LEASES if self.disputed else lease_s
        self._heard = {each: at for each, at in self._heard.items() if now - at <= kept_s}
        self._heard[session] = now
        if self.disputed:
            if len(self._heard) > 1:
                return ClaimVerdict.REFUSED
            self.disputed = False
            self._replaced.clear()
        if session == self.holder:
            return ClaimVerdict.HOLDS
        if self.holder in self._heard:
            return ClaimVerdict.CONTESTED
        if not self.holder and not may_take:
            return ClaimVerdict.REFUSED
        self._take(session)
        return ClaimVerdict.HOLDS

    def settle(self, session: str, *, holder_is_there: bool, is_there: bool) -> ClaimVerdict:
        """Of a claim that was contested."""
        if not is_there:
            return ClaimVerdict.IGNORED
        if not holder_is_there:
            self._take(session)
            return ClaimVerdict.HOLDS
        if session in self._replaced:
            # It was taken for gone, and the other one in its place was believed: either may be the copy.
            self.disputed, self.holder = True, ""
        return ClaimVerdict.REFUSED

    def believes(self, session: str) -> bool:
        """Whether what this one says of the member's tasks counts."""
        return not self.disputed and self.holder in ("", session)

    def _take(self, session: str) -> None:
        if self.holder:
            self._replaced.append(self.holder)
            self._heard.pop(self.holder, None)
        self.holder = session
