"""Logs where the system does not play along: a disk that hangs, a kernel without watches."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.agent.aside import MOST_OVERDUE, MOST_READERS
from danlu.agent.logs.log_files import LogRefused, LogWatch, read_log_aside
from danlu.control.identity.accounts import own_account
from danlu.core.task import LogChunk
from tests.agent.hung_disk import hung_disk
from tests.support.unix_accounts import OTHER_ACCOUNT


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "1.log"
    path.write_bytes(b"0123456789")
    return path


@pytest.fixture
def hung(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "hung"
    place.mkdir()
    with hung_disk(place):
        yield place


async def test_a_read_aside_is_a_read(log: Path, tmp_path: Path) -> None:
    assert await read_log_aside(str(log), -3, 100, own_account()) == LogChunk(b"789", 7, 10)
    with pytest.raises(LogRefused, match=r"denied|root can act"):
        await read_log_aside(str(log), 0, 100, OTHER_ACCOUNT)
    with pytest.raises(LogRefused, match="plain file"):
        await read_log_aside(str(tmp_path), 0, 100, None)


async def test_followers_in_great_numbers_are_all_served(log: Path) -> None:
    chunks = await asyncio.gather(*[read_log_aside(str(log), n % 10, 1, None) for n in range(60)])
    assert [chunk.data for chunk in chunks] == [b"%d" % (n % 10) for n in range(60)]


async def test_a_disk_that_hangs_holds_up_nobody_else(hung: Path, log: Path) -> None:
    began = time.monotonic()
    stuck = [
        asyncio.create_task(read_log_aside(str(hung / "1.log"), 0, 10, None, patience_s=0.5))
        for _ in range(MOST_READERS - 1)
    ]
    await asyncio.sleep(0)
    assert (await read_log_aside(str(log), 0, 4, None)).data == b"0123"
    await asyncio.wait_for(asyncio.to_thread(int), 5)
    for problem in await asyncio.gather(*stuck, return_exceptions=True):
        assert isinstance(problem, LogRefused)
        assert "does not answer" in str(problem)
    # The threads are still there, but no further one is lost to that disk, and the last one is for others.
    for _ in range(3):
        with pytest.raises(LogRefused, match="does not answer"):
            await read_log_aside(str(hung / "1.log"), 0, 10, None, patience_s=60)
        assert (await read_log_aside(str(log), 0, 4, None)).data == b"0123"
    one_more = asyncio.create_task(read_log_aside(str(hung / "2.log"), 0, 10, None, patience_s=0.5))
    await asyncio.sleep(0)
    with pytest.raises(LogRefused, match="64 reads"):
        await read_log_aside(str(log), 0, 4, None, patience_s=60)
    with pytest.raises(LogRefused, match="does not answer"):
        await one_more
    assert time.monotonic() - began < 60


async def test_one_owner_cannot_use_up_the_readers(hung: Path, log: Path) -> None:
    for number in range(MOST_READERS):
        patience_s = 0.05 if number < MOST_OVERDUE else 60
        with pytest.raises(LogRefused, match="does not answer"):
            await read_log_aside(str(hung / f"{number}.log"), 0, 1, own_account(), patience_s=patience_s)
    assert (await read_log_aside(str(log), 0, 4, None)).data == b"0123"


async def test_reads_one_after_another_share_their_threads(log: Path) -> None:
    before, used = reader_threads(), set()
    for _ in range(50):
        await read_log_aside(str(log), 0, 4, None)
        used |= reader_threads()
    # A reader is free again a moment after its answer.
    assert len(used - before) < 10


def reader_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "log reader"}


async def test_who_leaves_a_read_that_hangs_still_warns_the_next(hung: Path) -> None:
    leaving = asyncio.create_task(read_log_aside(str(hung / "1.log"), 0, 1, None, patience_s=0.05))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.sleep(0.1)
    with pytest.raises(LogRefused, match="does not answer"):
        await read_log_aside(str(hung / "1.log"), 0, 1, None, patience_s=60)


async def test_a_watch_on_a_disk_that_hangs_holds_up_nobody(hung: Path) -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0.01)

    beating = asyncio.create_task(beat())
    async with LogWatch(str(hung / "folder" / "1.log"), patience_s=0.3) as watch:
        await asyncio.wait_for(watch.changed(), 5)
    beating.cancel()
    assert beats > 5


async def test_readers_that_came_loose_make_room(tmp_path: Path, log: Path) -> None:
    place = tmp_path / "hung"
    place.mkdir()
    with hung_disk(place):
        reads = [
            read_log_aside(str(place / "1.log"), 0, 1, None, patience_s=0.2) for _ in range(MOST_READERS)
        ]
        await asyncio.gather(*reads, return_exceptions=True)
    async with asyncio.timeout(10):
        while True:
            try:
                assert (await read_log_aside(str(log), 0, 4, None)).data == b"0123"
                break
            except LogRefused:
                await asyncio.sleep(0.01)


def test_a_process_ends_although_a_read_hangs(hung: Path) -> None:
    code = """
import asyncio, sys
from danlu.agent.logs.log_files import LogRefused, read_log_aside
try:
    asyncio.run(read_log_aside(sys.argv[1], 0, 10, None, patience_s=0.1))
except LogRefused as problem:
    print(problem)
"""
    said = run_python(code, str(hung / "1.log"))
    assert "does not answer" in said


WATCHING = """
import asyncio, sys
from danlu.agent.logs.log_files import LogWatch
async def main():
    async with LogWatch(sys.argv[1]) as watch:
        await asyncio.wait_for(watch.changed(), 5)
        print("woken without a watch" if watch._inotify is None else "woken")
asyncio.run(main())
"""


@pytest.mark.parametrize("name", ["1.log", "none/of/these/2.log"])
def test_without_watches_a_wake_up_comes_all_the_same(log: Path, name: str) -> None:
    """In a user namespace of its own, where no watch may be had (ENOSPC)."""
    none_left = "echo 0 > /proc/sys/user/max_inotify_watches"
    if subprocess.run(["unshare", "-Ur", "sh", "-c", none_left], check=False).returncode != 0:
        pytest.skip("no user namespace can be made here")
    said = run_python(
        WATCHING,
        str(log.parent / name),
        before=["unshare", "-Ur", "sh", "-c", f'{none_left}; exec "$@"', "sh"],
    )
    assert said == "woken without a watch\n"


def test_a_folder_that_may_not_be_watched(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to act as another account")
    closed = folder / "closed"
    closed.mkdir(mode=0o711)
    closed.chmod(0o711)
    code = f"import os; os.setgroups([]); os.setuid(65534)\n{WATCHING}"
    # Imported first: the account may not be able to read our source.
    assert (
        run_python(f"import danlu.agent.logs.log_files\n{code}", str(closed / "1.log"))
        == "woken without a watch\n"
    )


def run_python(code: str, *arguments: str, before: list[str] = []) -> str:  # noqa: B006
    command = [*before, sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout
