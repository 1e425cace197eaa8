"""A user who has never written a job starts every example and watches it to its end."""

from __future__ import annotations

import os
import pwd
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from danlu.control.jobs.examples import list_examples
from tests.support.installation import LiveServer, live_server
from tests.support.people import UNIX_ACCOUNT, make_member

pytestmark = pytest.mark.e2e
PATIENCE_S = 90


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("examples") / "danlu", "--simulate", "6x2") as running:
        yield running


@pytest.fixture(scope="module")
def newcomer(server: LiveServer) -> Iterator[httpx.Client]:
    """Whose jobs run as an account that can read nothing of ours and has no home."""
    yield make_member(server, "newcomer")
    uid = pwd.getpwnam(UNIX_ACCOUNT).pw_uid if os.geteuid() == 0 else os.getuid()
    shutil.rmtree(f"/tmp/danlu-examples-{uid}", ignore_errors=True)
    if os.geteuid() != 0:
        (Path.home() / "danlu-examples" / "students.json").unlink(missing_ok=True)


@pytest.fixture(scope="module")
def started(newcomer: httpx.Client) -> dict[str, list[int]]:
    """All of them at once, so that they need not be waited for one by one."""
    keys = [example.key for example in list_examples()]
    return {key: newcomer.post(f"/examples/{key}/start").json()["ids"] for key in keys}


def log_of(server: LiveServer, ref: int | str) -> str:
    return server.http.get(f"/jobs/{ref}/log").text


def losses(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"loss ([\d.e+-]+)", text)]


def test_output_is_there_while_it_runs(server, started):
    """No reader has to wait for a buffer to fill."""
    (job,) = started["classifier"]
    ended = server.wait_ended(job, PATIENCE_S)["job"]
    # Its node has noted when the log grew: a buffer would have been written out at the end alone.
    times = server.http.get(f"/jobs/{job}/log/times").json()["times"]
    first = min(each["at"] for each in times if each["offset"] > 0)
    assert first < ended["ended_at"] - 1


@pytest.mark.parametrize("key", [example.key for example in list_examples()])
def test_every_example_succeeds_for_a_newcomer(server, started, key):
    for job in started[key]:
        ended = server.wait_ended(job, PATIENCE_S)
        assert ended["job"]["state"] == "succeeded", (ended["message"], log_of(server, job))


def test_the_classifier_learns_in_colour_and_with_a_progress_bar(server, started):
    (job,) = started["classifier"]
    server.wait_ended(job, PATIENCE_S)
    log = log_of(server, job)
    found = losses(log)
    assert len(found) == 30
    assert found[-1] < found[0] / 5
    assert log.count("\r") > 100
    assert "\x1b[34m" in log
    assert float(re.search(r"accuracy ([\d.]+) %", log).group(1)) > 90


def test_the_chain_goes_one_after_the_other(server, started):
    first, second = (server.wait_ended(job, PATIENCE_S)["job"] for job in started["chain"])
    assert second["started_at"] >= first["ended_at"]
    found = losses(log_of(server, second["id"]))
    assert found[-1] < found[0]


def test_the_shared_one_is_told_its_gpu(server, started):
    (job,) = started["shared-gpu"]
    row = server.wait_ended(job, PATIENCE_S)["job"]
    assert row["share"]
    assert f"CUDA_VISIBLE_DEVICES={row['gpu_ids'][0]}" in log_of(server, job)


def test_the_tasks_of_the_array_differ(server, started):
    (job,) = started["array"]
    server.wait_ended(job, PATIENCE_S)
    logs = {log_of(server, f"{job}[{index}]") for index in range(6)}
    assert len(logs) == 6
    assert any("ran away" in log for log in logs)


def test_the_command_line_lists_them_and_follows_one(server):
    listed = server.cli("examples")
    assert "classifier  Train a small classifier" in listed.stdout
    followed = server.cli("examples", "shared-gpu")
    assert followed.stdout.endswith("done\n")
    assert "is submitted" in followed.stderr
    assert server.cli("examples", "nonsense", check=False).returncode == 125
    assert "现成" in server.cli("examples", "--help", env={"LC_ALL": "zh_CN.UTF-8"}).stdout


def test_a_dry_run_submits_nothing(server):
    before = server.http.get("/jobs", params={"limit": 1}).json()["jobs"]
    told = server.cli("submit", "--dry-run", "-g", "1", "--", "python", "train.py")
    assert told.stdout == "It would start now on sim1, GPU 0.\n"
    refused = server.cli("submit", "--dry-run", "-g", "99", "--after", "4000000", "--", "x", check=False)
    assert refused.returncode == 2
    assert "--gpus" in refused.stderr
    assert "--after" in refused.stderr
    assert server.http.get("/jobs", params={"limit": 1}).json()["jobs"][0]["id"] == before[0]["id"]
