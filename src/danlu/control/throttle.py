"""Slows down whoever guesses passwords."""

from __future__ import annotations

from collections.abc import Callable

from danlu.core.errors import TooMany

FREE_TRIES = 5
LONGEST_WAIT_S = 900.0
FORGET_S = 3600.0
MOST_REMEMBERED = 50_000


class Throttle:
    """After a few failures, each further one doubles the wait: for the name, and for the address."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: dict[tuple[str, str], tuple[int, float]] = {}

    def check(self, name: str, address: str) -> None:
        """Raises TooMany while the name or the address must wait."""
        now = self._clock()
        wait_s = max(self._blocked_until(key) for key in _keys(name, address)) - now
        if wait_s > 0:
            raise TooMany("too_many_tries", wait_s=int(wait_s) + 1)

    def note_failure(self, name: str, address: str) -> None:
        if len(self._failures) > MOST_REMEMBERED:
            self._failures.clear()
        now = self._clock()
        for key in _keys(name, address):
            count, last = self._failures.get(key, (0, now))
            self._failures[key] = (1 if now - last > FORGET_S else count + 1, now)

    def forget(self, name: str, address: str) -> None:
        for key in _keys(name, address):
            self._failures.pop(key, None)

    def _blocked_until(self, key: tuple[str, str]) -> float:
        count, last = self._failures.get(key, (0, 0.0))
        # A clock that was set back must not lock anybody out until it has caught up.
        last = min(last, self._clock())
        # An address may be a whole lab behind one router: it gets more tries than a name.
        tries = FREE_TRIES if key[0] == "name" else FREE_TRIES * 10
        if count < tries:
            return 0.0
        return float(last + min(2.0 ** min(count - tries, 10), LONGEST_WAIT_S))


def _keys(name: str, address: str) -> list[tuple[str, str]]:
    keys = [("address", address)]
    return [("name", name), *keys] if name else keys
