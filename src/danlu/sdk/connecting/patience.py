"""How long to wait for a server that went away: a little longer each time, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

from danlu.sdk.errors import ApiError, NotDanlu, Unreachable

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 2.0
_PASSING = frozenset({502, 503, 504})
"""Answers of a server, or of the proxy before it, that is on its way down or up."""


def is_passing(fault: Exception) -> bool:
    """Whether the server is only away for now, so that trying again makes sense."""
    return isinstance(fault, Unreachable) or (
        isinstance(fault, ApiError | NotDanlu) and fault.status in _PASSING
    )


class Patience:
    """Pauses between tries, doubling from 0.1 s to 2 s, until `total_s` have passed without a success."""

    def __init__(
        self,
        total_s: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._total_s = total_s
        self._clock = clock
        self._sleep = sleep
        self._pause_s = FIRST_PAUSE_S
        self._since: float | None = None

    def reset(self) -> None:
        """It worked: the next failure starts from the shortest pause again."""
        self._pause_s = FIRST_PAUSE_S
        self._since = None

    def pause(self) -> bool:
        """Sleep before the next try; False (at once) when the time is up."""
        now = self._clock()
        if self._since is None:
            self._since = now
        left_s = self._since + self._total_s - now
        if left_s <= 0:
            return False
        self._sleep(min(self._pause_s, left_s))
        self._pause_s = min(self._pause_s * 2, LONGEST_PAUSE_S)
        return True
