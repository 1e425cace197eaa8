"""The system refuses the keeper something: it complains, lives on, and every task comes to a known end."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from danlu.agent.keeper_process import keeper_argv
from danlu.core.task import TaskEnding
from tests.agent.story import Node, eventually

FAILING = Path(__file__).with_name("failing_keeper.py")


def failing(step: str):
    def argv(folder: Path, mode: str) -> list[str]:
        python, isolated, no_site, _, _, *arguments = keeper_argv(folder, mode)
        return [python, isolated, no_site, str(FAILING), step, *arguments]

    return argv


def complaints(node: Node) -> str:
    return (node.keeper_folder / "keeper.log").read_text()


async def test_a_wrapper_that_cannot_be_watched_is_watched_later(a_node) -> None:
    node = await a_node(argv=failing("pidfd"))
    fault = node.keeper_folder / "fault"
    order = await node.started("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    fault.touch()
    await node.kill_keeper()
    await eventually(lambda: "Too many open files" in complaints(node))
    fault.unlink()
    (node.folder / "go").touch()
    end = await node.end_of(order.key)
    assert (end.ending, os.waitstatus_to_exitcode(end.wait_status)) == (TaskEnding.EXITED, 5)


async def test_a_wrapper_that_cannot_be_watched_can_be_stopped(a_node) -> None:
    node = await a_node(argv=failing("pidfd"))
    fault = node.keeper_folder / "fault"
    order = await node.started("sleep 60")
    fault.touch()
    await node.kill_keeper()
    await node.agent.stop(order.key, grace_s=0)
    fault.unlink()
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED


async def test_no_wrapper_can_be_had(a_node) -> None:
    node = await a_node(argv=failing("line"))
    keeper = node.keeper()
    fault = node.keeper_folder / "fault"
    fault.touch()
    end = await node.run("touch ran")
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "launch_failed")
    assert "Too many open files" in end.detail
    fault.unlink()
    assert (await node.run()).wait_status == 0
    assert not (node.folder / "ran").exists()
    assert node.keeper() == keeper


async def test_no_claim_can_be_made(a_node) -> None:
    """Neither by the wrapper nor, when that has died of it, by the keeper."""
    node = await a_node(argv=failing("claim"))
    keeper = node.keeper()
    fault = node.keeper_folder / "fault"
    fault.touch()
    assert (await node.run("touch ran")).ending is TaskEnding.NEVER_STARTED
    fault.unlink()
    assert not (node.folder / "ran").exists()
    assert (await node.run()).wait_status == 0
    assert node.keeper() == keeper


async def test_a_step_of_the_loop_that_fails_is_not_the_end_of_the_keeper(a_node) -> None:
    node = await a_node(argv=failing("start"))
    keeper = node.keeper()
    (node.keeper_folder / "fault").touch()
    order = node.a_task("sleep 60")
    await node.agent.launch(order)
    await eventually(lambda: "Input/output error" in complaints(node))
    assert node.keeper() == keeper
    # The note is lost, but not the start.
    facts = await node.agent.tasks()
    assert [fact.started_at is not None for fact in facts] == [True]


async def test_nobody_is_taken_for_dead_by_a_keeper_without_files(a_node) -> None:
    node = await a_node()
    order = await node.started("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    wrapper = node.wrapper_of(order.key)
    ended = await asyncio.create_subprocess_exec(
        *[os.sys.executable, "-c", WITHOUT_FILES, str(wrapper)], stdout=asyncio.subprocess.PIPE
    )
    said, _ = await ended.communicate()
    assert said == b"[Errno 24] Too many open files\n"
    os.kill(wrapper, signal.SIGTERM)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED


WITHOUT_FILES = """
import os, resource, sys
from danlu.agent.keeper.processes import find, open_pidfd
wrapper = find(int(sys.argv[1]))
free = os.open("/", os.O_PATH)
os.close(free)
# One is left: for the pidfd, and not for looking whose it is.
resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, free + 1))
try:
    print(open_pidfd(wrapper))
except OSError as error:
    print(str(error).partition(":")[0])
"""
