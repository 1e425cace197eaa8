"""Numbers that are left to Danlu, and data that are copied to the nodes, through a whole server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk.client import Client
from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member
from tests.support.processes import remove_when_left

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that other accounts can enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="danlu-staging-"))
    path.chmod(0o755)
    (path / "disk").mkdir()
    yield path
    remove_when_left(path)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, place: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("auto") / "danlu", "--simulate", "2x4") as running:
        assert running.http.patch("/settings", json={"stage_folder": str(place / "disk")}).status_code == 200
        yield running


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Iterator[Client]:
    with Client(server.url, server.token) as client:
        yield client


@pytest.fixture
def data(place: Path, request: pytest.FixtureRequest) -> Path:
    folder = place / f"data-{request.node.name}"
    folder.mkdir()
    (folder / "x").write_text("staged here")
    return folder


def log_of(server: LiveServer, job: int, rank: int = 0) -> str:
    return server.http.get(f"/jobs/{job}/log", params={"rank": rank}).text


def test_as_many_gpus_as_are_free_and_found_anew_for_a_copy(server, client):
    first = client.jobs.submit(command="sleep 60", gpus="auto", directory="/tmp")
    server.wait_state(first.id, "running")
    assert server.job(first.id)["job"]["gpus"] == 4
    assert "that many were free on sim" in server.job(first.id)["auto"]
    assert server.job(first.id)["fields"]["gpus"] == "auto"
    other = client.jobs.submit(command="sleep 60", gpus=3, directory="/tmp")
    server.wait_state(other.id, "running")
    shown = server.cli("submit", "-g", "auto", "--dry-run", "sleep 1").stdout
    assert "1 GPU: that many were free" in shown
    again = client.jobs.resubmit(first.id)
    assert server.job(again)["job"]["gpus"] == 1
    assert "Chosen by Danlu" in server.cli("show", str(again)).stdout
    edited = client.jobs.submit(command="true", gpus="auto", hold=True, directory="/tmp")
    client.jobs.cancel(first.id)
    server.wait_ended(first.id)
    assert server.job(edited.id)["job"]["gpus"] == 1
    server.http.patch(f"/jobs/{edited.id}", json={"set": {"name": "renamed"}})
    assert server.job(edited.id)["job"]["gpus"] > 1
    for job in (other.id, again, edited.id):
        client.jobs.cancel(job)


def test_as_many_as_a_model_needs_on_as_many_nodes_as_there_are(server, client):
    card_mb = server.http.get("/nodes").json()[0]["gpus"][0]["memory_mb"]
    job = client.jobs.submit(
        command="true", gpus="auto", nodes="auto", gpu_memory_mb=5 * card_mb, hold=True, directory="/tmp"
    )
    row = server.job(job.id)["job"]
    assert (row["gpus"], row["nodes_min"], row["nodes"]) == (3, 2, 2)
    assert row["gpu_memory_mb"] == -(-5 * card_mb // 6)
    said = server.http.get(f"/jobs/{job.id}", headers={"Accept-Language": "zh"}).json()["auto"]
    assert "最少数量" in said
    refusals = {}
    for nodes in ("1", "auto"):
        fields = {"command": "true", "gpus": "auto", "nodes": nodes, "gpu_memory_mb": 99 * card_mb}
        reply = server.http.post("/jobs", json=fields)
        assert (reply.status_code, reply.json()["field"]) == (422, "gpu_memory_mb")
        check = server.http.post("/jobs/check", json={"fields": fields}).json()
        refusals[nodes] = reply.json()["code"]
        assert [each["code"] for each in check["problems"]] == [refusals[nodes]]
    assert refusals == {"1": "auto_too_large_for_node", "auto": "auto_too_large"}
    line = server.http.get(f"/jobs/{job.id}/command").json()["command_line"]
    assert "--gpus auto" in line
    assert "--nodes auto" in line
    client.jobs.cancel(job.id)


def test_data_are_there_before_the_command_and_are_copied_once(server, client, data):
    command = f"cat $DANLU_STAGED/{data.name}/x; readlink -f $DANLU_STAGED/{data.name}"
    said = server.cli("run", "--stage", str(data), command).stdout
    assert "staged here" in said
    assert str(server.data) not in said.splitlines()[-1]
    job = client.jobs.submit(command=command, stage=[str(data)], directory="/tmp")
    server.wait_ended(job.id)
    assert "nothing had changed" in log_of(server, job.id)


def test_what_is_not_there_ends_the_job_and_says_so_in_both_languages(server, client, data):
    job = client.jobs.submit(command="true", stage=["/nowhere/at/all"], retries=3, directory="/tmp")
    ended = server.wait_ended(job.id)
    assert (ended["job"]["end_reason"], ended["job"]["attempt"]) == ("stage_missing", 1)
    assert "/nowhere/at/all" in ended["message"]
    chinese = server.http.get(f"/jobs/{job.id}", headers={"Accept-Language": "zh"}).json()["message"]
    assert "节点上没有要预复制的数据" in chinese
    twice = {"command": "true", "stage": [str(data), f"/other/{data.name}"]}
    assert server.http.post("/jobs", json=twice).json()["code"] == "stage_same_name"


def test_every_node_of_a_gang_has_the_data(server, client, data):
    job = client.jobs.submit(
        command=f"cat $DANLU_STAGED/{data.name}/x", nodes=2, gpus=1, stage=[str(data)], directory="/tmp"
    )
    assert server.wait_ended(job.id)["job"]["state"] == "succeeded"
    for rank in range(2):
        assert "staged here" in log_of(server, job.id, rank)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run jobs as another account")
def test_copies_are_the_users_own(server, client, place, data):
    mo = make_member(server, "mo")
    fields = {"command": f"cat $DANLU_STAGED/{data.name}/x", "stage": [str(data)], "directory": "/tmp"}
    job = mo.post("/jobs", json=fields).json()["id"]
    assert server.wait_ended(job)["job"]["state"] == "succeeded"
    [root] = (place / "disk").iterdir()
    owners = {int(home.name): home.stat() for home in root.iterdir()}
    assert {uid: (facts.st_uid, facts.st_mode & 0o777) for uid, facts in owners.items()} == {
        uid: (uid, 0o700) for uid in owners
    }
    assert len(owners) == 2
    (data / "x").chmod(0o600)
    (data / "x").write_text("mine alone")
    refused = mo.post("/jobs", json=fields).json()["id"]
    assert server.wait_ended(refused)["job"]["end_reason"] == "stage_forbidden"
