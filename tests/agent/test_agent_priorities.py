"""The service may run with raised priorities (deploy/systemd); a job is an ordinary process all the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.agent.keeper_process import keeper_argv

RAISE = "exec nice -n -10 ionice -c 2 -n 0"


def raised_argv(folder: Path, mode: str) -> list[str]:
    return ["/bin/sh", "-c", f'{RAISE} "$@"', "sh", *keeper_argv(folder, mode)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can raise priorities")
async def test_a_job_does_not_inherit_the_priorities_of_the_service(a_node) -> None:
    node = await a_node(argv=raised_argv)
    seen = await node.output_of("nice; ionice; cat /proc/self/oom_score_adj")
    assert seen.splitlines() == ["0", "none: prio 0", "0"]
