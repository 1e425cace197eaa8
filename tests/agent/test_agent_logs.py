"""Reading logs: any piece of any size, and nothing that is not the user's own."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from danlu.agent.logs.log_files import LONGEST_CHUNK, LogRefused, LogWatch, read_log
from danlu.control.identity.accounts import own_account
from danlu.core.task import LogChunk
from tests.agent.story import Node
from tests.support.unix_accounts import OTHER_ACCOUNT


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "1.log"
    path.write_bytes(b"0123456789")
    return path


def test_pieces(log: Path) -> None:
    assert read_log(str(log), 0, 4, None) == LogChunk(b"0123", 0, 10)
    assert read_log(str(log), 4, 100, None) == LogChunk(b"456789", 4, 10)
    assert read_log(str(log), 10, 100, None) == LogChunk(b"", 10, 10)
    assert read_log(str(log), 99, 100, None) == LogChunk(b"", 99, 10)


def test_a_negative_offset_counts_from_the_end(log: Path) -> None:
    assert read_log(str(log), -3, 100, None) == LogChunk(b"789", 7, 10)
    assert read_log(str(log), -99, 100, None) == LogChunk(b"0123456789", 0, 10)


def test_a_log_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert read_log(str(tmp_path / "none" / "1.log"), -100, 100, own_account()) == LogChunk(b"", 0, 0)


def test_a_huge_log_is_read_at_its_end_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.log"
    with path.open("wb") as file:
        file.truncate(300 << 20)
        file.seek(0, os.SEEK_END)
        file.write(b"the end")
    before = bytes_read()
    chunk = read_log(str(path), -7, 1 << 30, None)
    assert (chunk.data, chunk.size) == (b"the end", (300 << 20) + 7)
    assert bytes_read() - before < 1 << 20


def bytes_read() -> int:
    """By this process, from its beginning, whether a disk had to be asked or not."""
    return int(Path("/proc/self/io").read_text().split()[1])


def test_a_piece_is_never_larger_than_asked_or_than_a_mebibyte(tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(bytes(LONGEST_CHUNK + 10))
    assert len(read_log(str(path), 0, 1 << 30, None).data) == LONGEST_CHUNK


def a_log_with_a_hole(path: Path, hole: int = 8 << 40) -> None:
    """Some lines, terabytes of nothing, and some more lines."""
    with path.open("wb") as file:
        file.write(b"before\n" * 10_000)
        file.truncate(hole)
        file.seek(0, os.SEEK_END)
        file.write(b"behind\n" * 10)


def test_a_hole_is_passed_over_and_never_read(tmp_path: Path) -> None:
    path, hole = tmp_path / "hole.log", 8 << 40
    a_log_with_a_hole(path, hole)
    first = read_log(str(path), 0, LONGEST_CHUNK, None)
    assert first.data.rstrip(b"\0") == b"before\n" * 10_000
    assert first.cut == (len(first.data), hole)
    assert read_log(str(path), first.end, 100, None) == LogChunk(b"behind\n" * 10, hole, hole + 70)
    assert read_log(str(path), 1 << 40, 7, None).data == b"behind\n"
    assert read_log(str(path), -100_000, 7, None).offset == hole
    assert read_log(str(path), hole + 70, 100, None) == LogChunk(b"", hole + 70, hole + 70)


def test_a_log_that_ends_in_a_hole_has_nothing_there(tmp_path: Path) -> None:
    path = tmp_path / "hole.log"
    path.write_bytes(b"all there is\n")
    os.truncate(path, 1 << 40)
    chunk = read_log(str(path), 1 << 20, 100, None)
    assert (chunk.data, chunk.offset, chunk.size) == (b"", 1 << 20, 1 << 40)


def test_what_is_not_a_plain_file_is_refused(tmp_path: Path, log: Path) -> None:
    (tmp_path / "link").symlink_to(log)
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo", "."):
        with pytest.raises(LogRefused):
            read_log(str(tmp_path / name), 0, 100, None)


def test_somebody_elses_file_is_refused(log: Path) -> None:
    assert read_log(str(log), 0, 100, own_account()).data == b"0123456789"
    with pytest.raises(LogRefused):
        read_log(str(log), 0, 100, OTHER_ACCOUNT)


async def test_a_watch_wakes_up_when_the_log_grows(log: Path) -> None:
    async with LogWatch(str(log)) as watch:
        waiting = asyncio.create_task(watch.changed())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        with log.open("ab") as file:
            file.write(b"more")
        await asyncio.wait_for(waiting, 5)


async def test_a_watch_wakes_up_when_the_log_comes_into_being(tmp_path: Path) -> None:
    path = tmp_path / "2026" / "11" / "1.log"
    async with LogWatch(str(path)) as watch:
        for step in (path.parent.parent.mkdir, path.parent.mkdir, path.touch):
            step()
            await asyncio.wait_for(watch.changed(), 5)
        path.write_bytes(b"hello")
        await asyncio.wait_for(watch.changed(), 5)


async def test_a_watch_survives_replacement_and_ignores_neighbours(log: Path) -> None:
    async with LogWatch(str(log)) as watch:
        (log.parent / "neighbour").touch()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watch.changed(), 0.1)
        log.rename(log.with_suffix(".old"))
        log.write_bytes(b"new")
        await asyncio.wait_for(watch.changed(), 5)
        await until_quiet(watch)
        with log.open("ab") as file:
            file.write(b"more")
        await asyncio.wait_for(watch.changed(), 5)


async def test_many_watches_share_one_instance(tmp_path: Path) -> None:
    logs = [tmp_path / f"{number}.log" for number in range(200)]
    async with contextlib.AsyncExitStack() as stack:
        watches = [await stack.enter_async_context(LogWatch(str(log))) for log in logs]
        twin = await stack.enter_async_context(LogWatch(str(logs[7])))
        assert inotify_instances() == 1
        logs[7].write_bytes(b"hello")
        for watch in (watches[7], twin):
            await asyncio.wait_for(watch.changed(), 5)
            await until_quiet(watch)
        others = [asyncio.ensure_future(watch.changed()) for watch in watches if watch is not watches[7]]
        await asyncio.sleep(0.05)
        assert not any(other.done() for other in others)
        for other in others:
            other.cancel()
        await stack.pop_all().aclose()
    assert inotify_instances() == 0


async def test_a_watch_outlives_its_twin(log: Path) -> None:
    async with LogWatch(str(log)) as watch:
        async with LogWatch(str(log)):
            pass
        with log.open("ab") as file:
            file.write(b"more")
        await asyncio.wait_for(watch.changed(), 5)


def inotify_instances() -> int:
    links = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if fd_exists(fd)]
    return sum("inotify" in link for link in links)


def fd_exists(fd: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{fd}")


async def until_quiet(watch: LogWatch) -> None:
    with contextlib.suppress(TimeoutError):
        while True:
            await asyncio.wait_for(watch.changed(), 0.1)


async def test_following_a_running_task(node: Node) -> None:
    order = node.a_task("for i in 1 2 3; do echo $i; sleep 0.1; done")
    seen = b""
    async with node.agent.watch_log(order.log_path, own_account()) as watch:
        await node.agent.launch(order)
        while seen != b"1\n2\n3\n":
            await asyncio.wait_for(watch.changed(), 5)
            seen += (await node.agent.read_log(order.log_path, len(seen), 1000, own_account())).data
