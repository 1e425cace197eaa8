"""The lines of a log, each behind the time by which it had been written."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from danlu.wire.logs import LogTimes

FORMAT = "%Y-%m-%d %H:%M:%S"
UNKNOWN = b" " * len(time.strftime(FORMAT))


class StampedLines:
    """Takes pieces of a log. What is `live` and was not seen by the node yet has been written just now."""

    def __init__(self, told: LogTimes) -> None:
        self._offsets = [each.offset for each in told.times]
        self._times = [each.at for each in told.times]
        self._rest = b""
        self._at = 0
        self.live = False

    def push(self, offset: int, data: bytes) -> bytes:
        """The lines that these bytes complete; they begin at `offset`."""
        *lines, rest = (self._rest + data).split(b"\n")
        at = offset - len(self._rest)
        self._rest = rest
        self._at = offset + len(data)
        stamped = []
        for line in lines:
            at += len(line) + 1
            stamped.append(self._stamp(at) + b"  " + line + b"\n")
        return b"".join(stamped)

    def finish(self) -> bytes:
        """What is left without an end of its line."""
        rest, self._rest = self._rest, b""
        return self._stamp(self._at) + b"  " + rest + b"\n" if rest else b""

    def _stamp(self, end: int) -> bytes:
        found = bisect_left(self._offsets, end)
        if found < len(self._times):
            at = self._times[found]
        elif self.live:
            at = time.time()
        else:
            return UNKNOWN
        return time.strftime(FORMAT, time.localtime(at)).encode()
