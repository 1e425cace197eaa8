"""Calls and results as files: whose they are, how long they stay, and what a job gets of them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import stat
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from danlu.control.calls import call_files
from danlu.control.calls.call_files import DAY_S, KEPT_S, UNUSED_S, call_path, find_old, gather, result_path
from danlu.core.errors import Forbidden, Invalid, TooMany, Unavailable
from danlu.core.job_id import element_id
from danlu.core.states import JobState
from danlu.core.user import Role
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.world import World


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def store(world: World, user: str = "bo", *parts: bytes) -> str:
    stored = await world.control.calls.store(await world.user(user), pieces(*parts or (b"call",)))
    return stored.digest


def path_of(world: World, digest: str, owner: str = "bo") -> Path:
    return call_path(world.settings.calls, owner, digest)


def age(world: World, path: Path, seconds: float) -> None:
    """No client touched it for so long."""
    then = world.clock() - seconds
    os.utime(path, (then, then))


class TestStoring:
    async def test_it_is_kept_under_its_digest_for_nobody_elses_eyes(self, world: World) -> None:
        parts = [b"a" * 700_000, b"", b"b" * 700_000, b"c"]
        digest = await store(world, "bo", *parts)
        assert digest == hashlib.sha256(b"".join(parts)).hexdigest()
        path = path_of(world, digest)
        assert path.read_bytes() == b"".join(parts)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert [entry.name for entry in path.parent.iterdir()] == [digest]

    async def test_storing_it_again_changes_nothing(self, world: World) -> None:
        assert await store(world) == await store(world)
        assert len(list((world.settings.calls / "bo").iterdir())) == 1

    async def test_what_breaks_off_leaves_nothing(self, world: World) -> None:
        async def breaking() -> AsyncIterator[bytes]:
            yield b"x" * (2 << 20)
            raise ConnectionError("gone")

        with pytest.raises(Unavailable):
            await world.control.calls.store(await world.user("bo"), breaking())
        assert list((world.settings.calls / "bo").iterdir()) == []

    async def test_who_may_only_look_cannot(self, world: World) -> None:
        await world.add_user("viv", Role.VIEWER)
        with pytest.raises(Forbidden):
            await store(world, "viv")

    async def test_pieces_are_gathered_and_none_is_lost(self) -> None:
        parts = [bytes([n % 256]) * (n * 997) for n in range(100)]
        found = [piece async for piece in gather(pieces(*parts))]
        assert b"".join(found) == b"".join(parts)
        assert len(found) < 10


class TestRoom:
    async def test_only_so_many_may_wait_for_a_job(self, world: World, monkeypatch) -> None:
        monkeypatch.setattr(call_files, "MOST_UNUSED", 3)
        stored = [await store(world, "bo", bytes([n])) for n in range(3)]
        with pytest.raises(TooMany, match="too_many_calls"):
            await store(world, "bo", b"one more")
        assert {path.name for path in (world.settings.calls / "bo").iterdir()} == set(stored)
        await store(world, "cy", b"of another user")
        job_id = await world.submit(call=stored[0], hold=True)
        stored.append(await store(world, "bo", b"one more"))
        with pytest.raises(TooMany):
            await store(world, "bo", b"and one more")
        await world.control.jobs.delete(
            await world.user("bo"), job_id, with_successors=False, running="refuse"
        )
        assert not path_of(world, stored[0]).exists()
        with pytest.raises(TooMany):
            await store(world, "bo", b"and one more")

    async def test_only_so_much_may_wait_for_a_job(self, world: World, monkeypatch) -> None:
        monkeypatch.setattr(call_files, "LARGEST_UNUSED", 1000)
        digest = await store(world, "bo", b"x" * 600)
        with pytest.raises(TooMany, match="too_many_calls"):
            await store(world, "bo", b"y" * 401)
        await store(world, "bo", b"y" * 400)
        await world.submit(call=digest, hold=True)
        await store(world, "bo", b"z" * 600)

    async def test_what_is_still_coming_in_counts_too(self, world: World, monkeypatch) -> None:
        monkeypatch.setattr(call_files, "LARGEST_UNUSED", 3 * call_files.PIECE)
        monkeypatch.setattr(call_files, "CHECKED_EVERY", call_files.PIECE)
        taken, go_on = asyncio.Event(), asyncio.Event()

        async def slow() -> AsyncIterator[bytes]:
            yield b"x" * (2 * call_files.PIECE)
            taken.set()
            await go_on.wait()

        coming = asyncio.create_task(world.control.calls.store(await world.user("bo"), slow()))
        await asyncio.wait_for(taken.wait(), 10)
        with pytest.raises(TooMany):
            await store(world, "bo", b"y" * (2 * call_files.PIECE))
        go_on.set()
        await coming

    async def test_who_goes_on_sending_is_stopped_early_and_heard_out(
        self, world: World, monkeypatch
    ) -> None:
        monkeypatch.setattr(call_files, "LARGEST_UNUSED", call_files.PIECE)
        monkeypatch.setattr(call_files, "CHECKED_EVERY", call_files.PIECE)
        folder = world.settings.calls / "bo"
        largest, sent = 0, 0

        async def endless() -> AsyncIterator[bytes]:
            nonlocal largest, sent
            for _ in range(20):
                yield b"x" * call_files.PIECE
                sent += 1
                largest = max([largest, *(path.stat().st_size for path in folder.iterdir())])

        with pytest.raises(TooMany):
            await world.control.calls.store(await world.user("bo"), endless())
        assert (sent, largest) == (20, call_files.PIECE)
        assert list(folder.iterdir()) == []

    @pytest.mark.parametrize(
        ("total", "free", "taken"),
        [
            (1 << 40, 1 << 30, True),
            (1 << 40, (1 << 30) - 1, False),
            (1000 << 20, 50 << 20, True),
            (1000 << 20, 49 << 20, False),
        ],
        ids=["large", "large and full", "small", "small and full"],
    )
    async def test_a_disk_that_is_nearly_full_takes_none(
        self, world: World, monkeypatch, total: int, free: int, taken: bool
    ) -> None:
        usage = shutil._ntuple_diskusage(total, total - free, free)
        monkeypatch.setattr(call_files.shutil, "disk_usage", lambda _: usage)
        if taken:
            await store(world)
            return
        with pytest.raises(Unavailable, match="disk_nearly_full"):
            await store(world)
        assert list((world.settings.calls / "bo").iterdir()) == []

    @pytest.mark.parametrize("times", [1, 2])
    async def test_who_is_cancelled_while_it_is_opened_leaves_nothing(
        self, world: World, monkeypatch, times: int
    ) -> None:
        opened, go_on = threading.Event(), threading.Event()
        really_open = os.open

        def open_slowly(path: Any, *args: Any, **options: Any) -> int:
            descriptor = really_open(path, *args, **options)
            if call_files.DRAFT in str(path):
                opened.set()
                go_on.wait(10)
            return descriptor

        monkeypatch.setattr(os, "open", open_slowly)
        folder = world.settings.calls / "bo"
        storing = asyncio.create_task(world.control.calls.store(await world.user("bo"), pieces(b"call")))
        await asyncio.to_thread(opened.wait, 10)
        for _ in range(times):
            storing.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await storing
        assert list(folder.iterdir()) == []
        assert not any(str(folder) in path for path in _open_files())


def _open_files() -> list[str]:
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(str(link.readlink()))
    return found


class TestUsing:
    async def test_the_order_names_the_call_and_a_place_for_the_result(self, world: World) -> None:
        digest = await store(world)
        job_id = await world.submit(call=digest)
        order = await world.launch_of(job_id)
        assert order.call_path == str(path_of(world, digest))
        assert order.result_path == str(world.settings.results / str(job_id) / "1")
        plain = await world.launch_of(await world.submit())
        assert (plain.call_path, plain.result_path) == (None, None)

    async def test_each_attempt_has_a_result_of_its_own(self, world: World) -> None:
        job_id = await world.submit(call=await store(world), retries=1, retry_backoff_s=0)
        await world.runs_to_end(job_id, code=1)
        order = await world.launch_of(job_id, attempt=2)
        assert order.result_path == str(world.settings.results / str(job_id) / "2")

    def test_each_task_of_an_array_has_a_result_of_its_own(self, tmp_path: Path) -> None:
        keys = [(12, 1, 0), (12, 2, 0), (12, 1, 1), *((element_id(12, index), 1, 0) for index in (0, 1, 21))]
        paths = {result_path(tmp_path, *key) for key in keys}
        assert len(paths) == len(keys)
        assert {Path(path).parent for path in paths} == {tmp_path / "12"}

    async def test_a_call_that_is_not_there_or_not_theirs_is_refused(self, world: World) -> None:
        digest = await store(world, "bo")
        for owner, wanted in (("bo", "0" * 64), ("cy", digest), ("ann", digest)):
            with pytest.raises(Invalid) as refused:
                await world.submit(owner, call=wanted)
            assert (refused.value.code, refused.value.field) == ("no_such_call", "call")

    async def test_it_stays_through_edits_and_copies(self, world: World) -> None:
        digest = await store(world)
        job_id = await world.submit(call=digest, hold=True)
        await world.control.jobs.edit(await world.user("bo"), job_id, JobEdit(set=JobFields(name="new")))
        copy = await world.control.jobs.resubmit(await world.user("ann"), job_id)
        for each in (job_id, copy):
            assert (await world.job(each)).spec.call == digest

    async def test_a_job_whose_call_is_gone_cannot_run_again(self, world: World) -> None:
        digest = await store(world)
        job_id = await world.submit(call=digest)
        await world.runs_to_end(job_id)
        path_of(world, digest).unlink()
        bo = await world.user("bo")
        with pytest.raises(Invalid, match="no_such_call"):
            await world.control.jobs.resubmit(bo, job_id)
        with pytest.raises(Invalid, match="no_such_call"):
            await world.control.jobs.edit(bo, job_id, JobEdit(set=JobFields(name="again")))
        await world.control.jobs.edit(bo, job_id, JobEdit(clear=["call"]))


class TestClearingAway:
    async def test_an_unused_call_goes_after_a_day(self, world: World) -> None:
        digest = await store(world)
        age(world, path_of(world, digest), UNUSED_S - 1)
        await world.control.calls.clear_away()
        assert path_of(world, digest).exists()
        age(world, path_of(world, digest), UNUSED_S + 1)
        await world.control.calls.clear_away()
        assert not path_of(world, digest).exists()

    async def test_a_job_keeps_its_call_until_long_after_its_end(self, world: World) -> None:
        digest = await store(world)
        job_id = await world.submit(call=digest)
        path = path_of(world, digest)
        key = await world.starts(job_id)
        age(world, path, 100 * DAY_S)
        await world.control.calls.clear_away()
        assert path.exists(), "it runs"
        world.agents.ends(key)
        await world.until(job_id, JobState.SUCCEEDED)
        age(world, path, 100 * DAY_S)
        await world.control.calls.clear_away()
        assert path.exists(), "it has just ended"
        world.clock.advance(KEPT_S + 1)
        await world.control.calls.clear_away()
        assert not path.exists()

    async def test_a_deleted_job_keeps_neither(self, world: World) -> None:
        digest = await store(world)
        job_id = await world.submit(call=digest)
        await world.runs_to_end(job_id)
        bo = await world.user("bo")
        await world.control.jobs.delete(bo, job_id, with_successors=False, running="refuse")
        # Its result goes with its logs, on the node that has them.
        await world.until_true(lambda: world.agents.removed == [("forge", job_id)])
        assert not path_of(world, digest).exists()

    async def test_a_call_that_another_job_names_outlives_a_deleted_one(self, world: World) -> None:
        digest = await store(world)
        first, second = [await world.submit(call=digest, hold=True) for _ in range(2)]
        bo = await world.user("bo")
        await world.control.jobs.delete(bo, first, with_successors=False, running="refuse")
        assert path_of(world, digest).exists()
        await world.control.jobs.delete(bo, second, with_successors=False, running="refuse")
        assert not path_of(world, digest).exists()

    async def test_somebody_elses_job_keeps_only_its_own(self, world: World) -> None:
        mine, theirs = await store(world, "bo"), await store(world, "cy")
        assert mine == theirs
        await world.submit("cy", call=theirs, hold=True)
        for owner in ("bo", "cy"):
            age(world, path_of(world, mine, owner), UNUSED_S + 1)
        await world.control.calls.clear_away()
        assert not path_of(world, mine, "bo").exists()
        assert path_of(world, theirs, "cy").exists()

    async def test_old_results_go_with_their_folders(self, world: World) -> None:
        old, new = (world.settings.results / name / "1" for name in ("7", "8"))
        for path in (old, new):
            path.parent.mkdir(parents=True)
            path.write_text("result")
        age(world, old, KEPT_S + 1)
        age(world, new, KEPT_S - 1)
        await world.control.calls.clear_away()
        assert not old.parent.exists()
        assert new.exists()

    def test_nothing_is_old_where_there_is_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "a file").touch()
        assert find_old(tmp_path / "absent", 1e12) == []
        assert find_old(tmp_path, 1e12) == []
