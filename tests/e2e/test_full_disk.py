"""A log fills the disk of the data folder: its job can be got rid of, and all users are told the truth."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agent.small_disk import small_disk
from tests.support import preloaded
from tests.support.installation import REPOSITORY, LiveServer, live_server, wait_until

pytestmark = pytest.mark.e2e

FILL = "while :; do head -c 100000 /dev/zero | tr '\\0' x 2>/dev/null || sleep 0.02; done"
"""Writes on and on, also once there is no room: whatever becomes free is gone at once."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", "size=48m,mode=755") as mounted:
        yield mounted


@pytest.fixture
def server(disk: Path) -> Iterator[LiveServer]:
    with live_server(disk / "danlu", "--simulate", "4") as running:
        yield running


def free_bytes(disk: Path) -> int:
    facts = os.statvfs(disk)
    return facts.f_bfree * facts.f_frsize


def fill(server: LiveServer, disk: Path) -> int:
    """A job that has filled the disk, and lives on."""
    job_id = server.submit(FILL, gpus=0, grace_s=1, variables={"FILLS": str(disk)})
    wait_until(lambda: free_bytes(disk) == 0, 60, "a full disk")
    return job_id


def use_up(disk: Path) -> None:
    """Take whatever is free, as other processes would."""
    with contextlib.suppress(OSError), (disk / "filler").open("ab", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def is_filling(disk: Path) -> bool:
    needle = f"FILLS={disk}".encode()
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError):
                if needle in (path / "environ").read_bytes().split(b"\0"):
                    return True
    return False


def test_who_fills_the_disk_is_got_rid_of(server: LiveServer, disk: Path) -> None:
    old = server.submit("head -c 3000000 /dev/zero", gpus=0)
    server.wait_ended(old)
    job_id = fill(server, disk)

    def refusal() -> dict | None:
        reply = server.http.post("/jobs", json={"command": "true", "directory": "/tmp", "gpus": 0})
        return reply.json() if reply.status_code == 503 else None

    refused = wait_until(refusal, 60, "the refusal of new jobs")
    assert refused["code"] == "disk_full"
    assert "delet" in refused["hint"]
    wait_until(lambda: server.http.get("/status").json()["disk_full"], 30, "that all users are told")
    assert "disk is full" in server.cli("status").stdout
    said = server.cli("submit", "--", "true", check=False)
    assert said.returncode != 0
    assert "full" in said.stderr

    done = server.cli("cancel", str(job_id))
    assert done.returncode == 0
    ended = server.wait_ended(job_id)
    assert ended["job"]["state"] == "cancelled"
    server.cli("delete", "--yes", str(job_id), str(old))
    wait_until(lambda: not server.http.get("/status").json()["disk_full"], 30, "room again")
    again = server.submit("echo there is room", gpus=0)
    assert server.wait_ended(again)["job"]["state"] == "succeeded"


def test_stopped_with_its_jobs_means_stopped_and_the_next_start_helps(server: LiveServer, disk: Path) -> None:
    job_id = fill(server, disk)
    done = server.cli("down", "--stop-jobs")
    assert done.returncode == 0, done.stderr
    assert not is_filling(disk)

    use_up(disk)
    server.start()
    assert "The disk of" in server.output()
    assert f"logs/{job_id}/1.log" in server.output()
    assert server.state(job_id) == "waiting", "nothing starts while there is no room"
    assert "server's disk is full" in server.cli("why", str(job_id)).stdout
    server.cli("cancel", str(job_id))
    server.stop()

    for part in (server.data / "reserve").iterdir():
        part.unlink()
    use_up(disk)
    started = start_in_vain(server)
    assert started.returncode == 1
    assert "cannot start" in started.stderr
    assert f"logs/{job_id}/1.log" in started.stderr

    (disk / "filler").unlink()
    server.start()
    server.cli("delete", "--yes", str(job_id))
    wait_until(lambda: not server.http.get("/status").json()["disk_full"], 30, "room again")
    again = server.submit("true", gpus=0)
    assert server.wait_ended(again)["job"]["state"] == "succeeded"


def start_in_vain(server: LiveServer) -> subprocess.CompletedProcess[str]:
    words = ["up", "--data", str(server.data), "--port", "0"]
    return preloaded.run(words, {**os.environ, "LC_ALL": "C.UTF-8"}, cwd=REPOSITORY)
