"""A restart of the server, however rude, leaves running jobs running and their results known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import httpx
import pytest

from tests.support.installation import LiveServer, wait_until

pytestmark = pytest.mark.e2e


def log_of(server: LiveServer, job_id: int) -> bytes:
    return server.http.get(f"/jobs/{job_id}/log").content


def test_a_long_job_survives_kill_9_of_the_server_and_reports_its_end(server, tmp_path):
    go_on = tmp_path / "go-on"
    job_id = server.submit(
        f"echo before; while [ ! -e {go_on} ]; do sleep 0.05; done; echo after; exit 7", gpus=2
    )
    server.wait_state(job_id, "running")
    wait_until(lambda: log_of(server, job_id) == b"before\n")

    server.kill()
    server.start()

    assert server.state(job_id) == "running"
    assert server.job(job_id)["job"]["attempt"] == 1
    go_on.touch()
    ended = server.wait_ended(job_id)
    assert (ended["job"]["state"], ended["job"]["exit_code"]) == ("failed", 7)
    assert log_of(server, job_id) == b"before\nafter\n"


def test_a_job_that_ends_while_the_server_is_down_is_known_afterwards(server, tmp_path):
    go_on, done = tmp_path / "go-on", tmp_path / "done"
    job_id = server.submit(f"while [ ! -e {go_on} ]; do sleep 0.02; done; touch {done}; kill -9 $$")
    server.wait_state(job_id, "running")
    server.kill()
    go_on.touch()
    wait_until(done.exists)
    server.start()
    ended = server.wait_ended(job_id)
    assert (ended["job"]["end_reason"], ended["job"]["signal"]) == ("signal", 9)


def test_a_followed_log_goes_on_over_a_restart(server, tmp_path):
    """`danlu logs -f` in one terminal, kill -9 of the server in another: no line is lost or doubled."""
    stop = tmp_path / "stop"
    job_id = server.submit(
        f"i=0; while [ ! -e {stop} ]; do echo line $i; i=$((i+1)); sleep 0.02; done; echo over"
    )
    server.wait_state(job_id, "running")
    seen = tmp_path / "seen"
    with seen.open("wb") as output:
        follower = subprocess.Popen(
            [sys.executable, "-m", "danlu.main", "logs", "-f", str(job_id)],
            stdout=output,
            env={**os.environ, "DANLU_DATA": str(server.data)},
        )

    def more_lines(than: int) -> int:
        def count() -> int:
            lines = seen.read_bytes().count(b"\n")
            return lines if lines > than else 0

        return wait_until(count, what="more lines")

    before = more_lines(10)
    server.kill()
    server.start()
    more_lines(before + 10)
    stop.touch()
    assert follower.wait(30) == 0
    lines = seen.read_text().splitlines()
    assert lines[-1] == "over"
    assert lines[:-1] == [f"line {number}" for number in range(len(lines) - 1)]
    assert len(lines) > 20


def test_down_leaves_jobs_running_and_up_takes_them_over(server, tmp_path):
    go_on = tmp_path / "go-on"
    job_id = server.submit(f"while [ ! -e {go_on} ]; do sleep 0.02; done; echo done")
    server.wait_state(job_id, "running")
    said = server.cli("down").stdout
    assert "stopped" in said.lower()
    server.wait_dead()
    assert "1 job(s) keep running" in server.output()
    server.start()
    assert server.state(job_id) == "running"
    go_on.touch()
    assert server.wait_ended(job_id)["job"]["state"] == "succeeded"


def test_down_with_stop_jobs_puts_them_back_at_the_head_of_the_queue(server, tmp_path):
    running = [
        server.submit(f"echo $DANLU_ATTEMPT >> {tmp_path}/{n}; sleep 60", gpus=2, grace_s=1) for n in range(2)
    ]
    for job_id in running:
        server.wait_state(job_id, "running")
    behind = server.submit("true", gpus=4)
    server.cli("down", "--stop-jobs")
    server.wait_dead()
    server.start()
    for job_id in running:
        assert server.wait_state(job_id, "running")["job"]["attempt"] == 2
    assert server.state(behind) == "waiting"
    for n in range(2):
        wait_until(lambda n=n: (tmp_path / str(n)).read_text() == "1\n2\n")
    first = server.job(running[0])["attempts"][0]
    assert first["end_reason"] == "requeued"


def test_an_abrupt_end_of_the_keeper_is_repaired_and_nothing_is_noticed(server, tmp_path):
    go_on = tmp_path / "go-on"
    job_id = server.submit(f"while [ ! -e {go_on} ]; do sleep 0.02; done; exit 5")
    server.wait_state(job_id, "running")
    for pid in server.keeper_pids():
        os.kill(pid, signal.SIGKILL)
    go_on.touch()
    assert server.wait_ended(job_id)["job"]["exit_code"] == 5
    assert server.wait_ended(server.submit("true"))["job"]["state"] == "succeeded"


def test_a_second_server_on_the_same_folder_is_refused(server):
    refused = server.cli("up", "--data", str(server.data), check=False)
    assert refused.returncode == 1
    assert "already running" in refused.stderr


def test_after_a_stop_the_server_says_that_it_is_gone(server):
    url = server.url
    server.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/api/v1/version")
    refused = server.cli("ps", check=False)
    assert refused.returncode == 1
    assert "danlu up" in refused.stderr
