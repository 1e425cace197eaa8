"""Many followers of one log: each gets every byte once and in order, and together they read it about once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.api.logs import log_sharing
from danlu.api.logs.log_sharing import SharedLog, SharedLogs
from danlu.core.errors import Conflict
from danlu.core.task import LogChunk

LIMIT = 16


@dataclass
class SlowLog:
    """A log whose reads look first and answer later, and that tells of every change once."""

    content: bytes = b""
    turns: int = 3
    """Of the event loop, between looking and answering."""
    reads: int = 0
    refuses: bool = False
    _change: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, offset: int) -> LogChunk:
        self.reads += 1
        start = max(0, len(self.content) + offset) if offset < 0 else offset
        found = LogChunk(self.content[start : start + LIMIT], start, len(self.content))
        refused = self.refuses
        for _ in range(self.turns):
            await asyncio.sleep(0)
        if refused:
            raise Conflict("log_unreadable", path="1.log", reason="not now")
        return found

    def write(self, data: bytes) -> None:
        self.content += data
        self._change.set()

    def replace(self, data: bytes) -> None:
        self.content = data
        self._change.set()

    @contextlib.asynccontextmanager
    async def watch(self) -> AsyncIterator[SlowLog]:
        yield self

    async def changed(self) -> None:
        await self._change.wait()
        self._change.clear()


async def follow(logs: SharedLogs, source: SlowLog, start: int, end: int, pace: int) -> bytes:
    """From `start` to `end`, as slow as `pace`."""
    seen, offset = b"", start
    async with logs.follow("1.log", source.watch) as log:
        first = True
        while offset < end:
            change = log.change
            piece = await (log.read_afresh if first else log.read)(offset, source.read)
            first = False
            if not piece.data:
                await change
                continue
            assert piece.offset == offset
            seen += piece.data
            offset = piece.end
            for _ in range(pace):
                await asyncio.sleep(0)
    return seen


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 30)), min_size=1, max_size=8),
    st.lists(st.tuples(st.binary(min_size=1, max_size=60), st.integers(0, 20)), min_size=1, max_size=10),
    st.integers(0, 5),
)
def test_everybody_gets_every_byte_once(followers, writes, turns):
    whole = b"".join(data for data, _ in writes)

    async def story() -> None:
        source, logs = SlowLog(turns=turns), SharedLogs()
        starts = [min(start, len(whole)) for start, _ in followers]
        following = [
            asyncio.create_task(follow(logs, source, start, len(whole), pace))
            for start, (_, pace) in zip(starts, followers, strict=True)
        ]
        for data, rest in writes:
            source.write(data)
            for _ in range(rest):
                await asyncio.sleep(0)
        async with asyncio.timeout(10):
            assert await asyncio.gather(*following) == [whole[start:] for start in starts]
        assert not logs._logs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_sharing, "LULL_S", 0.0)
        asyncio.run(story())


async def test_followers_side_by_side_read_once_and_frame_once():
    source, logs = SlowLog(), SharedLogs()
    framed = 0

    def frame(offset: int, data: bytes) -> bytes:
        nonlocal framed
        framed += 1
        return b"%d:%b" % (offset, data)

    async def one(log: SharedLog) -> bytes:
        return (await log.read(0, source.read)).framed(frame)

    async with logs.follow("1.log", source.watch) as log, logs.follow("1.log", source.watch) as same:
        assert log is same
        source.write(b"hello")
        assert await asyncio.gather(*[one(log) for _ in range(20)]) == [b"0:hello"] * 20
        assert (source.reads, framed) == (1, 1)
        # One that comes a little later needs no read either, nor one that was further.
        assert await one(log) == b"0:hello"
        assert (await log.read(3, source.read)).data == b"lo"
        assert source.reads == 1


async def test_a_read_that_began_too_early_is_not_the_last_word():
    source, logs = SlowLog(turns=10), SharedLogs()
    async with logs.follow("1.log", source.watch) as log:
        early = asyncio.create_task(log.read(0, source.read))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        source.write(b"the end")
        late = await asyncio.gather(*[log.read(0, source.read) for _ in range(5)])
        assert (await early).data == b""
        assert [piece.data for piece in late] == [b"the end"] * 5
        assert source.reads == 2


async def test_a_refusal_is_told_to_all_and_remembered_by_none():
    source, logs = SlowLog(b"hello", refuses=True), SharedLogs()
    async with logs.follow("1.log", source.watch) as log:
        problems = await asyncio.gather(*[log.read(0, source.read) for _ in range(3)], return_exceptions=True)
        assert [type(problem) for problem in problems] == [Conflict] * 3
        source.refuses = False
        assert (await log.read(0, source.read)).data == b"hello"


async def test_who_leaves_takes_nothing_away_from_the_others():
    source, logs = SlowLog(b"hello", turns=10), SharedLogs()
    async with logs.follow("1.log", source.watch) as log:
        first = asyncio.create_task(log.read(0, source.read))
        await asyncio.sleep(0)
        second = asyncio.create_task(log.read(0, source.read))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).data == b"hello"
        assert source.reads == 1


async def test_what_is_kept_is_bounded_and_goes_with_a_truncated_file(monkeypatch):
    monkeypatch.setattr(log_sharing, "MOST_KEPT_BYTES", 3 * LIMIT)
    source, logs = SlowLog(b"x" * 10 * LIMIT), SharedLogs()
    async with logs.follow("1.log", source.watch) as log, logs.follow("1.log", source.watch):
        for number in range(10):
            await log.read(number * LIMIT, source.read)
        assert sum(len(piece.data) for piece in log._kept) == 3 * LIMIT
        source.replace(b"new")
        assert (await log.read_afresh(0, source.read)).data == b"new"
        assert [piece.data for piece in log._kept] == [b"new"]
    assert not logs._logs


async def test_a_watch_that_fails_is_told_to_who_follows():
    @contextlib.asynccontextmanager
    async def no_watch() -> AsyncIterator[SlowLog]:
        raise FileNotFoundError("1.log")
        yield SlowLog()

    logs = SharedLogs()
    with pytest.raises(FileNotFoundError):
        async with logs.follow("1.log", no_watch):
            pass
    assert not logs._logs
