"""A researcher's day at the command line, against a real server. Every command of the CLI is used here."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.installation import LiveServer, live_server, wait_until

pytestmark = pytest.mark.e2e

ZH = {"LC_ALL": "zh_CN.UTF-8"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("cli") / "danlu", "--simulate", "2x4") as running:
        yield running


def submit(server: LiveServer, *words: str, **extra: object) -> int:
    out = server.cli("submit", *words, **extra).stdout
    assert out.strip().isdigit(), "submit prints the id and nothing else"
    assert out == f"{int(out)}\n"
    return int(out)


def read(server: LiveServer, *words: str) -> dict | list:
    return json.loads(server.cli(*words, "--json").stdout)


def test_submit_with_every_option(server, tmp_path):
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    before = submit(server, "--dir", "/tmp", "--", "true")
    words = [
        *("-g", "2", "--name", "everything", "--env", str(tmp_path / "venv"), "--dir", str(tmp_path)),
        *("--time", "2h", "--after", f"{before}", "--node", "sim2", "--gpu-ids", "0,3", "--cpus", "1"),
        *("--mem", "1G", "--urgent", "--retries", "2", "--stdout", "out-$JOB_ID.txt", "--stderr", "err.txt"),
        *("--gpu-arg", "--gpus", "--desc", "all of it", "--var", "K=V w"),
    ]
    job_id = submit(server, *words, "--", "echo", "args:")
    ended = server.wait_ended(job_id)
    assert ended["job"]["state"] == "succeeded"
    assert (tmp_path / f"out-{job_id}.txt").read_text() == "args: --gpus 0,3\n"
    fields = read(server, "show", str(job_id))["fields"]
    expected = {
        "gpus": 2,
        "name": "everything",
        "directory": str(tmp_path),
        "time_limit_s": 7200.0,
        "node": "sim2",
        "gpu_ids": [0, 3],
        "cpus": 1,
        "memory_mb": 1024,
        "urgent": True,
        "retries": 2,
        "description": "all of it",
        "variables": {"K": "V w"},
    }
    assert {name: fields[name] for name in expected} == expected


def test_what_a_job_sees(server):
    job_id = submit(server, "-g", "2", "--node", "sim1", "--name", "看看", "--", "env")
    server.wait_ended(job_id)
    seen = dict(line.split("=", 1) for line in server.cli("logs", str(job_id)).stdout.splitlines())
    assert seen["CUDA_VISIBLE_DEVICES"] == seen["NVIDIA_VISIBLE_DEVICES"] == seen["DANLU_GPU_IDS"]
    assert len(seen["CUDA_VISIBLE_DEVICES"].split(",")) == 2
    assert seen["PYTHONUNBUFFERED"] == "1"
    assert (seen["DANLU_JOB_ID"], seen["DANLU_ATTEMPT"], seen["DANLU_NODE"]) == (str(job_id), "1", "sim1")
    assert seen["DANLU_JOB_NAME"] == "看看"
    none = submit(server, "--", "echo", "[$CUDA_VISIBLE_DEVICES]")
    shown = submit(server, "echo [$CUDA_VISIBLE_DEVICES]")
    server.wait_ended(none)
    server.wait_ended(shown)
    assert server.cli("logs", str(shown)).stdout == "[]\n"


def test_scripts_from_a_file_and_from_standard_input(server, tmp_path):
    script = tmp_path / "train.sh"
    script.write_text("#!/bin/bash\nset -e\necho first $1\necho second $2\n")
    job_id = submit(server, str(script), "a b", "c")
    # The job runs what was submitted, whatever becomes of the file.
    script.write_text("#!/bin/sh\necho changed\n")
    server.wait_ended(job_id)
    assert server.cli("logs", str(job_id)).stdout == "first a b\nsecond c\n"
    assert read(server, "show", str(job_id))["job"]["name"] == "train.sh"
    one_line = tmp_path / "one.sh"
    one_line.write_text('echo "first=$1"')
    argued = submit(server, str(one_line), "A")
    server.wait_ended(argued)
    assert server.cli("logs", str(argued)).stdout == "first=A\n"
    piped = submit(server, "-", text_in="echo from\necho stdin\n")
    server.wait_ended(piped)
    assert server.cli("logs", str(piped)).stdout == "from\nstdin\n"


def test_waiting_why_move_hold_release_edit_cancel(server, tmp_path):
    blocker = submit(server, "-g", "4", "--node", "sim1", "--", "sleep", "60")
    server.wait_state(blocker, "running")
    first = submit(server, "-g", "4", "--node", "sim1", "--name", "first", "--", "true")
    second = submit(server, "-g", "1", "--node", "sim1", "--name", "second", "--", "true")
    wait_until(lambda: f"behind job {first}" in server.cli("why", str(second)).stdout)
    assert "needs 4 free GPU(s)" in server.cli("why", str(first)).stdout
    assert f"任务 {first} 先于它启动" in server.cli("why", str(second), env=ZH).stdout
    listed = server.cli("ps").stdout
    assert "first" in listed
    assert "second" in listed
    server.cli("move", str(second), "1")
    line = [job["id"] for job in read(server, "ps")["jobs"] if job["state"] == "waiting"]
    assert line == [second, first]
    server.cli("hold", str(first))
    assert server.state(first) == "held"
    wait_until(lambda: "on hold" in server.cli("why", str(first)).stdout)
    server.cli("release", str(first))
    server.cli("edit", str(first), "--gpus", "2", "--name", "edited", "--desc", "smaller")
    assert server.job(first)["fields"]["gpus"] == 2
    refused = server.cli("edit", str(blocker), "--gpus", "1", check=False)
    assert refused.returncode == 1
    assert "running" in refused.stderr
    server.cli("cancel", str(blocker))
    for job_id in (first, second):
        assert server.wait_ended(job_id)["job"]["state"] == "succeeded"
    assert server.wait_ended(blocker)["job"]["state"] == "cancelled"
    assert "cancelled" in server.cli("why", str(blocker)).stdout


def test_an_edited_finished_job_runs_again_under_its_id(server):
    job_id = submit(server, "--", "exit", "3")
    assert server.wait_ended(job_id)["job"]["end_reason"] == "exit_code"
    server.cli("edit", str(job_id), "--var", "A=1")
    wait_until(lambda: server.job(job_id)["job"]["attempt"] == 2)
    server.wait_ended(job_id)
    shown = server.cli("show", str(job_id)).stdout
    assert "1.log" in shown
    assert "2.log" in shown


def test_resubmit_and_delete_with_successors(server):
    server.cli("pause")
    first = submit(server, "--name", "root-of-all", "--", "true")
    second = submit(server, "--after", str(first), "--", "true")
    third = submit(server, "--after-ok", str(second), "--", "true")
    copy = int(server.cli("resubmit", str(second)).stdout)
    assert copy > third
    assert read(server, "show", str(copy))["after"] == [first]
    server.cli("delete", "-y", "--with-successors", str(first))
    for job_id in (first, second, third, copy):
        assert server.http.get(f"/jobs/{job_id}").status_code == 404
    server.cli("resume")
    gone = server.cli("show", str(first), check=False)
    assert gone.returncode == 1
    assert "There is no job" in gone.stderr
    assert submit(server, "--", "true") > copy, "ids are never used again"


def test_a_deleted_predecessor_blocks_nobody(server):
    server.cli("pause")
    first = submit(server, "--", "true")
    second = submit(server, "--after", str(first), "--", "true")
    server.cli("delete", "-y", str(first))
    server.cli("resume")
    assert server.wait_ended(second)["job"]["state"] == "succeeded"


def test_after_ok_waits_for_success_and_goes_on_once_it_is_there(server, tmp_path):
    flag = tmp_path / "fixed"
    first = submit(server, "--", "test", "-e", str(flag))
    second = submit(server, "--after-ok", str(first), "--", "true")
    server.wait_ended(first)
    wait_until(lambda: "but that job did not" in server.cli("why", str(second)).stdout)
    flag.touch()
    server.cli("edit", str(first), "--desc", "fixed it")
    assert server.wait_ended(second)["job"]["state"] == "succeeded"


def test_refusals_name_the_field_the_reason_and_the_remedy(server):
    jobs = server.http.get("/jobs").json()["counts"]
    for words, parts in [
        (("-g", "5", "--", "x"), ("--gpus", "(4 GPU", "--wait-for-hardware")),
        (("-g", "two", "--", "x"), ("--gpus", "two")),
        (("--time", "soon", "--", "x"), ("--time", "soon")),
        (("--node", "n9", "--", "x"), ("--node", "n9", "sim1")),
        (("--gpu-ids", "9", "--", "x"), ("--gpu-ids", "9")),
        (("--after", "99999", "--", "x"), ("--after", "99999")),
        (("--var", "CUDA_VISIBLE_DEVICES=0", "--", "x"), ("--var", "CUDA_VISIBLE_DEVICES")),
        (("--frobnicate", "--", "x"), ("--frobnicate",)),
        ((), ("danlu submit",)),
    ]:
        refused = server.cli("submit", *words, check=False)
        assert (refused.returncode, refused.stdout) == (2, ""), refused
        for part in parts:
            assert part in refused.stderr, (words, refused.stderr)
        chinese = server.cli("submit", *words, check=False, env=ZH)
        assert any("\u4e00" <= char <= "\u9fff" for char in chinese.stderr), chinese.stderr
    assert server.http.get("/jobs").json()["counts"] == jobs
    waiting = submit(server, "-g", "5", "--wait-for-hardware", "--", "x")
    wait_until(lambda: "No node has what it asks for" in server.cli("why", str(waiting)).stdout)
    server.cli("cancel", str(waiting))


def test_run_follows_and_exits_with_the_jobs_code(server):
    done = server.cli("run", "-g", "1", "--", "sh", "-c", "echo visible; exit 9", check=False)
    assert (done.returncode, done.stdout) == (9, "visible\n")
    killed = server.cli("run", "kill -9 $$", check=False)
    assert killed.returncode == 128 + 9
    nowhere = server.cli("run", "--dir", "/no/such/folder", "--", "true", check=False)
    assert nowhere.returncode == 2
    assert "/no/such/folder" in nowhere.stderr
    for words in (("--env", "no-such-env", "--", "true"), ("--", "no-such-program", "--all")):
        asked = server.cli("submit", "--dry-run", *words, check=False)
        assert (asked.returncode, asked.stdout) == (2, "")
        assert "There is no" in asked.stderr


def test_ctrl_c_asks_and_detaches_or_cancels(server):
    for answer, state in (("d", "running"), ("c", "cancelled")):
        leader, follower = pty.openpty()
        environment = {**os.environ, "DANLU_DATA": str(server.data), "LC_ALL": "C.UTF-8"}
        words = ["run", "--name", f"ctrl-c-{answer}", "--", "echo begun; sleep 60"]
        process = subprocess.Popen(
            [sys.executable, "-m", "danlu.main", *words],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment,
            start_new_session=True,
        )
        os.close(follower)

        def job(answer: str = answer) -> dict | None:
            found = server.http.get("/jobs", params={"name": f"ctrl-c-{answer}"}).json()["jobs"]
            return found[0] if found else None

        # From here on it follows the job.
        said = b""
        while b"begun" not in said:
            said += os.read(leader, 4096)
        process.send_signal(signal.SIGINT)
        said = b""
        while b"?" not in said and b"]" not in said:
            said += os.read(leader, 4096)
        os.write(leader, answer.encode() + b"\n")
        process.wait(20)
        server.wait_state(job()["id"], state)
        if state == "running":
            server.cli("cancel", str(job()["id"]))
        os.close(leader)


def test_nodes_gpus_drain_and_undrain(server):
    server.cli("drain", "sim1")
    job_id = submit(server, "--node", "sim1", "--", "true")
    wait_until(lambda: "drained" in server.cli("why", str(job_id)).stdout)
    assert "drained" in server.cli("nodes").stdout
    server.cli("undrain", "sim1")
    server.wait_ended(job_id)
    server.cli("drain", "sim1:2")
    gpu = next(each for each in read(server, "gpus") if (each["node"], each["index"]) == ("sim1", 2))
    assert gpu["drained"]
    exact = submit(server, "--node", "sim1", "--gpu-ids", "2", "--", "true")
    wait_until(lambda: "drained" in server.cli("why", str(exact)).stdout)
    whole = submit(server, "-g", "4", "--", "true")
    assert server.wait_ended(whole)["job"]["node"] == "sim2"
    server.cli("undrain", "sim1:2")
    server.wait_ended(exact)
    assert server.cli("drain", "nowhere", check=False).returncode == 1


def test_defaults_apply_where_nothing_is_said(server):
    server.cli("defaults", "set", "--gpus", "2", "--desc", "by default", "--var", "FROM=defaults")
    assert read(server, "defaults")["gpus"] == 2
    plain = submit(server, "--", "true")
    said = submit(server, "-g", "1", "--", "true")
    assert server.job(plain)["fields"]["gpus"] == 2
    assert server.job(plain)["fields"]["description"] == "by default"
    assert server.job(said)["fields"]["gpus"] == 1
    server.cli("defaults", "clear", "gpus", "description", "variables")
    assert server.job(submit(server, "--", "true"))["fields"]["gpus"] == 0


def test_retries_with_backoff(server, tmp_path):
    count = tmp_path / "count"
    command = f"echo x >> {count}; test $(wc -l < {count}) -ge 3"
    job_id = submit(server, "--retries", "5", "--retry-backoff", "0.1", command)
    assert server.wait_ended(job_id)["job"]["state"] == "succeeded"
    attempts = server.job(job_id)["attempts"]
    assert [attempt["end_reason"] for attempt in attempts] == ["exit_code", "exit_code", "completed"]
    stubborn = submit(server, "--retries", "5", "--retry-on", "signal", "--", "false")
    assert server.wait_ended(stubborn)["job"]["attempt"] == 1


def test_a_time_limit_is_kept(server):
    job_id = submit(server, "--time", "1s", "--grace", "0.2", "trap '' TERM; sleep 60")
    ended = server.wait_ended(job_id)["job"]
    assert (ended["state"], ended["end_reason"]) == ("failed", "time_limit")
    assert ended["ended_at"] - ended["started_at"] < 10


def test_login_from_elsewhere_whoami_logout(server, tmp_path):
    elsewhere = {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
        "DANLU_DATA": "",
    }
    token = server.http.post("/me/tokens", json={"name": "elsewhere"}).json()["secret"]
    nowhere = server.cli("ps", check=False, env=elsewhere)
    assert nowhere.returncode == 1
    assert "danlu login" in nowhere.stderr
    server.cli("login", server.url, "--token-stdin", text_in=token + "\n", env=elsewhere)
    profile = tmp_path / "config" / "danlu" / "profiles.json"
    assert profile.stat().st_mode & 0o077 == 0
    me = server.http.get("/me").json()["name"]
    assert me in server.cli("whoami", env=elsewhere).stdout
    assert server.cli("submit", "--", "true", env=elsewhere).stdout.strip().isdigit()
    server.cli("logout", env=elsewhere)
    assert server.client(token).get("/me").status_code == 401
    assert server.cli("ps", check=False, env=elsewhere).returncode == 1


def test_version_and_help_in_both_languages(server):
    from danlu import __version__

    assert __version__ in server.cli("version").stdout
    for command in ("", "submit", "run", "logs", "up", "down", "edit", "delete", "defaults", "login"):
        words = [command, "--help"] if command else ["--help"]
        assert "danlu" in server.cli(*words).stdout
        chinese = server.cli(*words, env=ZH).stdout
        assert any("\u4e00" <= char <= "\u9fff" for char in chinese), command


def test_json_is_never_translated(server):
    job_id = submit(server, "--", "true")
    server.wait_ended(job_id)
    english = server.cli("why", str(job_id), "--json").stdout
    assert server.cli("why", str(job_id), "--json", env=ZH).stdout == english
