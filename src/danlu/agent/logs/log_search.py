"""Looking for something in a log of any size: block by block, with a limit to what one call may cost."""

from __future__ import annotations

import asyncio
import bisect
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from danlu.agent.aside import Hangs, run_aside
from danlu.agent.logs.log_files import LogRefused, open_log
from danlu.agent.logs.trouble import SIGNS
from danlu.core.logs.log_search import Found, LogSearch, LogSearched
from danlu.core.task import UnixAccount
from danlu.sparse_files import data_parts

BLOCK = 1 << 20
"""To look through one takes about a millisecond, in which no other thread of Python runs."""
MOST_BYTES = 256 << 20
MOST_S = 1.0
CONTEXT = 64
"""What is read on both sides of a block, so that a pattern sees what is around a match at its edge."""
LONGEST_SHOWN = 300
LEAD = 100
"""So much of a long line is shown before the match."""
FARTHEST_LINE = 64 << 10
"""The beginning of a line is looked for so far back."""

Sign = tuple[bytes, re.Pattern[bytes] | None]


@dataclass(frozen=True, slots=True)
class Budget:
    """What one call may cost, and whether its caller still waits for it."""

    bytes: int = MOST_BYTES
    seconds: float = MOST_S
    is_over: Callable[[], bool] = lambda: False


def search_log(path: str, account: UnixAccount | None, search: LogSearch, budget: Budget) -> LogSearched:
    """Matches, up to a limit of them or of work. Whose files are read is as with `read_log`."""
    fd = open_log(path, account)
    if fd is None:
        return LogSearched((), None, 0)
    try:
        return _search(fd, search, budget)
    finally:
        os.close(fd)


async def search_log_aside(
    path: str, account: UnixAccount | None, search: LogSearch, *, patience_s: float = 10.0
) -> LogSearched:
    """`search_log` in a thread of its own. It stops soon after its caller has stopped waiting."""
    left = threading.Event()
    budget = Budget(is_over=left.is_set)
    try:
        uid = None if account is None else account.uid
        return await run_aside(lambda: search_log(path, account, search, budget), path, uid, patience_s)
    except Hangs as problem:
        raise LogRefused(str(problem)) from None
    except asyncio.CancelledError:
        left.set()
        raise


def _search(fd: int, search: LogSearch, budget: Budget) -> LogSearched:
    size = os.fstat(fd).st_size
    parts = data_parts(fd, size)
    at, signs = _start(search, size), _signs(search)
    by_line, backward = search.text is None, search.backward
    folded = by_line or search.ignore_case
    longest = max((len(sign) for sign, _ in signs), default=0)
    stride = max(BLOCK, 2 * longest)
    deadline = time.monotonic() + budget.seconds
    found: list[Found] = []
    read = 0
    while signs and (at > 0 if backward else at < size):
        at = _skip_hole(parts, at, size, backward)
        # Matches that begin in [low, high) are found in this round.
        low, high = (max(0, at - stride), at) if backward else (at, min(at + stride, size))
        head = max(0, low - CONTEXT)
        data = os.pread(fd, high - head + longest + CONTEXT, head)
        block = _Block(data.lower() if folded else data, head, signs)
        while (hit := block.last(low, high, at) if backward else block.first(max(low, at), high)) is not None:
            part = _part_of(parts, hit[0])
            line = max(_beginning_of_line(fd, hit[0]), part[0])
            if by_line and backward:
                hit = block.up_to(hit[1]).first(max(line, head), hit[1]) or hit
            found.append(_show(fd, *hit, line, part[1]))
            if backward:
                at = min(line, hit[0]) if by_line else hit[0]
            else:
                at = block.end_of_line(hit[1]) if by_line else hit[1]
            if len(found) == search.limit:
                return LogSearched(tuple(found), at, size)
        # Backward, what began before this block may end in it.
        at = min(at, low + longest - 1 if low else 0) if backward else max(at, high)
        read += high - low
        if read >= budget.bytes or time.monotonic() > deadline or budget.is_over():
            break
    is_done = at <= 0 if backward else at >= size
    return LogSearched(tuple(found), None if is_done or not signs else at, size)


def _skip_hole(parts: Sequence[tuple[int, int]], at: int, size: int, backward: bool) -> int:
    """Where there is something to look through again, from `at` on."""
    if backward:
        before = bisect.bisect_left(parts, at, key=lambda part: part[0]) - 1
        return min(at, parts[before][1]) if before >= 0 else 0
    behind = bisect.bisect_right(parts, at, key=lambda part: part[1])
    return max(at, parts[behind][0]) if behind < len(parts) else size


def _part_of(parts: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
    return parts[max(0, bisect.bisect_right(parts, offset, key=lambda part: part[0]) - 1)]


def _start(search: LogSearch, size: int) -> int:
    if search.offset is None:
        return size if search.backward else 0
    return max(0, min(size, search.offset if search.offset >= 0 else size + search.offset))


def _signs(search: LogSearch) -> Sequence[Sign]:
    if search.text is None:
        return SIGNS
    text = search.text.encode()
    return ((text.lower() if search.ignore_case else text, None),) if text else ()


class _Block:
    """A piece of a log, and where the signs are in it. For one, the others are not looked for again."""

    def __init__(self, data: bytes, head: int, signs: Sequence[Sign]) -> None:
        self._data = data
        self._head = head
        self._signs = signs
        self._next = [-1] * len(signs)
        self._last = [len(data) + 1] * len(signs)

    def up_to(self, end: int) -> _Block:
        """Its last piece before `end`, long enough for a line."""
        begin = max(0, end - self._head - FARTHEST_LINE)
        return _Block(self._data[begin : end - self._head + CONTEXT], self._head + begin, self._signs)

    def first(self, low: int, high: int) -> tuple[int, int] | None:
        """The first match that begins in [low, high), where `low` never goes back; a longer one of two at the
        same place."""
        floor, best = low - self._head, None
        for number, (sign, pattern) in enumerate(self._signs):
            if self._next[number] < floor:
                self._next[number] = self._find(sign, pattern, floor)
            at = self._next[number]
            if best is None or (at, -len(sign)) < best:
                best = (at, -len(sign))
        if best is None or best[0] >= high - self._head:
            return None
        return self._head + best[0], self._head + best[0] - best[1]

    def last(self, low: int, high: int, ceiling: int) -> tuple[int, int] | None:
        """The last match that begins in [low, high) and ends at `ceiling` or before."""
        best = (-1, 0)
        for number, (sign, pattern) in enumerate(self._signs):
            most = min(high - self._head - 1, ceiling - self._head - len(sign))
            if self._last[number] > most:
                self._last[number] = self._find_back(sign, pattern, most)
            best = max(best, (self._last[number], len(sign)))
        if best[0] < low - self._head:
            return None
        return self._head + best[0], self._head + sum(best)

    def end_of_line(self, offset: int) -> int:
        newline = self._data.find(b"\n", offset - self._head)
        return self._head + (newline if newline >= 0 else len(self._data))

    def _find(self, sign: bytes, pattern: re.Pattern[bytes] | None, floor: int) -> int:
        """Where it comes next; behind the end if nowhere."""
        at = self._data.find(sign, max(0, floor))
        while at >= 0 and pattern is not None and pattern.match(self._data, at) is None:
            at = self._data.find(sign, at + 1)
        return at if at >= 0 else len(self._data) + 1

    def _find_back(self, sign: bytes, pattern: re.Pattern[bytes] | None, most: int) -> int:
        at = self._data.rfind(sign, 0, most + len(sign)) if most >= 0 else -1
        while at >= 0 and pattern is not None and pattern.match(self._data, at) is None:
            at = self._data.rfind(sign, 0, at - 1 + len(sign))
        return at


def _beginning_of_line(fd: int, offset: int) -> int:
    """Where the line begins; if that is very far back, where what is shown of it begins."""
    for far in (4096, FARTHEST_LINE):
        start = max(0, offset - far)
        newline = os.pread(fd, offset - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        if start == 0:
            return 0
    return offset - LEAD


def _show(fd: int, begin: int, end: int, line: int, part_end: int) -> Found:
    shown = max(line, begin - LEAD)
    data = os.pread(fd, min(LONGEST_SHOWN, part_end - shown), shown)
    newline = data.find(b"\n", begin - shown)
    return Found(begin, end - begin, line, (data if newline < 0 else data[:newline]).rstrip(b"\r"))
