"""A file that the user named is appended to, run after run: each attempt's log is what it wrote itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.test_api_logs import bytes_of, ended, follow, log
from tests.support.installation import LiveServer, live_server, wait_until

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("parts") / "danlu", "--simulate", "4") as running:
        yield running


def run_again(server: LiveServer, job_id: int) -> None:
    attempt = server.job(job_id)["job"]["attempt"]
    server.http.patch(f"/jobs/{job_id}", json={"set": {"description": f"after {attempt}"}})
    wait_until(lambda: server.job(job_id)["job"]["attempt"] == attempt + 1)
    server.wait_ended(job_id)


def test_each_attempt_and_each_job_has_its_own_part(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("long before\n")
    first = ended(server, "echo attempt $DANLU_ATTEMPT", directory=str(tmp_path), stdout="o")
    run_again(server, first)
    other = ended(server, "echo another job, 1 needle", directory=str(tmp_path), stdout="o")
    assert (tmp_path / "o").read_text() == "long before\nattempt 1\nattempt 2\nanother job, 1 needle\n"
    assert log(server, first, attempt=1).content == b"attempt 1\n"
    assert log(server, first).content == b"attempt 2\n"
    assert log(server, other).content == b"another job, 1 needle\n"
    assert log(server, first, stream="stderr").content == b"attempt 2\n"
    assert log(server, first, attempt=1, lines=5).content == b"attempt 1\n"
    assert log(server, first, attempt=1, offset=-4).content == b"t 1\n"
    assert log(server, first, attempt=1, offset=8).content == b"1\n"
    assert server.cli("logs", str(first), "--attempt", "1").stdout == "attempt 1\n"
    assert server.http.get(f"/jobs/{first}/log/download", params={"attempt": 1}).content == b"attempt 1\n"
    assert bytes_of(follow(server, first, params={"attempt": 1})) == b"attempt 1\n"
    info = server.http.get(f"/jobs/{first}/log/info", params={"attempt": 2}).json()
    assert (info["begins_at"], info["size"], info["replaced"]) == (22, 10, False)
    for direction in ("forward", "backward"):
        query = {"text": "1", "attempt": 1, "direction": direction}
        found = server.http.get(f"/jobs/{first}/log/search", params=query).json()
        assert [(each["offset"], each["text"]) for each in found["matches"]] == [(8, "attempt 1")]
        assert found["done"]
        assert found["size"] == 10


def test_following_begins_where_the_attempt_does(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("of another time\n" * 1000)
    go = tmp_path / "go"
    before = server.submit(f"while [ ! -e {go} ]; do sleep 0.02; done", gpus=0)
    job_id = server.submit(
        "echo one; sleep 0.2; echo two", directory=str(tmp_path), stdout="o", after=[before], gpus=0
    )
    found: dict[str, list] = {}
    follower = threading.Thread(target=lambda: found.update(events=follow(server, job_id)))
    follower.start()
    go.touch()
    follower.join(60)
    assert bytes_of(found["events"]) == b"one\ntwo\n"


def test_two_files_have_a_part_each(server: LiveServer, tmp_path: Path) -> None:
    for name in ("o", "e"):
        (tmp_path / name).write_text(f"old {name}\n")
    job_id = ended(server, "echo out; echo err >&2", directory=str(tmp_path), stdout="o", stderr="e")
    assert log(server, job_id).content == b"out\n"
    assert log(server, job_id, stream="stderr").content == b"err\n"


def test_what_was_truncated_or_replaced_is_shown_whole_and_said(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("before\n")
    job_id = ended(server, "echo mine", directory=str(tmp_path), stdout="o")
    assert log(server, job_id).content == b"mine\n"
    (tmp_path / "o").write_text("new\n")
    reply = log(server, job_id)
    assert (reply.content, reply.headers["x-log-replaced"]) == (b"new\n", "true")
    (tmp_path / "other").write_text("another file, which is longer\n")
    (tmp_path / "other").rename(tmp_path / "o")
    assert log(server, job_id, lines=1).content == b"another file, which is longer\n"
    assert server.http.get(f"/jobs/{job_id}/log/info").json()["replaced"]
    shown = server.cli("logs", str(job_id))
    assert shown.stdout == "another file, which is longer\n"
    assert "replaced after" in shown.stderr
    found = server.http.get(f"/jobs/{job_id}/log/search", params={"text": "longer"}).json()
    assert [each["offset"] for each in found["matches"]] == [23]
