"""A wrapper takes one task after the other: none sees anything of another, and any of them may be killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.agent.keeper.processes import Process
from danlu.agent.keeper.task_record import NEVER, TaskClaim, TaskRecord
from danlu.core.task import LaunchOrder, TaskEnding
from tests.agent.hung_disk import hung_disk
from tests.agent.story import Node, eventually, is_alive

STATE = (
    "pwd; umask; ulimit -aH; ulimit -aS; nice; env | sort; ls -l /proc/self/fd | sed 's/.* //'; "
    "grep -E '^(SigBlk|SigIgn|SigCgt|Cap|Uid|Gid|Groups|NoNewPrivs)' /proc/self/status; "
    "cut -d' ' -f6 /proc/$$/stat | grep -cx $$; cat /proc/$$/oom_score_adj; jobs"
)
"""All that a process gets from the process that starts it."""


async def ended(node: Node, command: str = "true", **fields: object) -> LaunchOrder:
    order = node.a_task(command, **fields)
    await node.agent.launch(order)
    await node.end_of(order.key)
    return order


async def an_idle_wrapper(node: Node) -> int:
    order = await ended(node)
    wrapper = node.wrapper_of(order.key)
    assert wrappers_of(node) == [wrapper]
    return wrapper


def wrappers_of(node: Node) -> list[int]:
    keeper = node.keeper()
    return [int(pid) for pid in Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()]


def files_of(pid: int) -> list[str]:
    return sorted(os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir())


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def state_told(node: Node, order: LaunchOrder) -> str:
    """With what belongs to the task itself left out; and two signals of the C library's own, 32 and 33, which
    it ignores in whatever it spawns until it wants them."""
    # The C library keeps two signals for itself, and processes that it spawns ignore them, or not.
    text = re.sub(
        r"(?<=SigIgn:\t)\w{16}", lambda found: f"{int(found[0], 16) & ~0x180000000:016x}", node.log(order)
    )
    return re.sub(rf"{order.key}|=.*:[0-9a-f]{{16}}|JOB_ID=\d+|pipe:\S+|/proc/\d+/fd", "…", text)


async def test_one_wrapper_takes_many_tasks(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    orders = [await ended(node, f"exit {code}") for code in range(5)]
    assert len({node.wrapper_of(order.key) for order in orders}) == 1
    codes = [os.waitstatus_to_exitcode(node.known[order.key].end.wait_status) for order in orders]
    assert codes == [0, 1, 2, 3, 4]


async def test_the_next_task_sees_nothing_of_the_last(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    before = await ended(node, STATE)
    wrapper = node.wrapper_of(before.key)
    files = files_of(wrapper)
    (node.folder / "elsewhere").mkdir()
    (node.folder / "call").write_text("what to call")
    marks = "umask 0; ulimit -n 9; renice 5 $$; trap '' TERM INT HUP; cd /; exec 7</; sleep 0.1 & true"
    for fields in (
        {"directory": str(node.folder / "elsewhere"), "variables": {"MARK": "1"}},
        {"time_limit_s": 60.0, "stdout": "out", "variables": {"MARK": "2"}},
        {"call_path": str(node.folder / "call"), "result_path": str(node.folder / "result")},
    ):
        order = await ended(node, marks, **fields)
        assert node.wrapper_of(order.key) == wrapper
        assert node.known[order.key].end.wait_status == 0
    script = await ended(node, f"#!/bin/bash\n{marks}\n")
    after = await ended(node, STATE)
    assert {node.wrapper_of(order.key) for order in (script, after)} == {wrapper}
    assert state_told(node, after) == state_told(node, before)
    assert files_of(wrapper) == files
    assert os.readlink(f"/proc/{wrapper}/cwd") == "/"


async def test_started_without_a_fork_or_with_one_is_the_same_to_a_task(node: Node) -> None:
    plain = await ended(node, STATE)
    forked = await ended(node, STATE, time_limit_s=60.0)
    assert state_told(node, plain) == state_told(node, forked)
    assert "SigIgn:\t0000000000000000" in state_told(node, plain)


@given(st.lists(st.sampled_from(["claim", "never", "forget", "stop"]), max_size=8), st.booleans())
def test_a_claim_is_made_once_and_says_whose_it_is(tmp_path_factory, events: list[str], links: bool) -> None:
    """Whatever becomes of the claim of the task before, of which it may be a second name."""
    folder = tmp_path_factory.mktemp("claims")
    before, record = TaskRecord(str(folder / "1-1-0")), TaskRecord(str(folder / "2-1-0"))
    ours = TaskClaim("boot", Process(1, 2))
    assert before.make_claim(ours)
    if not links:
        # As on a file system that gives no file a second name.
        (folder / "1-1-0.claim").unlink()
        (folder / "1-1-0.claim").mkdir()
    won = []
    for event in events:
        if event == "claim" and record.make_claim(ours, before):
            won.append(ours)
        elif event == "never" and record.make_claim(NEVER):
            won.append(NEVER)
        elif links and event == "forget":
            before.remove()
        elif links and event == "stop":
            before.make_claim(NEVER)
    assert len(won) <= 1
    if won:
        assert record.read_claim() == won[0]
    elif {"claim", "never"} & set(events):
        # No wrapper has it: then it is written down that none ever will.
        assert record.read_claim() == NEVER


async def test_a_killed_idle_wrapper_is_missed_by_nobody(node: Node) -> None:
    keeper = node.keeper()
    for number in (signal.SIGKILL, signal.SIGTERM):
        wrapper = await an_idle_wrapper(node)
        os.kill(wrapper, number)
        await eventually(lambda wrapper=wrapper: is_gone(wrapper))
        assert (await node.run("exit 3")).ending is TaskEnding.EXITED
        os.kill(wrappers_of(node)[0], signal.SIGKILL)
        await eventually(lambda: wrappers_of(node) == [])
    assert node.keeper() == keeper


async def test_a_wrapper_that_dies_with_a_task_in_its_hands_never_started_it(node: Node) -> None:
    wrapper = await an_idle_wrapper(node)
    os.kill(wrapper, signal.SIGSTOP)
    order = node.a_task("echo ran > ran")
    await node.agent.launch(order)
    os.kill(wrapper, signal.SIGKILL)
    assert (await node.end_of(order.key)).ending is TaskEnding.NEVER_STARTED
    assert not (node.folder / "ran").exists()


async def test_a_killed_wrapper_takes_only_its_last_task_along(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    wrapper = await an_idle_wrapper(node)
    first, second, third = SLEEPS
    order = await node.started(f"sleep {first} & setsid sleep {second} & exec sleep {third}")
    assert node.wrapper_of(order.key) == wrapper
    await eventually(lambda: len(sleepers()) == 3)
    os.kill(wrapper, signal.SIGKILL)
    end = await node.end_of(order.key)
    assert (end.ending, end.wait_status) == (TaskEnding.VANISHED, None)
    assert sleepers() == []
    assert [fact.end.ending for fact in await node.agent.tasks()] == [TaskEnding.EXITED, TaskEnding.VANISHED]


# Tests run side by side: ours are known by a fraction of a second that no other test sleeps.
SLEEPS = tuple(f"{seconds}.{os.getpid()}" for seconds in (61, 62, 63))


def sleepers() -> list[int]:
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if any(is_alive(pid, f"sleep\0{time}\0") for time in SLEEPS)]


async def test_idle_wrappers_leave_with_their_keeper(node: Node) -> None:
    wrapper = await an_idle_wrapper(node)
    await node.kill_keeper()
    await eventually(lambda: is_gone(wrapper))
    assert [fact.end.ending for fact in await node.agent.tasks()] == [TaskEnding.EXITED]
    assert await an_idle_wrapper(node) != wrapper


async def test_idle_wrappers_leave_by_and_by(node: Node) -> None:
    orders = [node.a_task("sleep 0.5") for _ in range(40)]
    await asyncio.gather(*[node.agent.launch(order) for order in orders])
    for order in orders:
        assert (await node.end_of(order.key)).wait_status == 0
    await eventually(lambda: len(wrappers_of(node)) <= 32)
    await eventually(lambda: wrappers_of(node) == [])


async def test_who_leaves_processes_behind_is_not_taken_again(a_node, mode: str) -> None:
    node = await a_node(mode=mode)
    order = await ended(node, "sleep 64 & echo $! > left", kill_leftovers=False)
    wrapper = node.wrapper_of(order.key)
    await eventually(lambda: is_gone(wrapper))
    left = int((node.folder / "left").read_text())
    assert is_alive(left, "sleep")
    assert (await node.run()).wait_status == 0
    assert is_alive(left, "sleep")
    os.kill(left, signal.SIGKILL)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_stop_while_the_task_is_handed_over(node: Node, forgotten: bool) -> None:
    wrapper = await an_idle_wrapper(node)
    os.kill(wrapper, signal.SIGSTOP)
    order = node.a_task("echo ran > ran")
    await node.agent.launch(order)
    await node.agent.stop(order.key, grace_s=1)
    assert (await node.end_of(order.key)).ending is TaskEnding.NEVER_STARTED
    if forgotten:
        await node.agent.forget([order.key])
    os.kill(wrapper, signal.SIGCONT)
    await eventually(lambda: is_gone(wrapper))
    assert (await node.run()).wait_status == 0
    assert not (node.folder / "ran").exists()


async def test_a_stop_that_crosses_the_end_never_hits_the_next(node: Node) -> None:
    for _ in range(30):
        crossed, following = node.a_task(), node.a_task()
        await node.agent.launch(crossed)
        await asyncio.gather(node.agent.stop(crossed.key, grace_s=0), node.agent.launch(following))
        end = await node.end_of(following.key)
        assert (end.ending, end.wait_status) == (TaskEnding.EXITED, 0)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_stop_while_the_folder_hangs(node: Node, forgotten: bool) -> None:
    place = node.folder / "hung"
    place.mkdir()
    with hung_disk(place):
        order = node.a_task("echo ran > ran", directory=str(place))
        await node.agent.launch(order)
        await eventually(lambda: wrappers_of(node) != [])
        (wrapper,) = wrappers_of(node)
        await eventually(lambda: "fuse" in Path(f"/proc/{wrapper}/wchan").read_text() or is_waiting(wrapper))
        await node.agent.stop(order.key, grace_s=0)
        assert (await node.end_of(order.key)).ending is TaskEnding.NEVER_STARTED
        if forgotten:
            await node.agent.forget([order.key])
    await eventually(lambda: is_gone(wrapper))
    assert len(list((node.keeper_folder / "tasks").iterdir())) == (0 if forgotten else 2)


def is_waiting(pid: int) -> bool:
    """For a disk: not to be interrupted, or only by a kill."""
    return "State:\tD" in Path(f"/proc/{pid}/status").read_text()


async def test_a_time_limit_holds_while_the_folder_hangs(node: Node) -> None:
    place = node.folder / "hung"
    place.mkdir()
    with hung_disk(place):
        end = await node.run("true", directory=str(place), time_limit_s=0.3, grace_s=0.1)
    assert end.ending is TaskEnding.TIME_LIMIT


async def test_the_next_keeper_tells_the_tasks_of_one_wrapper_apart(node: Node) -> None:
    over = await ended(node, "exit 6")
    wrapper = node.wrapper_of(over.key)
    running = await node.started("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    assert node.wrapper_of(running.key) == wrapper
    await node.kill_keeper()
    facts = {fact.key: fact.end for fact in await node.agent.tasks()}
    assert os.waitstatus_to_exitcode(facts[over.key].wait_status) == 6
    assert facts[running.key] is None
    # It is not this keeper's, and takes nothing from it.
    other = await ended(node, "exit 7")
    assert node.wrapper_of(other.key) != wrapper
    (node.folder / "go").touch()
    assert os.waitstatus_to_exitcode((await node.end_of(running.key)).wait_status) == 5
    await eventually(lambda: is_gone(wrapper))


async def test_an_adopted_wrapper_can_be_stopped(node: Node) -> None:
    wrapper = await an_idle_wrapper(node)
    order = await node.started("sleep 60")
    assert node.wrapper_of(order.key) == wrapper
    await node.kill_keeper()
    await node.agent.stop(order.key, grace_s=0)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED


async def test_a_task_in_a_wrappers_hands_outlives_the_keeper_and_runs_once(node: Node) -> None:
    wrapper = await an_idle_wrapper(node)
    os.kill(wrapper, signal.SIGSTOP)
    order = node.a_task("echo ran >> runs; sleep 0.2")
    await node.agent.launch(order)
    await node.kill_keeper()
    os.kill(wrapper, signal.SIGCONT)
    await node.agent.launch(order)
    end = await node.end_of(order.key)
    await eventually(lambda: is_gone(wrapper))
    assert (end.ending, end.wait_status) == (TaskEnding.EXITED, 0)
    assert (node.folder / "runs").read_text() == "ran\n"
