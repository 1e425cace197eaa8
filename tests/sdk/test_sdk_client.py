"""Requests as they arrive, and what becomes of answers that do not."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import danlu
from danlu.sdk.client import Client
from danlu.sdk.errors import ApiError, NotDanlu, Unreachable
from danlu.wire.jobs import JobEdit, JobFields
from tests.sdk.servers import Answer, DroppingServer, RecordingServer, json_answer, problem

PAGE = {"jobs": [], "next": None, "counts": {"waiting": 0, "running": 0, "history": 0}}
NODE = {
    "name": "n 1",
    "state": "up",
    "since": 0.0,
    "drained": True,
    "simulated": False,
    "runs_as_root": False,
    "cpus": 8,
    "cpus_used": 0,
    "memory_mb": 1,
    "memory_used_mb": 0,
    "gpus": [],
    "jobs": [],
}


@pytest.fixture
def server():
    with RecordingServer() as server:
        yield server


def a_closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_submission_carries_the_fields_the_token_the_language_and_a_key(server):
    server.on("POST /jobs", {"id": 7}, status=201)
    client = Client(server.url, "secret", language="zh")
    assert client.jobs.submit(JobFields(command="true", gpus=0, urgent=False)).id == 7
    (seen,) = server.seen
    assert seen.json == {"command": "true", "gpus": 0, "urgent": False}
    assert seen.headers["authorization"] == "Bearer secret"
    assert seen.headers["accept-language"] == "zh"
    assert len(seen.headers["idempotency-key"]) == 36


def test_a_submission_by_names_takes_jobs_for_their_ids(server):
    server.on("POST /jobs", {"id": 7}, status=201)
    client = Client(server.url)
    first = client.jobs.submit(command="true")
    client.jobs.submit({"command": "false"}, gpus=1, name=None, after=[first, 3], after_ok=[client.job(5)])
    assert server.seen[1].json == {"command": "false", "gpus": 1, "after": [7, 3], "after_ok": [5]}


def test_two_submissions_have_two_keys_and_a_named_key_is_kept(server):
    server.on("POST /jobs", {"id": 7}, status=201)
    client = Client(server.url)
    client.jobs.submit({"command": "true"})
    client.jobs.submit({"command": "true"})
    client.jobs.submit({"command": "true"}, key="mine")
    keys = [seen.headers["idempotency-key"] for seen in server.seen]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


def test_a_submission_whose_answer_was_lost_is_sent_again_with_the_same_key():
    with DroppingServer(drops=2) as server:
        server.on("POST /jobs", {"id": 7}, status=201)
        assert Client(server.url).jobs.submit({"command": "true"}).id == 7
        assert len(server.seen) == 3
        assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1


def test_a_request_that_may_not_be_sent_twice_is_not():
    with DroppingServer(drops=1) as server:
        with pytest.raises(Unreachable):
            Client(server.url).jobs.resubmit(1)
        assert len(server.seen) == 1


def test_patience_ends():
    with DroppingServer(drops=1000) as server:
        start = time.monotonic()
        with pytest.raises(Unreachable):
            Client(server.url, patience_s=0.3).service.version()
        assert time.monotonic() - start < 50
        assert len(server.seen) > 1


def test_a_server_that_never_answered_is_reported_at_once():
    start = time.monotonic()
    with pytest.raises(Unreachable) as gone:
        Client(f"http://127.0.0.1:{a_closed_port()}", patience_s=60).service.version()
    assert time.monotonic() - start < 50
    assert "refused" in gone.value.reason.lower()


def test_a_server_that_answered_before_is_waited_for():
    broken: list[str] = []
    first = RecordingServer()
    first.on("GET /version", {"name": "danlu", "version": "1", "api": "v1"})
    client = Client(first.url, on_break=broken.append)
    assert client.service.version().version == "1"
    first.close()
    client.close()

    def start_again() -> RecordingServer:
        return RecordingServer(
            first.port, rules={"GET /version": {"name": "danlu", "version": "2", "api": "v1"}}
        )

    servers: list[RecordingServer] = []
    timer = threading.Timer(0.3, lambda: servers.append(start_again()))
    timer.start()
    assert client.service.version().version == "2"
    timer.join()
    servers[0].close()
    assert broken


def test_reads_share_a_connection_and_changes_get_their_own(server):
    server.on("GET /jobs", PAGE)
    server.on("POST /jobs/1/resubmit", {"id": 2}, status=201)
    client = Client(server.url)
    client.jobs.list()
    client.jobs.list()
    client.jobs.resubmit(1)
    first, second, third = (seen.connection for seen in server.seen)
    assert first == second != third


def test_an_idle_connection_that_died_is_replaced(server):
    server.on("GET /jobs", lambda _: Answer(200, json_answer(PAGE).body, (("Connection", "keep-alive"),)))
    client = Client(server.url)
    client.jobs.list()
    server.drops = 1
    client.jobs.list()
    assert len(server.seen) == 3


def test_a_refusal_carries_the_problem(server):
    server.on("GET /jobs/9", problem("no_such_job", 404, "There is no job 9.", hint="danlu ps"))
    with pytest.raises(ApiError) as refused:
        Client(server.url).jobs.get(9)
    assert (refused.value.status, refused.value.problem.code) == (404, "no_such_job")
    assert refused.value.problem.hint == "danlu ps"


@pytest.mark.parametrize("status", [200, 502])
def test_something_that_is_not_danlu_is_noticed(server, status):
    server.on("GET /version", Answer(status, b"<html>hello</html>"))
    with pytest.raises(NotDanlu):
        Client(server.url).service.version()


def test_a_list_asks_only_what_was_said_and_pages_follow_each_other(server):
    server.on("GET /jobs", {**PAGE, "next": "c1"}, PAGE)
    assert list(Client(server.url).jobs.iterate(area="history", mine=True, limit=5)) == []
    first, second = server.seen
    assert first.query == {"area": "history", "mine": "true", "limit": "5"}
    assert second.query["cursor"] == "c1"


def test_an_edit_says_what_is_set_and_what_is_set_back(server):
    server.on("PATCH /me/defaults", {"gpus": 2})
    edit = JobEdit(set=JobFields(gpus=2), clear=["node"])
    assert Client(server.url).me.edit_defaults(edit) == JobFields(gpus=2)
    assert server.seen[0].json == {"set": {"gpus": 2}, "clear": ["node"]}


def test_names_in_paths_are_quoted(server):
    server.on("POST /nodes/n%201/gpus/3/drain", NODE)
    assert Client(server.url).nodes.drain("n 1", 3).drained


def test_a_deletion_says_what_becomes_of_successors(server):
    server.on("DELETE /jobs/1", {"deleted": [1, 2], "left": [3], "cancelled": []})
    gone = Client(server.url).jobs.delete(1, with_successors=True, running="leave")
    assert (gone.deleted, gone.left) == ([1, 2], [3])
    assert server.seen[0].query == {"with_successors": "true", "running": "leave"}


def test_a_log_is_read_in_pieces_up_to_where_it_ended_at_the_start(server):
    content = bytes(range(256)) * 10

    def piece(seen):
        offset = int(seen.query["offset"])
        data = content[offset : offset + min(1000, int(seen.query["limit"]))]
        places = (("X-Log-Offset", offset), ("X-Log-Next", offset + len(data)), ("X-Log-Size", len(content)))
        return Answer(200, data, tuple((name, str(value)) for name, value in places))

    server.on("GET /jobs/1/log", piece)
    jobs = Client(server.url).jobs
    assert b"".join(jobs.read_log(1)) == content
    # Lines by their bytes, over the ends of pieces; the last has no end of its own.
    for at, to, end in ((11, 1200, 1291), (2400, None, None), (9999, None, None)):
        assert b"".join(piece.data for piece in jobs.log_lines(1, at, to)) == content[at:end]


def test_the_package_itself_loads_nothing_until_it_is_asked():
    program = (
        "import sys, danlu\n"
        "print(*[name for name in sys.modules if name.startswith('danlu.')])\n"
        "from danlu import Client, JobFailed, JobFuture, JobHandle\n"
        "print(Client.__name__, 'cloudpickle' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "Client False"]


def test_the_package_has_what_its_stub_says():
    stub = ast.parse(Path(danlu.__file__).with_name("__init__.pyi").read_text())
    names = {name.asname for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert names == set(danlu._HOMES)
    assert all(getattr(danlu, name).__name__ == name for name in names)


def test_the_sdk_brings_no_heavy_libraries():
    heavy = "pydantic httpx sqlalchemy fastapi click asyncio"
    program = (
        "import sys, danlu.sdk.client, danlu.sdk.resources.submission\n"
        f"print(*[name for name in '{heavy}'.split() if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_many_jobs_are_acted_on_in_one_request(server):
    refusal = {"code": "wrong_state", "message": "No.", "field": None, "hint": None}
    server.on(
        "POST /jobs/actions",
        {
            "results": [
                {"ref": "12", "ok": True, "id": None, "problem": None},
                {"ref": "13[2]", "ok": False, "id": None, "problem": refusal},
            ]
        },
    )
    with Client(server.url) as client:
        done, refused = client.jobs.act("cancel", [12, "13[2]"])
    (seen,) = server.seen
    assert seen.json["jobs"] == ["12", "13[2]"]
    assert (done.ok, refused.ok) == (True, False)
    assert refused.problem is not None
    assert refused.problem.code == "wrong_state"


def test_a_log_is_searched_call_after_call_until_it_is_done(server):
    def match(offset: int) -> dict[str, object]:
        return {"offset": offset, "line_offset": offset, "length": 1, "text": "x"}

    def answer(seen):
        if "offset" not in seen.query:
            return json_answer({"matches": [match(1)], "next": 7, "done": False, "size": 9})
        return json_answer({"matches": [match(8)], "next": None, "done": True, "size": 9})

    server.on("GET /jobs/12/log/search", answer)
    with Client(server.url) as client:
        assert [found.offset for found in client.jobs.search_log(12, "x")] == [1, 8]
        assert [found.offset for found in client.jobs.search_log(12)] == [1, 8]
    first, second, trouble, _ = server.seen
    assert (first.query["text"], first.query["kind"], second.query["offset"]) == ("x", "text", "7")
    assert (trouble.query.get("text"), trouble.query["kind"]) == (None, "error")
