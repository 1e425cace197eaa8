"""Locks and keys over HTTP: who may, who waits, what a job's secret is good for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("locks") / "danlu", "--simulate", "2") as running:
        yield running


@pytest.fixture(scope="module")
def ada(server: LiveServer) -> httpx.Client:
    return make_member(server, "ada")


def acquire(client: httpx.Client, name: str, holder: str, **more: Any) -> httpx.Response:
    return client.post("/locks/acquire", json={"name": name, "holder": holder, **more})


def a_job_that_tells(server: LiveServer, path: Any) -> tuple[int, str]:
    """A running job and the secret that it was given."""
    job_id = server.submit(f'cat "$DANLU_JOB_SECRET_FILE" > {path}.new; mv {path}.new {path}; sleep 600')
    wait_until(path.exists, what="the secret")
    return job_id, path.read_text()


def test_a_lock_is_taken_waited_for_and_given_back(server):
    first = acquire(server.http, "ckpt", "a").json()
    refused = acquire(server.http, "ckpt", "b")
    assert (refused.status_code, refused.json()["code"]) == (409, "lock_held")
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(acquire(server.client(server.token), "ckpt", "b", wait_s=30))
    )
    waiting.start()
    body = {"name": "ckpt", "fence": first["fence"]}
    assert server.http.post("/locks/release", json=body).json() == {"held": True}
    assert server.http.post("/locks/release", json=body).json() == {"held": False}
    waiting.join(20)
    second = answers[0].json()
    assert second["fence"] > first["fence"]
    held = server.http.get("/locks").json()
    assert [(row["name"], row["fence"], row["job"]) for row in held] == [("ckpt", second["fence"], None)]
    assert server.http.delete("/locks", params={"name": "ckpt"}).status_code == 204
    lost = server.http.post("/locks/renew", json={"name": "ckpt", "fence": second["fence"]})
    assert (lost.status_code, lost.json()["code"]) == (409, "lock_not_held")


def test_one_that_is_not_renewed_is_free_after_its_time(server):
    first = acquire(server.http, "short", "a", lifetime_s=1).json()
    second = acquire(server.http, "short", "b", wait_s=30).json()
    assert second["fence"] > first["fence"]
    assert second["taken_at"] >= first["expires_at"]


def test_who_hangs_up_while_waiting_does_not_get_the_lock(server):
    first = acquire(server.http, "left", "a").json()
    impatient = httpx.Client(
        base_url=server.http.base_url, headers={"Authorization": f"Bearer {server.token}"}, timeout=0.3
    )
    with pytest.raises(httpx.ReadTimeout):
        acquire(impatient, "left", "b", wait_s=30)
    impatient.close()
    server.http.post("/locks/release", json={"name": "left", "fence": first["fence"]})
    assert acquire(server.http, "left", "c", wait_s=20).status_code == 200


def test_what_is_one_persons_is_nobody_elses(server, ada):
    server.http.put("/kv/value", params={"key": "mine"}, json={"value": "1"})
    acquire(server.http, "mine", "a")
    assert ada.get("/kv").json() == []
    missing = ada.get("/kv/value", params={"key": "mine"})
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_key")
    assert ada.get("/locks").json() == []
    assert ada.get("/locks", params={"all_owners": True}).status_code == 403
    owner = server.http.get("/me").json()["name"]
    refused = ada.delete("/locks", params={"name": "mine", "owner": owner})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_lock")
    acquire(ada, "hers", "b")
    assert {row["owner"] for row in server.http.get("/locks", params={"all_owners": True}).json()} >= {"ada"}
    assert server.http.delete("/locks", params={"name": "hers", "owner": "ada"}).status_code == 204
    assert server.client().get("/locks").status_code == 401


def test_keys_with_revisions(server, ada):
    place = {"params": {"key": "最好 /../ a?b#c"}}
    first = ada.put("/kv/value", json={"value": "0.9", "if_revision": 0}, **place).json()
    second = ada.put("/kv/value", json={"value": "0.93", "if_revision": first["revision"]}, **place).json()
    assert second["revision"] > first["revision"]
    late = ada.put("/kv/value", json={"value": "0.5", "if_revision": first["revision"]}, **place)
    assert (late.status_code, late.json()["code"], late.json()["field"]) == (
        409,
        "revision_differs",
        "if_revision",
    )
    assert ada.get("/kv/value", **place).json() == second
    (row,) = ada.get("/kv", params={"prefix": "最"}).json()
    assert (row["size"], row["revision"]) == (4, second["revision"])
    assert ada.delete("/kv/value", **place).json() == {"deleted": True}
    assert ada.delete("/kv/value", **place).json() == {"deleted": False}


@pytest.mark.parametrize(
    ("method", "path", "params", "body", "field"),
    [
        ("PUT", "/kv/value", {"key": ""}, {"value": "x"}, "key"),
        ("PUT", "/kv/value", {"key": "k" * 201}, {"value": "x"}, "key"),
        ("PUT", "/kv/value", {"key": "a\nb"}, {"value": "x"}, "key"),
        ("PUT", "/kv/value", {"key": "k"}, {"value": "a\0b"}, "value"),
        ("PUT", "/kv/value", {"key": "k"}, {"value": "丹" * 30_000}, "value"),
        ("PUT", "/kv/value", {"key": "k"}, {"value": "x", "if_revision": -1}, "if_revision"),
        ("POST", "/locks/acquire", {}, {"name": "", "holder": "a"}, "name"),
        ("POST", "/locks/acquire", {}, {"name": "k", "holder": ""}, "holder"),
        ("POST", "/locks/acquire", {}, {"name": "k", "holder": "a", "wait_s": 31}, "wait_s"),
        ("POST", "/locks/acquire", {}, {"name": "k", "holder": "a", "lifetime_s": 0}, "lifetime_s"),
        ("POST", "/locks/release", {}, {"name": "k", "fence": 0}, "fence"),
    ],
)
def test_bad_input_is_named(server, method, path, params, body, field):
    reply = server.http.request(method, path, params=params, json=body)
    assert (reply.status_code, reply.json()["field"]) == (422, field)


def test_a_jobs_secret_is_good_for_locks_and_keys_alone(server, tmp_path):
    job_id, secret = a_job_that_tells(server, tmp_path / "secret")
    job = server.client(secret)
    assert job.put("/kv/value", params={"key": "from the job"}, json={"value": "1"}).status_code == 200
    assert server.http.get("/kv/value", params={"key": "from the job"}).json()["value"] == "1"
    lock = acquire(job, "of the job", "a").json()
    assert (lock["job"], lock["attempt"], lock["expires_at"]) == (str(job_id), 1, None)
    elsewhere = [
        ("GET", "/jobs"),
        ("GET", f"/jobs/{job_id}"),
        ("GET", f"/jobs/{job_id}/log"),
        ("POST", "/jobs"),
        ("GET", "/me"),
        ("POST", "/me/tokens"),
        ("GET", "/users"),
        ("GET", "/events"),
        ("GET", "/nodes"),
        ("DELETE", "/locks?name=x"),
        ("GET", "/locks?all_owners=true"),
        ("POST", "/auth/logout"),
    ]
    for method, path in elsewhere:
        reply = job.request(method, path, json={"name": "t"} if method == "POST" else None)
        assert (reply.status_code, reply.json()["code"]) == (403, "job_secret_elsewhere"), path
    assert secret not in server.log()
    assert secret not in server.http.get(f"/jobs/{job_id}").text
    server.http.post(f"/jobs/{job_id}/cancel")
    server.wait_ended(job_id)
    over = job.get("/kv")
    assert (over.status_code, over.json()["code"]) == (401, "attempt_over")
    assert acquire(server.http, "of the job", "b").json()["fence"] > lock["fence"]
