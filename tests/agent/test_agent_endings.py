"""How tasks end, and how the node tells it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from danlu.core.task import TaskEnding, TaskKey
from tests.agent.story import Node, eventually


async def test_exit_codes_and_signals_are_told_apart(node: Node) -> None:
    fine = await node.run("true")
    assert (fine.ending, fine.wait_status) == (TaskEnding.EXITED, 0)
    looks_killed = await node.run("exit 137")
    killed = await node.run("kill -9 $$")
    assert os.waitstatus_to_exitcode(looks_killed.wait_status) == 137
    assert os.waitstatus_to_exitcode(killed.wait_status) == -signal.SIGKILL


async def test_a_start_is_told_before_the_end(node: Node) -> None:
    before = time.time()
    order = await node.started("sleep 0.2")
    assert node.known[order.key].end is None
    end = await node.end_of(order.key)
    started_at = node.known[order.key].started_at
    assert before <= started_at < end.ended_at <= time.time()


@pytest.mark.parametrize(
    ("problem", "fields"),
    [
        ("directory_missing", {"directory": "/nowhere/at/all"}),
        ("directory_missing", {"directory": "/etc/passwd"}),
        ("output_unwritable", {"stdout": "/nowhere/out.txt"}),
        ("output_unwritable", {"stdout": "out.txt", "stderr": "/"}),
        ("output_unwritable", {"log_path": "/proc/nowhere/1.log"}),
        ("environment_missing", {"environment": "no-such-environment"}),
        ("environment_missing", {"environment": "/etc"}),
        ("command_unrunnable", {"command": "#!/nowhere/python\nprint(1)"}),
        ("command_unrunnable", {"variables": {"A": "with \0 in it"}}),
    ],
)
async def test_a_setup_problem_is_named(node: Node, problem: str, fields: dict[str, str]) -> None:
    end = await node.run(**({"command": "echo never > ran"} | fields))
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, problem)
    assert end.detail
    assert not (node.folder / "ran").exists()


@pytest.mark.parametrize("as_arguments", [False, True])
async def test_a_line_too_long_for_the_kernel_is_run(node: Node, as_arguments: bool) -> None:
    """It takes 128 KiB for one word, and `bash -c` has the whole line as one."""
    words = tuple(f"{number:05}" for number in range(40_000))
    line, arguments = ("printf '%s\\n'", words) if as_arguments else (f"printf '%s\\n' {' '.join(words)}", ())
    output = await node.output_of(line, arguments=arguments)
    assert tuple(output.split()) == words


async def test_a_fifo_without_a_reader_holds_nothing_up(node: Node) -> None:
    os.mkfifo(node.folder / "pipe")
    end = await node.run("echo hello", stdout="pipe")
    assert end.problem == "output_unwritable"


async def test_a_missing_environment_names_the_places(node: Node) -> None:
    end = await node.run(environment="torch-9")
    assert "/.virtualenvs/torch-9" in end.detail
    assert "/opt/conda/envs/torch-9" in end.detail


async def test_a_time_limit_ends_a_task_that_ignores_term(node: Node) -> None:
    began = time.monotonic()
    end = await node.run("trap '' TERM; while :; do sleep 0.1; done", time_limit_s=0.3, grace_s=0.3)
    assert end.ending is TaskEnding.TIME_LIMIT
    assert os.waitstatus_to_exitcode(end.wait_status) == -signal.SIGKILL
    assert time.monotonic() - began >= 0.6


async def test_a_time_limit_leaves_the_grace_to_tidy_up(node: Node) -> None:
    command = "trap 'echo saved; exit 0' TERM; while :; do sleep 0.05; done"
    order = await node.started(command, time_limit_s=2.0, grace_s=10)
    end = await node.end_of(order.key)
    assert (end.ending, end.wait_status) == (TaskEnding.TIME_LIMIT, 0)
    assert "saved" in node.log(order)


async def test_the_whole_tree_gets_the_grace_not_only_its_root(node: Node) -> None:
    child = "trap 'sleep 0.3; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done"
    order = await node.started(f'bash -c "{child}" & sleep 60')
    await eventually(lambda: "ready" in node.log(order))
    await node.agent.stop(order.key, grace_s=10)
    end = await node.end_of(order.key)
    assert end.ending is TaskEnding.STOPPED
    assert "saved" in node.log(order)


async def test_a_second_stop_can_shorten_the_grace(node: Node) -> None:
    order = await node.started("trap '' TERM; while :; do sleep 0.1; done")
    await node.agent.stop(order.key, grace_s=600)
    await node.agent.stop(order.key, grace_s=0)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED


def state_of(pid_file: Path) -> str:
    """The kernel's letter for a process that wrote its number down; none before it has."""
    try:
        return Path(f"/proc/{int(pid_file.read_text())}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, ValueError):
        return ""


async def test_a_suspended_task_can_be_stopped_gently(node: Node) -> None:
    command = "trap 'exit 7' TERM; echo $$ > pid; kill -STOP $$; while :; do sleep 0.05; done"
    order = await node.started(command)
    await eventually(lambda: state_of(node.folder / "pid") == "T")
    await node.agent.stop(order.key, grace_s=10)
    end = await node.end_of(order.key)
    assert (end.ending, os.waitstatus_to_exitcode(end.wait_status)) == (TaskEnding.STOPPED, 7)


async def test_a_stop_before_the_launch_means_never(node: Node) -> None:
    order = node.a_task("echo ran > ran")
    await node.agent.stop(order.key, grace_s=1)
    assert (await node.end_of(order.key)).ending is TaskEnding.NEVER_STARTED
    await node.agent.launch(order)
    await node.kill_keeper()
    await node.agent.launch(order)
    # What was launched later has begun and ended by then.
    await node.run()
    assert not (node.folder / "ran").exists()
    (fact,) = [fact for fact in await node.agent.tasks() if fact.key == order.key]
    assert fact.end.ending is TaskEnding.NEVER_STARTED


async def test_a_stop_after_the_end_changes_nothing(node: Node) -> None:
    order = node.a_task("exit 4")
    await node.agent.launch(order)
    end = await node.end_of(order.key)
    await node.agent.stop(order.key, grace_s=0)
    assert [fact.end for fact in await node.agent.tasks()] == [end]


async def test_launching_again_changes_nothing(node: Node) -> None:
    order = node.a_task("echo ran >> runs; sleep 0.2")
    await asyncio.gather(*[node.agent.launch(order) for _ in range(5)])
    await node.end_of(order.key)
    await node.agent.launch(order)
    await node.run()
    assert (node.folder / "runs").read_text() == "ran\n"


async def test_an_end_is_repeated_until_it_is_forgotten(node: Node) -> None:
    order = node.a_task()
    await node.agent.launch(order)
    await node.end_of(order.key)
    assert [fact.key for fact in await node.agent.tasks()] == [order.key]
    await node.agent.forget([order.key])
    assert await node.agent.tasks() == []
    assert list((node.keeper_folder / "tasks").iterdir()) == []


async def test_a_living_task_cannot_be_forgotten(node: Node) -> None:
    order = await node.started("sleep 60")
    await node.agent.forget([order.key, TaskKey(99, 1, 0)])
    assert [fact.key for fact in await node.agent.tasks()] == [order.key]


async def test_a_reboot_is_noticed(node: Node) -> None:
    order = await node.started("sleep 60")
    claim = node.keeper_folder / "tasks" / f"{order.key}.claim"
    wrapper = node.wrapper_of(order.key)
    _, _, identity = os.readlink(claim).partition(" ")
    claim.unlink()
    claim.symlink_to(f"00000000-0000-0000-0000-000000000000 {identity}")
    await node.kill_keeper()
    assert (await node.end_of(order.key)).ending is TaskEnding.REBOOTED
    os.kill(wrapper, signal.SIGTERM)
    await eventually(lambda: not os.path.exists(f"/proc/{wrapper}"))
