"""A task that may begin again elsewhere ends with its node's lease, also where agent and keeper are dead."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from danlu.agent.keeper.lease import GRACE_S, NodeLease, read_lease
from danlu.agent.keeper.processes import boot_id
from danlu.agent.keeper.wrapper.supervision import Supervision
from danlu.core.task import LaunchOrder, TaskEnding
from tests.agent.hung_disk import hung_disk
from tests.agent.story import Node, eventually, is_alive

WRITE_CLOCK = """
import signal, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[1], "a") as file:
    while True:
        file.write(f"{time.clock_gettime(time.CLOCK_BOOTTIME)}\\n")
        file.flush()
        time.sleep(0.05)
"""
A_LITTLE_S = 3.0
"""What the control side allows for a kill (see `control/recovery/fencing.py`)."""


def now() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def grant(node: Node, for_s: float, boot: str | None = None) -> float:
    """As the agent does it: whole or not at all. When the lease runs out."""
    until = now() + for_s
    fresh = node.keeper_folder / "lease.new"
    fresh.write_text(f"{until!r} {boot or boot_id()}\n")
    fresh.rename(node.keeper_folder / "lease")
    return until


@contextlib.contextmanager
def granting(node: Node, for_s: float) -> Iterator[None]:
    """Beats that keep coming."""

    async def beat() -> None:
        while True:
            grant(node, for_s)
            await asyncio.sleep(for_s / 5)

    grant(node, for_s)
    beats = asyncio.get_running_loop().create_task(beat())
    try:
        yield
    finally:
        beats.cancel()


async def a_clock(node: Node, *words: str, **fields: object) -> LaunchOrder:
    """A leased task that writes the time every 50 ms."""
    (node.folder / "clock.py").write_text(WRITE_CLOCK)
    fields = {"leased": True} | fields
    order = await node.started(f"{sys.executable} clock.py written {' '.join(words)}", **fields)
    await eventually(lambda: (node.folder / "written").exists() and written(node) != [])
    return order


def written(node: Node) -> list[float]:
    *lines, _torn = (node.folder / "written").read_text().split("\n")
    return [float(line) for line in lines]


def last_written(node: Node) -> float:
    return written(node)[-1]


async def test_it_ends_with_the_lease(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    until = grant(node, 1.5)
    order = await a_clock(node)
    assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST
    assert last_written(node) < until + A_LITTLE_S
    assert now() > until


async def test_who_does_not_listen_is_killed_before_the_next_attempt_may_begin(node: Node) -> None:
    until = grant(node, 1.0)
    order = await a_clock(node, "stubborn", grace_s=600.0)
    assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST
    assert until + 1 < last_written(node) < until + GRACE_S + A_LITTLE_S


async def test_it_goes_on_while_the_lease_is_renewed(node: Node) -> None:
    with granting(node, 0.8):
        order = await a_clock(node)
        # Three leases long.
        begun = now()
        await eventually(lambda: last_written(node) > begun + 2.4)
        assert node.known[order.key].end is None
    assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST


async def test_a_task_without_a_lease_goes_on(node: Node) -> None:
    until = grant(node, 0.3)
    order = await a_clock(node, leased=False)
    await eventually(lambda: last_written(node) > until + 1)
    assert node.known[order.key].end is None


async def test_with_the_keeper_and_the_agent_dead(node: Node) -> None:
    until = grant(node, 1.5)
    order = await a_clock(node)
    wrapper = node.wrapper_of(order.key)
    keeper = node.keeper()
    await node.link.close()
    os.kill(keeper, signal.SIGKILL)
    await eventually(lambda: not Path(f"/proc/{wrapper}").exists())
    assert last_written(node) < until + A_LITTLE_S
    assert now() > until
    await node.link.start()
    assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST


async def test_the_keeper_dies_and_the_lease_goes_on(node: Node) -> None:
    with granting(node, 0.8):
        order = await a_clock(node)
        await node.kill_keeper()
        begun = now()
        await eventually(lambda: last_written(node) > begun + 1.6)
        assert node.known[order.key].end is None


@pytest.mark.parametrize("text", ["", "soon", "nan {boot}", "inf {boot}", "{end} another-boot", "{end}"])
async def test_a_lease_that_says_nothing_is_none(folder: Path, text: str) -> None:
    (folder / "lease").write_text(text.format(boot=boot_id(), end=now() + 60))
    assert read_lease(str(folder / "lease"), boot_id()) is None
    assert read_lease(str(folder / "none"), boot_id()) is None
    assert read_lease(str(folder), boot_id()) is None


@pytest.mark.parametrize("lease", ["expired", "of another boot", "gone", "unreadable"])
async def test_without_a_lease_it_never_starts(node: Node, lease: str) -> None:
    grant(node, -0.01 if lease == "expired" else 60, "another" if lease == "of another boot" else None)
    if lease == "gone":
        (node.keeper_folder / "lease").unlink()
    if lease == "unreadable":
        (node.keeper_folder / "lease").write_text("{end} {boot}")
    end = await node.run("touch ran", leased=True)
    assert (end.ending, end.wait_status) == (TaskEnding.NEVER_STARTED, None)
    assert not (node.folder / "ran").exists()


def test_a_lease_that_runs_out_while_a_file_is_opened_lets_nothing_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "lease").write_text(f"{now() + 0.05!r} {boot_id()}\n")
    lease = NodeLease(str(folder / "lease"), boot_id())
    assert not lease.is_over
    starts: list[object] = []

    class Recorder:
        def start(self, *parts: object) -> int:
            starts.append(parts)
            return 0

    def open_slowly(_order: object) -> None:
        time.sleep(0.06)

    monkeypatch.setattr("danlu.agent.keeper.wrapper.supervision.open_call", open_slowly)
    order = {"log_path": str(folder / "log"), "account": None, "stdout": None, "time_limit_s": None}
    parts: list[Any] = [None, {}, order, None, None, lease]
    assert not Supervision(*parts).spawn(cast("Any", None), cast("Any", Recorder()))
    assert starts == []


async def test_the_file_goes_away_while_it_runs(node: Node) -> None:
    until = grant(node, 1.0)
    order = await a_clock(node)
    (node.keeper_folder / "lease").unlink()
    assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST
    assert last_written(node) < until + A_LITTLE_S
    assert now() > until


async def test_the_disk_of_the_lease_hangs_while_it_runs(node: Node) -> None:
    """The reader hangs; the wrapper that has to stop the task does not."""
    until = grant(node, 1.5)
    order = await a_clock(node)
    (node.folder / "hung").mkdir()
    with hung_disk(node.folder / "hung") as disk:
        lease = node.keeper_folder / "lease"
        lease.unlink()
        lease.symlink_to(disk / "lease")
        assert (await node.end_of(order.key)).ending is TaskEnding.LEASE_LOST
    assert last_written(node) < until + A_LITTLE_S
    assert now() > until


async def test_a_lease_that_ends_shortens_the_grace_of_a_stop(node: Node) -> None:
    until = grant(node, 1.0)
    order = await a_clock(node, "stubborn")
    await node.agent.stop(order.key, grace_s=600.0)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED
    assert last_written(node) < until + GRACE_S + A_LITTLE_S


async def test_a_killed_wrapper_is_the_keepers_to_settle(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    grant(node, 60)
    order = await a_clock(node)
    os.kill(node.wrapper_of(order.key), signal.SIGKILL)
    assert (await node.end_of(order.key)).ending is TaskEnding.VANISHED
    before = last_written(node)
    await asyncio.sleep(0.2)
    assert last_written(node) == before


async def test_wrapper_and_keeper_killed_take_the_command_along(a_node, mode: str) -> None:
    """The kernel kills the command with its wrapper; what it has started, the next keeper does."""
    node = await a_node(mode=mode)
    grant(node, 60)
    nap = f"97.{os.getpid()}"
    order = await node.started(f"sleep {nap}", leased=True)
    commands = [int(pid.name) for pid in Path("/proc").iterdir() if pid.name.isdigit()]
    commands = [pid for pid in commands if is_alive(pid, f"sleep\0{nap}")]
    assert len(commands) == 1
    await node.link.close()
    os.kill(node.keeper(), signal.SIGKILL)
    os.kill(node.wrapper_of(order.key), signal.SIGKILL)
    await eventually(lambda: not is_alive(commands[0], nap))
    await node.link.start()
    assert (await node.end_of(order.key)).ending is TaskEnding.VANISHED


async def test_a_wrapper_that_watched_a_lease_takes_no_other_task(node: Node) -> None:
    grant(node, 60)
    order = node.a_task(leased=True)
    await node.agent.launch(order)
    assert (await node.end_of(order.key)).wait_status == 0
    wrapper = node.wrapper_of(order.key)
    other = node.a_task()
    await node.agent.launch(other)
    assert (await node.end_of(other.key)).wait_status == 0
    assert node.wrapper_of(other.key) != wrapper
