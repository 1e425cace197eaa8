"""Many short jobs while server and keeper are killed at random: each runs once, none is lost.

`make soak` runs the same with many more.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
import time

import pytest

from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.story import check_story, read_events

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

JOBS = int(os.environ.get("DANLU_SOAK_JOBS", "120"))
SEED = int(os.environ.get("DANLU_SOAK_SEED", "20261115"))

# How a job of each kind ends: its last command, and what Danlu must say of it.
KINDS = [
    ("exit 0", ("succeeded", "completed", 0, None)),
    ("exit 3", ("failed", "exit_code", 3, None)),
    ("exit 137", ("failed", "exit_code", 137, None)),
    ("kill -9 $$", ("failed", "signal", None, 9)),
    ("kill -TERM $$", ("failed", "signal", None, 15)),
]


class Submitter(threading.Thread):
    """A user who does not give up: each job is submitted with its key until the server says its id."""

    def __init__(self, server: LiveServer, runs) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._runs = runs
        self.was_disturbed = threading.Event()
        self.ids: dict[int, int] = {}

    def run(self) -> None:
        """So many jobs, and more for as long as too little was killed meanwhile."""
        for number in itertools.count():
            if number >= JOBS and self.was_disturbed.is_set():
                return
            ending, _ = KINDS[number % len(KINDS)]
            fields = {
                # The job counts itself: one line for each time its command runs.
                "command": f"echo ran >> {self._runs}/{number}; sleep 0.0{number % 7}; {ending}",
                "directory": "/tmp",
                "gpus": number % 3,
                "name": f"soak-{number}",
            }
            self.ids[number] = self._server.insist(fields, f"soak-{number}")


def test_every_accepted_job_runs_exactly_once_whatever_is_killed(tmp_path):
    chance = random.Random(SEED)
    runs = tmp_path / "runs"
    runs.mkdir()
    with live_server(tmp_path / "danlu", "--simulate", "4") as server:
        submitter = Submitter(server, runs)
        submitter.start()
        kills = {"server": 0, "keeper": 0}
        while submitter.is_alive() or _open_jobs(server):
            time.sleep(chance.uniform(0.05, 0.8))
            if chance.random() < 0.5:
                for pid in server.keeper_pids():
                    os.kill(pid, signal.SIGKILL)
                    kills["keeper"] += 1
            if chance.random() < 0.5:
                server.kill()
                kills["server"] += 1
                server.start()
            if min(kills.values()) > 3:
                submitter.was_disturbed.set()
        submitter.join()

        jobs = len(submitter.ids)
        assert len(set(submitter.ids.values())) == jobs >= JOBS
        for number, job_id in submitter.ids.items():
            job = server.wait_ended(job_id)["job"]
            expected = KINDS[number % len(KINDS)][1]
            seen = (job["state"], job["end_reason"], job["exit_code"], job["signal"])
            assert seen == expected, (number, job)
            assert (runs / str(number)).read_text() == "ran\n", f"job {job_id} did not run exactly once"
            assert job["attempt"] == 1
        assert server.http.get("/jobs", params={"limit": 1}).json()["counts"]["history"] == jobs
        check_story(read_events(server.data))


def _open_jobs(server: LiveServer) -> int:
    status = server.http.get("/status").json()
    return status["waiting"] + status["running"]


def test_the_soak_can_tell_a_double_run(tmp_path):
    """The counting itself works: a job that is edited after its end runs again, and that is seen."""
    with live_server(tmp_path / "danlu") as server:
        job_id = server.submit(f"echo ran >> {tmp_path}/count")
        server.wait_ended(job_id)
        server.http.patch(f"/jobs/{job_id}", json={"set": {"description": "again"}})
        wait_until(lambda: server.job(job_id)["job"]["attempt"] == 2)
        server.wait_ended(job_id)
        assert (tmp_path / "count").read_text() == "ran\nran\n"
