"""A stream of jobs over three hosts while everything that carries them is killed, drained, left and rejoined:
each runs once, on every node it was given, and none is lost.

`make soak` runs the same with many more.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.hosts import JoinedNode, Master, hosts
from tests.support.installation import wait_until
from tests.support.story import check_story, read_events

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

JOBS = int(os.environ.get("DANLU_SOAK_JOBS", "60"))
SEED = int(os.environ.get("DANLU_SOAK_SEED", "20261116"))
LEASE_S = 10.0
"""Longer than any of them takes to come back: a node that is only restarted is not lost."""


class Stream(threading.Thread):
    """A user who does not give up: each job is submitted with its key until a server says its id."""

    def __init__(self, master: Master, runs: Path) -> None:
        super().__init__()
        self._master = master
        self._runs = runs
        self.ids: dict[int, int] = {}

    def run(self) -> None:
        for number in range(JOBS):
            fields = {
                # It counts itself: one line for each time that its command runs, for each rank.
                "command": f"echo ran >> {self._runs}/{number}.$DANLU_RANK; sleep 0.{number % 5}",
                "directory": "/tmp",
                "gpus": 1 + number % 2,
                "nodes": str(nodes_of(number)),
                "name": f"stream-{number}",
            }
            self.ids[number] = self._master.insist(fields, f"stream-{number}", 0.05)
            time.sleep(0.05)


def nodes_of(number: int) -> int:
    """Every fourth one wants two nodes."""
    return 2 if number % 4 == 3 else 1


class Trouble:
    """What befalls the machines; each leaves them as they were."""

    def __init__(self, master: Master, two: JoinedNode, three: JoinedNode) -> None:
        self._master = master
        self._two = two
        self._three = three
        self.all: list[Callable[[], None]] = [
            self.master_killed,
            self.messages_killed,
            self.agent_killed,
            self.own_agent_killed,
            self.keepers_killed,
            self.drained_and_back,
            self.left_and_rejoined,
        ]

    def master_killed(self) -> None:
        self._master.kill()
        self._master.start()

    def messages_killed(self) -> None:
        self._master.host.kill("nats")
        wait_until(lambda: self._master.host.pids_of("nats"), 30, "NATS being started again")

    def agent_killed(self) -> None:
        self._two.kill()
        self._two.start()

    def own_agent_killed(self) -> None:
        self._master.host.kill("agent")
        wait_until(
            lambda: self._master.host.pids_of("agent"), 30, "the master's own agent being started again"
        )

    def keepers_killed(self) -> None:
        for host in (self._two.host, self._three.host, self._master.host):
            with contextlib.suppress(AssertionError):
                # One without tasks may have left by itself.
                host.kill("keeper")

    def drained_and_back(self) -> None:
        self._master.cli("drain", "two")
        self._master.cli("undrain", "two")

    def left_and_rejoined(self) -> None:
        self._master.cli("drain", "three")
        wait_until(lambda: not self._master.node("three")["jobs"], 60, "three being empty")
        self._three.host.danlu("leave")
        wait_until(
            lambda: self._three.process is None or self._three.process.poll() is not None, 30, "leaving"
        )
        self._three = self._three.host.join(self._master, "--simulate", "3")
        self._master.cli("undrain", "three", check=False)


def test_every_accepted_job_runs_exactly_once_on_every_node_it_was_given(tmp_path: Path):
    chance = random.Random(SEED)
    runs = tmp_path / "runs"
    runs.mkdir()
    with hosts(3, tmp_path / "hosts", lease_s=LEASE_S) as (one, second, third):
        master = one.up("--cluster", "--simulate", "3")
        two = second.join(master, "--simulate", "3")
        three = third.join(master, "--simulate", "3")
        stream = Stream(master, runs)
        stream.start()
        trouble = Trouble(master, two, three)
        rounds = 0
        while stream.is_alive() or rounds == 0:
            for befall in chance.sample(trouble.all, len(trouble.all)):
                befall()
            rounds += 1
        stream.join()
        assert len(set(stream.ids.values())) == JOBS
        for number, job_id in stream.ids.items():
            job = master.wait_ended(job_id, 90)["job"]
            assert (job["state"], job["exit_code"]) == ("succeeded", 0), (number, job)
            marks = sorted(path.name for path in runs.glob(f"{number}.*"))
            assert marks == [f"{number}.{rank}" for rank in range(nodes_of(number))], job
            for mark in marks:
                assert (runs / mark).read_text() == "ran\n", f"rank {mark} did not run exactly once"
        check_story(read_events(master.data))
