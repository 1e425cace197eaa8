"""Answers that are handed out again: never to another user, never when something has changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import httpx
import pytest

from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("answers") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture
def bo(server: LiveServer) -> httpx.Client:
    return make_member(server, f"bo{next(NUMBERS)}")


def submit(client: httpx.Client, **fields: object) -> int:
    reply = client.post("/jobs", json={"command": "true", "directory": "/tmp", "hold": True, **fields})
    assert reply.status_code == 201, reply.text
    return int(reply.json()["id"])


def test_what_one_has_just_done_is_in_the_next_answer(server):
    for _ in range(20):
        before = server.http.get("/jobs").json()["counts"]["waiting"]
        job = submit(server.http)
        page = server.http.get("/jobs").json()
        assert (page["jobs"][0]["id"], page["counts"]["waiting"]) == (job, before + 1)
        assert server.http.get(f"/jobs/{job}").json()["job"]["state"] == "held"
        server.http.post(f"/jobs/{job}/cancel")
        assert server.http.get(f"/jobs/{job}").json()["job"]["state"] == "cancelled"


def test_an_answer_is_its_askers_alone(server, bo):
    job = submit(server.http, command="echo secret")
    for _ in range(3):
        assert server.http.get(f"/jobs/{job}").json()["fields"]["command"] == "echo secret"
        assert bo.get(f"/jobs/{job}").json()["fields"] is None
    mine = submit(bo)
    for _ in range(3):
        assert [row["id"] for row in bo.get("/jobs", params={"mine": True}).json()["jobs"]] == [mine]
        listed = [row["id"] for row in server.http.get("/jobs", params={"mine": True}).json()["jobs"]]
        assert job in listed
        assert mine not in listed


def test_languages_and_questions_are_kept_apart(server):
    job = submit(server.http)
    for _ in range(2):
        english = server.http.get(f"/jobs/{job}", headers={"Accept-Language": "en"}).json()["message"]
        chinese = server.http.get(f"/jobs/{job}", headers={"Accept-Language": "zh"}).json()["message"]
        assert english.isascii()
        assert not chinese.isascii()
        assert len(server.http.get("/jobs", params={"limit": 1}).json()["jobs"]) == 1
        assert len(server.http.get("/jobs", params={"limit": 2}).json()["jobs"]) == 2


def test_who_was_locked_out_gets_no_answer_from_before(server, bo):
    name = bo.get("/me").json()["name"]
    for _ in range(3):
        assert bo.get("/jobs").status_code == 200
    assert server.http.patch(f"/users/{name}", json={"locked": True}).status_code == 200
    assert bo.get("/jobs").status_code in (401, 403)
    assert bo.get("/status").status_code in (401, 403)


def test_without_a_secret_or_with_a_wrong_one_there_is_no_answer(server):
    server.http.get("/jobs")
    with server.client("danlu_wrong") as wrong:
        assert wrong.get("/jobs").status_code == 401
    with httpx.Client(base_url=str(server.http.base_url)) as stranger:
        assert stranger.get("jobs").status_code == 401
