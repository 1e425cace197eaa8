"""Things that happen to installations: they are renamed, moved, changed and stopped at bad moments."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

from danlu.launch.serve import installation
from tests.support import preloaded
from tests.support.installation import REPOSITORY, LiveServer, clear_away, live_server, wait_until

pytestmark = pytest.mark.e2e


def test_a_node_keeps_its_name_when_the_host_name_changes(tmp_path, monkeypatch):
    """What runs holds its GPUs under the old name; under a new one they would be given away again."""
    file = tmp_path / "node-name"
    monkeypatch.setattr(installation.socket, "gethostname", lambda: "old")
    assert installation.node_name(file) == "old"
    monkeypatch.setattr(installation.socket, "gethostname", lambda: "new")
    assert installation.node_name(file) == "old"


def test_a_job_placed_on_a_node_that_is_gone_at_the_next_start_runs_all_the_same(tmp_path):
    entry = ("-m", "tests.support.crashing_server", "before-launch", str(tmp_path / "died"))
    server = LiveServer(tmp_path / "danlu", "--simulate", "2x1", entry=entry).start()
    try:
        job_id = server.submit("true", gpus=1, node="sim2")
        server.wait_dead()
        server.options = ("--simulate", "1x2")
        server.start()
        assert server.wait_ended(job_id)["job"]["state"] == "succeeded"
        server.stop()
        server.start()
        assert [node["name"] for node in server.http.get("/nodes").json()] == ["sim1"]
    finally:
        clear_away(server)


def test_nodes_that_were_only_simulated_promise_nothing_later(tmp_path):
    with live_server(tmp_path / "danlu", "--simulate", "1x8") as server:
        server.wait_ended(server.submit("true", gpus=8))
        server.stop()
        server.options = ("--simulate", "1x2")
        server.start()
        refused = server.http.post("/jobs", json={"command": "true", "gpus": 8})
        assert refused.json()["code"] == "no_such_hardware"
        assert server.http.get("/status").json()["gpus"] == 2


def test_logs_move_with_the_data_folder(tmp_path):
    with live_server(tmp_path / "danlu") as server:
        job_id = server.submit("echo still here")
        server.wait_ended(job_id)
        server.stop()
        wait_until(lambda: not server.keeper_pids())
        shutil.move(tmp_path / "danlu", tmp_path / "elsewhere")
        server.data = tmp_path / "elsewhere"
        server.start()
        assert server.http.get(f"/jobs/{job_id}/log").content == b"still here\n"
        assert str(tmp_path / "elsewhere") in server.http.get(f"/jobs/{job_id}/log/info").json()["path"]


def test_down_after_a_kill_hits_nobody(server):
    """A killed server leaves its address file; the pid in it may be another process's by now."""
    bystander = subprocess.Popen(["sleep", "60"])
    server.kill()
    found = (
        (server.data / "server.json")
        .read_text()
        .replace(f'"pid": {server.process.pid}', f'"pid": {bystander.pid}')
    )
    (server.data / "server.json").write_text(found)
    said = server.cli("down", check=False)
    assert (said.returncode, bystander.poll()) == (1, None)
    assert "not running" in said.stderr
    bystander.kill()
    bystander.wait()
    server.start()


def test_a_second_down_does_not_wait_for_a_stubborn_job(server, tmp_path):
    pid_file = tmp_path / "pid"
    job_id = server.submit(f"trap '' TERM; echo $$ > {pid_file}; while :; do sleep 0.1; done", grace_s=8)
    wait_until(lambda: pid_file.exists() and pid_file.read_text())
    patient = threading.Thread(target=lambda: server.cli("down", "--stop-jobs", check=False))
    patient.start()
    server.wait_state(job_id, "stopping")
    server.cli("down")
    assert Path(f"/proc/{int(pid_file.read_text())}").exists(), "it had no reason to be gone already"
    patient.join(30)
    server.wait_dead()
    pid_file.unlink()
    server.start()
    assert server.wait_state(job_id, "running")["job"]["attempt"] == 2


def test_an_output_that_cannot_be_read_back_does_not_hide_the_end(server, tmp_path):
    (tmp_path / "real.log").touch()
    (tmp_path / "latest.log").symlink_to("real.log")
    done = server.cli(
        "run",
        "--dir",
        str(tmp_path),
        "--stdout",
        "latest.log",
        "--",
        "sh",
        "-c",
        "echo hi; exit 3",
        check=False,
    )
    assert done.returncode == 3
    assert (tmp_path / "real.log").read_text() == "hi\n"
    folder = server.cli("run", "--dir", str(tmp_path), "--stdout", ".", "--", "true", check=False)
    assert folder.returncode == 125
    assert "Is a directory" in folder.stderr


def test_a_damaged_database_is_said_in_words(tmp_path):
    data = tmp_path / "danlu"
    data.mkdir()
    (data / "danlu.db").write_bytes(b"this is no database" * 1000)
    words = ["up", "--data", str(data), "--port", "0"]
    said = preloaded.run(words, {**os.environ, "LC_ALL": "C.UTF-8"}, cwd=REPOSITORY)
    assert said.returncode == 1
    assert "cannot be used" in said.stderr
    assert "Traceback" not in said.stderr


def test_an_order_too_large_for_any_process_is_refused_and_stops_nobody(server):
    """Each part is within its bounds; only together they are too much."""
    many = {f"V{n}": "é" * 31_000 for n in range(8)}
    assert server.http.patch("/me/defaults", json={"set": {"variables": many}}).status_code == 200
    refused = server.http.post("/jobs", json={"command": "true", "arguments": ["é" * 31_000] * 10})
    assert (refused.status_code, refused.json()["code"]) == (422, "start_too_large")
    server.http.patch("/me/defaults", json={"clear": ["variables"]})
    assert server.wait_ended(server.submit("true"))["job"]["state"] == "succeeded"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could read other people's files")
def test_a_log_whose_account_is_gone_is_not_read_for_anybody(server):
    from tests.support.people import make_member

    ada = make_member(server, "ada")
    fields = {"command": "true", "directory": "/tmp", "stdout": "/etc/shadow"}
    job_id = ada.post("/jobs", json=fields).json()["id"]
    assert server.wait_ended(job_id)["job"]["end_reason"] == "output_unwritable"
    assert ada.get(f"/jobs/{job_id}/log").json()["code"] == "log_unreadable"
    with sqlite3.connect(server.data / "danlu.db") as connection:
        connection.execute("UPDATE users SET unix_account = 'gone-from-here' WHERE name = 'ada'")
    connection.close()
    # The server was not told of that: what it knows of the log holds until it next commits something itself.
    server.submit("true", hold=True)
    reply = ada.get(f"/jobs/{job_id}/log")
    assert b"root:" not in reply.content
    assert reply.json()["code"] == "log_without_account", reply.text


def test_a_stream_ends_when_its_user_is_locked(server):
    from tests.support.people import make_member

    ada = make_member(server, "ada", account=False)
    ended = threading.Event()

    def listen() -> None:
        with ada.stream("GET", "/events", timeout=30) as reply:
            for _ in reply.iter_lines():
                pass
        ended.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    wait_until(lambda: server.http.get("/status").status_code == 200)
    server.http.patch("/users/ada", json={"locked": True})
    assert ended.wait(20)


def test_sigint_and_sigterm_both_stop_the_server(server):
    for number in (signal.SIGINT, signal.SIGTERM):
        server.process.send_signal(number)
        assert server.process.wait(20) == 0
        server.start()
