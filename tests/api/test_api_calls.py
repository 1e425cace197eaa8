"""Calls and results over HTTP: whose they are, how large, and what is refused."""

from __future__ import annotations

import hashlib
import http.client
import itertools
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from danlu.control.calls.call_files import LARGEST_UNUSED
from danlu.sdk.client import Client
from danlu.wire.calls import LARGEST_CALL
from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("calls") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture
def bo(server: LiveServer) -> httpx.Client:
    return make_member(server, f"bo{next(NUMBERS)}")


@pytest.fixture
def finished(server: LiveServer) -> int:
    """A function of the administrator's that has come to its end."""
    with Client(server.url, server.token) as client:
        future = client.submit(pow, 2, 10)
        assert future.result(60) == 1024
        return int(future.job.id)


def store(client: httpx.Client, data: bytes = b"a call") -> str:
    reply = client.post("/calls", content=data)
    assert reply.status_code == 201, reply.text
    assert reply.json() == {"digest": hashlib.sha256(data).hexdigest(), "size": len(data)}
    return str(reply.json()["digest"])


def test_a_call_is_the_users_who_stored_it(server, bo):
    digest = store(bo)
    fields = {"command": "true", "call": digest, "hold": True}
    assert bo.post("/jobs", json=fields).status_code == 201
    refused = server.http.post("/jobs", json=fields)
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (
        422,
        "no_such_call",
        "call",
    )


@pytest.mark.parametrize(
    "name", ["", "../../local-token", "A" * 64, "0" * 63, "0" * 65, "/etc/passwd", "０" * 64]
)
def test_a_call_is_named_by_a_digest_and_nothing_else(server, name):
    refused = server.http.post("/jobs", json={"command": "true", "call": name})
    assert (refused.status_code, refused.json()["field"]) == (422, "call")


def test_nobody_comes_in_without_a_token(server, finished):
    stranger = server.client()
    assert stranger.post("/calls", content=b"x").status_code == 401
    assert stranger.get(f"/jobs/{finished}/result").status_code == 401


def test_who_may_only_look_can_store_nothing(server):
    viewer = make_member(server, f"viv{next(NUMBERS)}", "viewer")
    refused = viewer.post("/calls", content=b"x")
    assert (refused.status_code, refused.json()["code"]) == (403, "viewers_only_look")


def test_more_than_ordinary_requests_may_have_is_taken_and_too_much_is_not(server):
    store(server.http, b"x" * (5 << 20))
    parts = urlsplit(server.url)
    asking = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    asking.putrequest("POST", "/api/v1/calls")
    asking.putheader("Content-Length", str(LARGEST_CALL + 1))
    asking.endheaders()
    assert asking.getresponse().status == 413
    assert server.http.post("/jobs", content=b"x" * (5 << 20)).status_code == 413


@pytest.mark.parametrize(
    ("language", "remedy"), [("en", "Submit jobs that use them"), ("zh", "请提交使用这些函数的任务")]
)
def test_who_stored_too_much_that_no_job_names_is_told_what_to_do(server, bo, language, remedy):
    digest = store(bo)
    name = bo.get("/me").json()["name"]
    os.truncate(server.data / "calls" / name / digest, LARGEST_UNUSED)
    # More than fits into the buffers on the way: who is refused is still sending.
    refused = bo.post("/calls", content=b"x" * (32 << 20), headers={"Accept-Language": language})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_calls")
    assert remedy in refused.json()["hint"]
    assert bo.post("/jobs", json={"command": "true", "call": digest, "hold": True}).status_code == 201
    store(bo, b"another call")


def test_a_result_is_its_owners(server, bo, finished):
    whole = server.http.get(f"/jobs/{finished}/result")
    assert (whole.status_code, whole.headers["content-type"]) == (200, "application/octet-stream")
    assert int(whole.headers["content-length"]) == len(whole.content)
    assert server.http.get(f"/jobs/{finished}/result", params={"attempt": 1}).content == whole.content
    refused = bo.get(f"/jobs/{finished}/result")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")


def test_what_has_no_result_says_why(server):
    plain = server.submit("true")
    server.wait_ended(plain)
    held = server.submit("true", hold=True, call=store(server.http))
    running = server.submit("sleep 60", call=store(server.http), grace_s=0)
    server.wait_state(running, "running")
    silent = server.submit("true", call=store(server.http))
    server.wait_ended(silent)
    answers = {}
    for job_id in (plain, held, running, silent, 999_999):
        reply = server.http.get(f"/jobs/{job_id}/result")
        answers[job_id] = (reply.status_code, reply.json()["code"])
    assert list(answers.values()) == [
        (404, "no_result"),
        (404, "no_result"),
        (409, "result_not_yet"),
        (404, "no_result"),
        (404, "no_such_job"),
    ]
    reply = server.http.get(f"/jobs/{plain}/result", params={"attempt": 7})
    assert (reply.status_code, reply.json()["code"]) == (404, "no_such_attempt")
    server.http.post(f"/jobs/{running}/cancel")


def test_others_see_neither_the_call_nor_the_command(server, bo, finished):
    assert server.job(finished)["fields"]["call"]
    assert bo.get(f"/jobs/{finished}").json()["fields"] is None
    assert server.cli("show", str(finished)).returncode == 0
