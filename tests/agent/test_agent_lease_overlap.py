"""What an old attempt does after the next may have begun: nothing, even if its keeper or wrapper is stopped.

The payload writes down when it ran, by the clock that the lease counts in; what it wrote is compared with the
moment from which the control side may start the next attempt.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from danlu.agent.keeper.lease import GRACE_S
from danlu.control.recovery.fencing import longest_s
from danlu.core.task import LaunchOrder, TaskEnding
from tests.agent.conftest import works_here
from tests.agent.story import Node, eventually
from tests.agent.test_agent_lease import granting, last_written, now, written

PATIENCE_S = 60.0
LEASE_S = 2.0
CLOCK = """
import signal, sys, time
def note(what):
    with open("noted", "a") as file:
        file.write(what)
signal.signal(signal.SIGTERM, lambda *_: note("TERM"))
with open("written", "a") as file:
    while True:
        file.write(f"{time.clock_gettime(time.CLOCK_BOOTTIME)}\\n")
        file.flush()
        time.sleep(0.02)
"""
"""It hears TERM and goes on, as a training does that saves what it has."""


@pytest.fixture
async def nodes(folder: Path) -> AsyncIterator[list[Node]]:
    """One of each mode of containment that this machine has, side by side: these tests mostly wait."""
    found = []
    for mode in filter(works_here, ("v2", "v1", "none")):
        (folder / mode).mkdir()
        found.append(Node(folder / mode, mode=mode))
    try:
        for node in found:
            await node.link.start()
        yield found
    finally:
        for node in found:
            await clear_away(node)


async def clear_away(node: Node) -> None:
    for pid in processes_of(node):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    if node.link._upkeep is None:
        await node.link.start()
    for fact in await node.agent.tasks():
        if fact.end is None:
            await node.agent.stop(fact.key, grace_s=0)
            await node.end_of(fact.key, PATIENCE_S)
        await node.agent.forget([fact.key])
    await node.retire_keeper()
    await eventually(lambda: not processes_of(node), PATIENCE_S)


def processes_of(node: Node) -> list[int]:
    """The keeper, its forks, and the processes of tasks: all that lives of this node but the agent."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            words = (entry / "cmdline").read_text().split("\0")
            is_ours = str(node.keeper_folder) in words or (entry / "cwd").readlink() == node.folder
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if is_ours and state != "Z" and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found


def watchdogs(node: Node) -> list[int]:
    return [pid for pid in processes_of(node) if name_of(pid) == "danlu watchdog"]


def name_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def payloads(node: Node) -> list[int]:
    return [pid for pid in processes_of(node) if name_of(pid).startswith("python")]


async def a_clock(node: Node, **fields: object) -> LaunchOrder:
    """A leased task whose shell has started what writes the time."""
    (node.folder / "clock.py").write_text(CLOCK)
    command = f"{sys.executable} clock.py & wait; wait; wait"
    fields = {"leased": True, "grace_s": 600.0} | fields
    order = node.a_task(command, **fields)
    await node.agent.launch(order)
    await eventually(lambda: (node.folder / "written").exists() and written(node) != [], PATIENCE_S)
    return order


def send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


async def clocks_with_a_lease(nodes: list[Node]) -> tuple[list[LaunchOrder], list[float]]:
    """A task on each node, which has heard its last beat now; and when each lease runs out."""
    with contextlib.ExitStack() as beats:
        for node in nodes:
            beats.enter_context(granting(node, LEASE_S))
        orders = [await a_clock(node) for node in nodes]
    return orders, [float((node.keeper_folder / "lease").read_text().split()[0]) for node in nodes]


async def see_it_end(node: Node, until: float) -> float:
    """How long the old attempt has run beside the next, at worst."""
    next_begins = until + longest_s(0)
    await eventually(lambda: not payloads(node) or now() > next_begins + 2, PATIENCE_S)
    return max(0.0, last_written(node) - next_begins)


async def test_frozen_whole_and_thawed(nodes: list[Node]) -> None:
    """Wrapper or watchdog first, the payload gets neither TERM nor a grace: those were over long ago."""
    orders, ends = await clocks_with_a_lease(nodes)
    frozen = [pid for node in nodes for pid in processes_of(node)]
    send(frozen, signal.SIGSTOP)
    await eventually(lambda: now() > max(ends) + longest_s(0), PATIENCE_S)
    assert all(payloads(node) for node in nodes)
    thawed_at = now()
    payload = [pid for node in nodes for pid in payloads(node)]
    send([*payload, *frozen], signal.SIGCONT)
    for node, order in zip(nodes, orders, strict=True):
        assert (await node.end_of(order.key, PATIENCE_S)).ending is TaskEnding.LEASE_LOST
        assert not (node.folder / "noted").exists()
        assert last_written(node) - thawed_at < GRACE_S / 2


async def test_agent_keeper_and_wrapper_stopped_while_the_payload_runs(nodes: list[Node]) -> None:
    """The watchdog is none of them; one that was killed has a successor."""
    orders, ends = await clocks_with_a_lease(nodes)
    for node, order in zip(nodes, orders, strict=True):
        await node.link.close()
        send([pid for pid in (node.keeper(), node.wrapper_of(order.key)) if pid], signal.SIGSTOP)
    assert [await see_it_end(*each) for each in zip(nodes, ends, strict=True)] == [0.0] * len(nodes)
    for node, order in zip(nodes, orders, strict=True):
        send(processes_of(node), signal.SIGCONT)
        await node.link.start()
        assert (await node.end_of(order.key, PATIENCE_S)).ending is TaskEnding.LEASE_LOST


async def test_all_three_killed_and_the_payload_orphaned(nodes: list[Node]) -> None:
    """The kernel kills the shell with its wrapper; what the shell has started has no wrapper any more."""
    orders, ends = await clocks_with_a_lease(nodes)
    for node, order in zip(nodes, orders, strict=True):
        await node.link.close()
        send([pid for pid in (node.keeper(), node.wrapper_of(order.key)) if pid], signal.SIGKILL)
        assert payloads(node)
    assert [await see_it_end(*each) for each in zip(nodes, ends, strict=True)] == [0.0] * len(nodes)
    for node, order in zip(nodes, orders, strict=True):
        await node.link.start()
        assert (await node.end_of(order.key, PATIENCE_S)).ending is TaskEnding.VANISHED


async def test_a_watchdog_that_dies_has_a_successor_and_every_keeper_its_own(node: Node) -> None:
    with granting(node, LEASE_S):
        await node.run("true")
        assert watchdogs(node) == []
        order = await a_clock(node)
        first = await the_watchdog(node, set())
        os.kill(first, signal.SIGKILL)
        second = await the_watchdog(node, {first})
        await node.kill_keeper()
        third = await the_watchdog(node, {first, second})
        begun = now()
        await eventually(lambda: last_written(node) > begun + LEASE_S, PATIENCE_S)
        assert node.known[order.key].end is None
    await node.link.close()
    # The third was told of the task by the second keeper, and never of its lease.
    send([pid for pid in (node.keeper(), node.wrapper_of(order.key)) if pid], signal.SIGSTOP)
    assert watchdogs(node) == [third]
    until = float((node.keeper_folder / "lease").read_text().split()[0])
    assert await see_it_end(node, until) == 0.0
    send(processes_of(node), signal.SIGCONT)
    await node.link.start()


async def the_watchdog(node: Node, earlier: set[int]) -> int:
    """The one that there is, once none of the earlier is there any more."""
    await eventually(lambda: len(watchdogs(node)) == 1 and not {*watchdogs(node)} & earlier, PATIENCE_S)
    return watchdogs(node)[0]


async def test_a_watchdog_that_was_stopped_for_a_while_kills_nothing_that_has_its_lease(node: Node) -> None:
    with granting(node, LEASE_S):
        order = await a_clock(node)
        watchdog = await the_watchdog(node, set())
        os.kill(watchdog, signal.SIGSTOP)
        stopped_at = now()
        await eventually(lambda: now() > stopped_at + LEASE_S + GRACE_S + 2, PATIENCE_S)
        os.kill(watchdog, signal.SIGCONT)
        await eventually(lambda: last_written(node) > stopped_at + 2 * LEASE_S + GRACE_S + 2, PATIENCE_S)
        assert node.known[order.key].end is None
