"""What a job gets of the machine: never the raised priorities of the service (deploy/systemd), and less where
its owner gives way to others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.agent.keeper_process import keeper_argv
from tests.agent.story import Node, eventually

RAISE = "exec nice -n -10 ionice -c 2 -n 0"


def raised_argv(folder: Path, mode: str) -> list[str]:
    return ["/bin/sh", "-c", f'{RAISE} "$@"', "sh", *keeper_argv(folder, mode)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can raise priorities")
async def test_a_job_does_not_inherit_the_priorities_of_the_service(a_node) -> None:
    node = await a_node(argv=raised_argv)
    seen = await node.output_of("nice; ionice; cat /proc/self/oom_score_adj")
    assert seen.splitlines() == ["0", "none: prio 0", "0"]


def niceness_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])


async def test_all_processes_of_a_nice_job_are_nice(node: Node) -> None:
    order = await node.started("sleep 60 & echo $$ $!; wait", nice=7)
    await eventually(lambda: node.log(order).endswith("\n"))
    assert [niceness_of(int(pid)) for pid in node.log(order).split()] == [7, 7]


async def test_a_command_that_needs_no_shell_is_nice_too(node: Node) -> None:
    assert await node.output_of("nice", nice=5) == "5\n"


async def test_the_disk_follows_and_the_next_job_is_an_ordinary_one(node: Node) -> None:
    assert (await node.output_of("nice; ionice", nice=19)).splitlines() == ["19", "best-effort: prio 7"]
    assert (await node.output_of("nice; ionice")).splitlines() == ["0", "none: prio 0"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can raise priorities")
async def test_a_nice_job_of_a_raised_service_is_as_nice_as_it_said(a_node) -> None:
    node = await a_node(argv=raised_argv)
    assert (await node.output_of("nice; ionice", nice=3)).splitlines() == ["3", "best-effort: prio 4"]
