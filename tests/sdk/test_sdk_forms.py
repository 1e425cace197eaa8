"""Asking before submitting, and the examples, as Python calls."""

from __future__ import annotations

import pytest

from danlu.sdk.client import Client
from danlu.sdk.errors import ApiError
from danlu.testing import cluster
from danlu.wire.jobs import JobFields
from tests.sdk.servers import RecordingServer, problem

ANSWER = {
    "ok": False,
    "problems": [{"code": "no_command", "message": "No.", "field": "command", "hint": None}],
    "command_line": "",
    "starts": None,
    "node": None,
    "gpu_ids": [],
    "message": "No.",
    "why": [{"code": "held", "facts": {}, "message": "On hold."}],
    "ahead": 2,
    "new_in_a_later_version": 1,
}


@pytest.fixture
def server():
    with RecordingServer() as server:
        yield server


def test_a_check_carries_the_fields_and_perhaps_the_job(server):
    server.on("POST /jobs/check", ANSWER)
    with Client(server.url, "secret") as client:
        told = client.jobs.check(JobFields(command="x", gpus=1), job="12", clear=["node"], urgent=True)
        client.jobs.check(gpus=2)
    assert (told.ok, told.problems[0].field, told.why[0].code, told.ahead) == (False, "command", "held", 2)
    first, second = server.seen
    assert first.json == {
        "fields": {"command": "x", "gpus": 1, "urgent": True},
        "clear": ["node"],
        "job": "12",
    }
    assert second.json == {"fields": {"gpus": 2}, "clear": []}


def test_a_number_of_nodes_may_be_a_number(server):
    server.on("POST /jobs/check", ANSWER)
    with Client(server.url, "secret") as client:
        client.jobs.check(command="x", nodes=2, only_nodes=["n1", "n2"])
        client.jobs.check(command="x", nodes="1:4")
    assert server.seen[0].json["fields"] == {"command": "x", "nodes": "2", "only_nodes": ["n1", "n2"]}
    assert server.seen[1].json["fields"]["nodes"] == "1:4"


def test_an_example_is_started_once_however_often_it_is_sent(server):
    server.on("POST /examples/chain/start", {"ids": [4, 5]}, status=201)
    server.on("POST /examples/a%2Fb/start", problem("no_such_example", 404))
    with Client(server.url, "secret") as client:
        assert [job.id for job in client.examples.start("chain")] == [4, 5]
        with pytest.raises(ApiError):
            client.examples.start("a/b")
    assert len(server.seen[0].headers["idempotency-key"]) == 36


def test_a_real_server_answers_them():
    with cluster(gpus=2) as client:
        told = client.jobs.check(command="sleep 60", gpus=2, directory="/tmp")
        assert (told.ok, told.starts, told.node, told.gpu_ids) == (True, "now", "sim1", [0, 1])
        job = client.jobs.submit(command="sleep 60", gpus=2, directory="/tmp")
        assert client.jobs.command_line(job.id) == told.command_line
        assert client.jobs.check(command="x", gpus=1).starts == "later"
        keys = [example.key for example in client.examples.list()]
        assert "classifier" in keys
        (started,) = client.examples.start("shared-gpu")
        assert started.wait(60).job.state == "succeeded"
