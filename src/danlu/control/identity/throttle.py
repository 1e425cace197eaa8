"""Slows down clients that guess passwords, and no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from danlu.core.errors import TooMany

FREE_TRIES = 5
LONGEST_WAIT_S = 900.0
LONGEST_FOR_A_NAME_S = 30.0
FORGET_S = 3600.0
MOST_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True)
class Rule:
    """After so many failures each further one doubles the wait, up to the longest."""

    free: int
    longest_s: float


RULES = {
    "pair": Rule(FREE_TRIES, LONGEST_WAIT_S),
    # An address may be a whole lab behind one router: it gets more tries than one name there.
    "address": Rule(FREE_TRIES * 10, LONGEST_WAIT_S),
    # An attacker may guess from many addresses. The user of that name must not be shut out for long, and
    # from where they have signed in before not at all.
    "name": Rule(FREE_TRIES * 10, LONGEST_FOR_A_NAME_S),
}

Key = tuple[str, ...]


class Throttle:
    """A try counts as failed from before it is looked at until it has turned out right: of many at once none
    passes that would not pass alone."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: dict[Key, tuple[int, float]] = {}
        self._proved: dict[Key, None] = {}

    def check(self, name: str, address: str) -> None:
        """Raises TooMany while the name or the address must wait."""
        now = self._clock()
        wait_s = max(self._blocked_until(key) for key in self._keys(name, address)) - now
        if wait_s > 0:
            raise TooMany("too_many_tries", wait_s=int(wait_s) + 1)

    def take(self, name: str, address: str) -> None:
        """Count a try, before it is made. Raises TooMany, and then it does not count."""
        self.check(name, address)
        now = self._clock()
        for key in self._keys(name, address):
            count, last = self._failures.pop(key, (0, now))
            self._failures[key] = (1 if now - last > FORGET_S else count + 1, now)
        while len(self._failures) > MOST_REMEMBERED:
            del self._failures[next(iter(self._failures))]

    def forgive(self, name: str, address: str) -> None:
        """The try was right. What others have tried from there, or with that name, still counts."""
        for key in self._keys(name, address):
            count, last = self._failures.pop(key, (0, 0.0))
            if key[0] != "pair" and count > 1:
                self._failures[key] = (count - 1, last)
        if name:
            self._proved[name, address] = None
            if len(self._proved) > MOST_REMEMBERED:
                del self._proved[next(iter(self._proved))]

    def _keys(self, name: str, address: str) -> list[Key]:
        keys: list[Key] = [("address", address)]
        if name:
            keys.append(("pair", name, address))
            if (name, address) not in self._proved:
                keys.append(("name", name))
        return keys

    def _blocked_until(self, key: Key) -> float:
        count, last = self._failures.get(key, (0, 0.0))
        # A clock that was set back must not lock a user out until it has caught up.
        last = min(last, self._clock())
        rule = RULES[key[0]]
        if count < rule.free:
            return 0.0
        return float(last + min(2.0 ** min(count - rule.free, 10), rule.longest_s))
