"""Locks and keys through the SDK: in jobs and outside, over lost answers and restarts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk.client import Client
from danlu.sdk.errors import ApiError, KeyChanged, LockHeld, LockLost
from danlu.sdk.in_job import locate_from_job
from tests.sdk.servers import DroppingServer, RecordingServer, problem
from tests.support.installation import LiveServer, live_server, wait_until

pytestmark = pytest.mark.e2e

KEY = "SHA256:" + "A" * 43
ROW = {"owner": "li", "name": "ckpt", "fence": 7, "taken_at": 1.0, "expires_at": None}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("sdk-locks") / "danlu", "--simulate", "2") as running:
        yield running


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with Client(data=server.data) as client:
        yield client


def in_job(server: RecordingServer, tmp_path: Path) -> Client:
    """A client as a job would have it, on a machine without any other server."""
    (tmp_path / "secret").write_text("job_1-1-ab")
    surroundings = {
        "HOME": str(tmp_path),
        "DANLU_SERVER": server.url,
        "DANLU_JOB_SECRET_FILE": str(tmp_path / "secret"),
    }
    return Client(environment=surroundings, patience_s=5)


def test_a_lock_is_held_by_one_at_a_time(client):
    with client.locks.acquire("ckpt") as held:
        with pytest.raises(LockHeld):
            client.locks.acquire("ckpt", wait=0)
        with pytest.raises(LockHeld):
            client.locks.acquire("ckpt", wait=0.05)
        (row,) = client.locks.list()
        assert (row.name, row.fence) == ("ckpt", held.fence)
    with client.locks.acquire("ckpt", wait=0) as again:
        assert again.fence > held.fence
    assert client.locks.list() == []


def test_threads_that_wait_for_each_other_count_right(server):
    seen, inside = [], threading.Semaphore(1)

    def work() -> None:
        with Client(data=server.data) as mine:
            for _ in range(3):
                with mine.locks.acquire("busy") as held:
                    assert inside.acquire(blocking=False)
                    seen.append(held.fence)
                    inside.release()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(seen) == 12
    assert seen == sorted(set(seen))


def test_a_lock_is_renewed_while_it_is_needed(client):
    # Long enough that a machine which stands still for a moment does not lose it.
    with client.locks.acquire("long", lifetime_s=6) as held:
        first = client.locks.list()[0].expires_at
        wait_until(lambda: client.locks.list()[0].expires_at > first + 3, what="two renewals")
        assert not held.lost


def test_who_has_lost_a_lock_is_told(client):
    held = client.locks.acquire("lost", lifetime_s=1)
    client.locks.take_away("lost")
    wait_until(lambda: held.lost, what="the loss")
    with pytest.raises(LockLost), held:
        pass
    with pytest.raises(ApiError) as refused:
        client.locks.take_away("lost")
    assert refused.value.problem.code == "no_such_lock"


def test_keys(client):
    assert client.kv.get("best") is None
    first = client.kv.put("best", "0.9", if_revision=0)
    second = client.kv.put("best", "0.93", if_revision=first.revision)
    with pytest.raises(KeyChanged):
        client.kv.put("best", "0.5", if_revision=first.revision)
    assert client.kv.get("best") == second
    assert [row.key for row in client.kv.list("be")] == ["best"]
    with pytest.raises(KeyChanged):
        client.kv.delete("best", if_revision=first.revision)
    assert client.kv.delete("best")
    assert not client.kv.delete("best")


SCRIPT = """
import danlu, os
from danlu import Client
with Client() as client, danlu.lock("ckpt") as fence:
    client.kv.put("fence", str(fence))
    client.kv.put("holder", str(client.locks.list()[0].job))
    open("{ready}", "w").close()
held = Client().locks.acquire("never released")
os.kill(os.getpid(), 9)
"""


def test_in_a_job_nothing_needs_to_be_set_up(server, client, tmp_path):
    """It takes locks by the job's own secret; what it does not give back is free when it has ended."""
    script = tmp_path / "job.py"
    script.write_text(SCRIPT.replace("{ready}", str(tmp_path / "ready")))
    job_id = server.submit(f"{sys.executable} {script}", variables={"HOME": str(tmp_path)})
    server.wait_ended(job_id)
    log = server.http.get(f"/jobs/{job_id}/log").text
    holder, fence = client.kv.get("holder"), client.kv.get("fence")
    assert holder is not None, log
    assert fence is not None, log
    assert holder.value == str(job_id)
    with client.locks.acquire("never released", wait=0) as mine:
        assert mine.fence > int(fence.value)


def test_a_lock_that_is_waited_for_survives_a_restart_of_the_server(server, client):
    first = client.locks.acquire("over a restart", lifetime_s=3600)
    granted = []

    def wait() -> None:
        with Client(data=server.data, patience_s=60) as other:
            granted.append(other.locks.acquire("over a restart").fence)

    waiting = threading.Thread(target=wait)
    waiting.start()
    server.stop()
    server.start()
    assert not granted
    assert client.locks.release("over a restart", first.fence)
    waiting.join(30)
    assert granted[0] > first.fence


class TestAgainstServersThatMisbehave:
    def test_the_same_wish_is_asked_again_under_the_same_name(self, tmp_path):
        with RecordingServer() as server:
            server.on(
                "POST /locks/acquire",
                problem("lock_held", 409),
                problem("stopping", 503),
                problem("lock_held_by_job", 409),
                ROW,
            )
            held = in_job(server, tmp_path).locks.acquire("ckpt")
            assert held.fence == 7
            asked = [seen.json for seen in server.asked("POST /locks/acquire")]
            assert len(asked) == 4
            assert len({each["holder"] for each in asked}) == 1
            assert {each["wait_s"] for each in asked} == {30.0}
            assert "lifetime_s" not in asked[0] or asked[0]["lifetime_s"] is None
            assert server.seen[0].headers["authorization"] == "Bearer job_1-1-ab"

    def test_an_answer_that_was_lost_is_asked_for_again(self, tmp_path):
        with DroppingServer(0) as server:
            server.on("GET /kv", [])
            server.on("POST /locks/acquire", ROW)
            client = in_job(server, tmp_path)
            client.kv.list()
            server.drops = 1
            assert client.locks.acquire("ckpt").fence == 7
            holders = {seen.json["holder"] for seen in server.asked("POST /locks/acquire")}
            assert len(holders) == 1

    def test_another_server_that_is_named_gets_its_own_token(self, tmp_path):
        with RecordingServer() as server, RecordingServer() as other:
            other.on("GET /kv", [])
            job = in_job(server, tmp_path)
            named = Client(other.url, "mine", environment=job._surroundings)
            assert named.kv.list() == []
            assert other.seen[0].headers["authorization"] == "Bearer mine"
            assert server.seen == []


def test_a_fingerprint_comes_with_the_address(tmp_path):
    (tmp_path / "secret").write_text("job_1-1-ab\n")
    place = {"DANLU_SERVER": f"https://n1:7322#{KEY}", "DANLU_JOB_SECRET_FILE": str(tmp_path / "secret")}
    locate = locate_from_job(place)
    assert locate is not None
    found = locate()
    assert (found.url, found.fingerprint, found.token) == ("https://n1:7322", KEY, "job_1-1-ab")
    assert locate_from_job({"DANLU_SERVER": "https://n1:7322"}) is None
