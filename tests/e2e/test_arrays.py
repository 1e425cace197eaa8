"""Arrays and sharing through a whole server: command line, API, SDK, and a server that is killed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator

import pytest

from danlu.sdk.client import Client
from tests.support import preloaded
from tests.support.installation import LiveServer, live_server, wait_until

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("arrays") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Iterator[Client]:
    with Client(server.url, server.token) as client:
        yield client


def danlu(server: LiveServer, *words: str) -> subprocess.CompletedProcess[str]:
    return preloaded.run(["--data", str(server.data), *words], os.environ)


def test_one_id_one_row_and_a_log_for_each_task(server, client, tmp_path):
    said = danlu(
        server, "submit", "--array", "0-5%3", "-g", "1", "-n", "sweep", "--", 'echo "at $DANLU_ARRAY_INDEX"'
    )
    array = int(said.stdout)
    client.jobs.handle(array).wait(60)
    assert [row.ref for row in client.jobs.list(name="sweep").jobs] == [str(array)]
    page = client.jobs.elements(array)
    assert [(task.ref, task.state) for task in page.elements] == [
        (f"{array}[{n}]", "succeeded") for n in range(6)
    ]
    assert danlu(server, "logs", f"{array}[4]").stdout == "at 4\n"
    assert danlu(server, "logs", f"{array}.2").stdout == "at 2\n"
    refused = danlu(server, "logs", str(array))
    assert refused.returncode != 0
    assert f"{array}[0]" in refused.stderr
    listing = json.loads(danlu(server, "ps", "--all", "--name", "sweep", "--json").stdout)
    assert [row["ref"] for row in listing["jobs"]] == [str(array)]
    assert listing["jobs"][0]["array"] == {
        "total": 6, "waiting": 0, "active": 0, "succeeded": 6, "failed": 0, "cancelled": 0, "at_most": 3,
    }  # fmt: skip


def test_an_output_file_for_each_task(server, client, tmp_path):
    job = client.jobs.submit(
        command="echo $DANLU_JOB_ID/$DANLU_ARRAY_INDEX",
        array="1-3",
        directory=str(tmp_path),
        stdout="out-$JOB_ID-$ARRAY_INDEX",
    )
    job.wait(60)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {f"out-{job.id}-{n}": f"{job.id}/{n}\n" for n in (1, 2, 3)}


def test_cancel_one_task_then_all(server, client):
    array = client.jobs.submit(command="sleep 60", array="0-99", gpus=1).id
    wait_until(lambda: client.jobs.get(array).job.array.active == 4)
    assert danlu(server, "cancel", f"{array}[1]", f"{array}[50]").returncode == 0
    wait_until(lambda: client.jobs.get(f"{array}[1]").job.state == "cancelled")
    assert client.jobs.get(f"{array}[50]").job.state == "cancelled"
    wait_until(lambda: client.jobs.get(f"{array}[4]").job.state == "running")
    assert "free" in client.jobs.why(f"{array}[99]").message
    assert danlu(server, "hold", f"{array}[2]").returncode != 0
    assert danlu(server, "cancel", str(array)).returncode == 0
    client.jobs.handle(array).wait(60)
    counts = client.jobs.get(array).job.array
    assert (counts.cancelled, counts.active, counts.waiting) == (100, 0, 0)


def test_ten_thousand_tasks_are_one_small_request(server, client):
    array = client.jobs.submit(command="true", array="0-9999", hold=True).id
    page = client.jobs.elements(array, start=9_998)
    assert [task.ref for task in page.elements] == [f"{array}[9998]", f"{array}[9999]"]
    assert page.next is None
    first = client.jobs.elements(array, limit=3)
    assert ([task.index for task in first.elements], first.next) == ([0, 1, 2], 3)
    client.jobs.cancel(array)
    assert client.jobs.get(array).job.array.cancelled == 10_000


@pytest.mark.parametrize(
    ("path", "status"),
    [("/jobs/0", 422), ("/jobs/x", 422), ("/jobs/4[x]", 422), ("/jobs/99999", 404), ("/jobs/99999[0]", 404)],
)
def test_what_is_no_job_is_refused_by_name(server, path, status):
    reply = server.http.get(path)
    assert reply.status_code == status
    assert {"code", "message"} <= set(reply.json())


@pytest.mark.parametrize("array", ["", "a", "9-1", "0-9%0", "0-99999999", "1,,2", "-3"])
def test_what_is_no_array_is_refused_by_the_field(server, array):
    reply = server.http.post("/jobs", json={"command": "true", "array": array})
    assert (reply.status_code, reply.json()["field"]) == (422, "array")


def test_many_jobs_in_one_request(client):
    handles = client.jobs.submit_many([{"command": f"exit {n}"} for n in (0, 3)])
    ended = [handle.wait(60).job for handle in handles]
    assert [job.exit_code for job in ended] == [0, 3]


def test_a_job_that_shares_joins_a_busy_gpu_and_promises_hold(client):
    holder = client.jobs.submit(command="sleep 60", gpus=4)
    wait_until(lambda: client.jobs.get(holder.id).job.state == "running")
    large = client.jobs.submit(command="sleep 60", share=True, gpu_memory_mb=20_000)
    wait_until(lambda: client.jobs.get(large.id).job.state == "running")
    others = client.jobs.submit_many([{"command": "sleep 60", "share": True, "gpu_memory_mb": 20_000}] * 4)
    wait_until(lambda: sum(client.jobs.get(other.id).job.state == "running" for other in others) == 3)
    last = others[-1]
    wait_until(lambda: [why.code for why in client.jobs.why(last.id).why] == ["gpu_memory_busy"])
    placed = [client.jobs.get(job.id).job.gpu_ids for job in (large, *others[:3])]
    assert sorted(placed) == [[0], [1], [2], [3]]
    client.jobs.cancel(large.id)
    wait_until(lambda: client.jobs.get(last.id).job.state == "running")
    for job in (holder, *others):
        client.jobs.cancel(job.id)
        client.jobs.handle(job.id).wait(60)


def test_an_array_goes_on_after_the_server_was_killed(tmp_path):
    with live_server(tmp_path / "danlu", "--simulate", "2") as server:
        with Client(server.url, server.token) as client:
            array = client.jobs.submit(
                command="sleep 0.3; echo $DANLU_ARRAY_INDEX", array="0-9", gpus=1, directory="/tmp"
            ).id
            wait_until(lambda: client.jobs.get(array).job.array.succeeded >= 2)
        server.kill()
        server.start()
        with Client(server.url, server.token) as client:
            client.jobs.handle(array).wait(60)
            assert client.jobs.get(array).job.array.succeeded == 10
            for index in range(10):
                detail = client.jobs.get(f"{array}[{index}]")
                assert [attempt.number for attempt in detail.attempts] == [1]
                assert client.jobs.log(f"{array}[{index}]").data == f"{index}\n".encode()
