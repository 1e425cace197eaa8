"""Logs by offset, by tail and live; any size, byte for byte."""

from __future__ import annotations

import base64
import contextlib
import json
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from danlu.sdk.connecting.log_records import LogPart, RecordReader
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("logs") / "danlu", "--simulate", "4") as running:
        yield running


def log(server: LiveServer, job_id: int, **query: object) -> httpx.Response:
    return server.http.get(f"/jobs/{job_id}/log", params=query)


def follow(server: LiveServer, job_id: int, **options: object) -> list[tuple[str, str | None, dict]]:
    """The events of a followed log until its end: (event, id, data)."""
    events = []
    with server.http.stream("GET", f"/jobs/{job_id}/log/follow", timeout=30, **options) as reply:
        assert reply.status_code == 200
        event: dict[str, str] = {}
        for line in reply.iter_lines():
            if line.startswith(":"):
                continue
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif event:
                events.append((event["event"], event.get("id"), json.loads(event["data"])))
                event = {}
    return events


def bytes_of(events: list[tuple[str, str | None, dict]]) -> bytes:
    return b"".join(base64.b64decode(data["base64"]) for kind, _, data in events if kind == "chunk")


def ended(server: LiveServer, command: str, **fields: object) -> int:
    job_id = server.submit(command, **fields)
    server.wait_ended(job_id)
    return job_id


def test_offsets_limits_and_tails(server):
    job_id = ended(server, "for i in $(seq 1 100); do echo line $i; done")
    whole = log(server, job_id).content
    assert whole.splitlines()[-1] == b"line 100"
    piece = log(server, job_id, offset=5, limit=3)
    assert (piece.content, piece.headers["x-log-next"]) == (whole[5:8], "8")
    assert log(server, job_id, offset=-9).content == b"line 100\n"
    assert log(server, job_id, lines=2).content == b"line 99\nline 100\n"
    assert log(server, job_id, lines=0).content == b""
    assert log(server, job_id, lines=5000).content == whole
    assert log(server, job_id, offset=10**9).content == b""


def test_bytes_are_bytes(server):
    job_id = ended(
        server, "head -c 200000 /dev/urandom | tee /tmp/danlu-test-random; printf '\\xff\\x00\\xfe'"
    )
    assert log(server, job_id).content[-3:] == b"\xff\x00\xfe"
    assert bytes_of(follow(server, job_id)) == log(server, job_id).content


def test_a_whole_log_comes_as_a_file(server):
    job_id = ended(server, "head -c 2500000 /dev/urandom")
    kept = server.http.get(f"/jobs/{job_id}/log/download")
    assert kept.headers["content-disposition"] == f'attachment; filename="job-{job_id}.log"'
    assert len(kept.content) == 2_500_000
    assert kept.content[-1000:] == log(server, job_id, offset=-1000).content


def test_stdout_and_stderr_apart_or_together(server, tmp_path):
    both = "echo out; echo err >&2"
    together = ended(server, both)
    assert log(server, together).content == b"out\nerr\n"
    assert server.http.get(f"/jobs/{together}/log/info").json()["merged"]
    apart = ended(
        server, both, directory=str(tmp_path), stdout="$JOB_ID-$JOB_NAME.out", stderr="e.txt", name="a/b"
    )
    assert log(server, apart, stream="stdout").content == b"out\n"
    assert log(server, apart, stream="stderr").content == b"err\n"
    assert (tmp_path / f"{apart}-a_b.out").read_text() == "out\n"
    again = ended(server, both, directory=str(tmp_path), stdout="e.txt", stderr="e.txt")
    assert (tmp_path / "e.txt").read_text() == "err\nout\nerr\n"
    assert log(server, again, lines=1).content == b"err\n"
    nothing = ended(server, both, stdout="/dev/null", stderr="/dev/null")
    info = server.http.get(f"/jobs/{nothing}/log/info").json()
    assert (info["discarded"], info["size"], log(server, nothing).content) == (True, 0, b"")


def test_following_from_before_the_start_to_the_end(server, tmp_path):
    go = tmp_path / "go"
    first = server.submit(f"while [ ! -e {go} ]; do sleep 0.02; done")
    second = server.submit("echo a; sleep 0.2; echo b; exit 3", after=[first])
    found: dict[str, list] = {}
    follower = threading.Thread(target=lambda: found.update(events=follow(server, second)))
    follower.start()
    time.sleep(0.2)
    go.touch()
    follower.join(30)
    assert bytes_of(found["events"]) == b"a\nb\n"
    kind, _, end = found["events"][-1]
    assert (kind, end["state"], end["exit_code"]) == ("end", "failed", 3)


def test_a_broken_stream_is_resumed_where_it_broke(server):
    job_id = ended(server, "seq 1 1000")
    whole = log(server, job_id).content
    resumed = follow(server, job_id, headers={"Last-Event-ID": "1000"})
    assert bytes_of(resumed) == whole[1000:]
    assert resumed[-2][1] == str(len(whole))


def test_each_attempt_keeps_its_log(server):
    job_id = ended(server, "echo attempt $DANLU_ATTEMPT; exit 1")
    server.http.patch(f"/jobs/{job_id}", json={"set": {"description": "again"}})
    wait_until(lambda: server.job(job_id)["job"]["attempt"] == 2)
    server.wait_ended(job_id)
    assert log(server, job_id, attempt=1).content == b"attempt 1\n"
    assert log(server, job_id).content == b"attempt 2\n"
    assert log(server, job_id, attempt=3).status_code == 404


def test_a_hole_in_a_log_is_passed_over_by_all_who_read(server, tmp_path):
    """`truncate -s 8T` on one's own log: all readers get the lines before and behind, and no zeros."""
    job_id = ended(server, "true", directory=str(tmp_path), stdout="o")
    with (tmp_path / "o").open("wb") as file:
        file.write(b"before\n".rjust(4096, b"."))
        file.truncate(8 << 40)
        file.seek(0, 2)
        file.write(b"a needle\nthe end\n")
    before = resident_mb(server)
    whole = b"before\n".rjust(4096, b".") + b"a needle\nthe end\n"
    assert log(server, job_id, lines=1).content == b"the end\n"
    assert log(server, job_id, lines=50).content == b"a needle\nthe end\n"
    assert log(server, job_id, offset=-8).content == b"the end\n"
    inside = log(server, job_id, offset=10**9)
    assert (inside.content, inside.headers["x-log-offset"]) == (b"a needle\nthe end\n", str(8 << 40))
    assert inside.headers["x-log-cut"] == f"4096-{8 << 40}"
    assert bytes_of(follow(server, job_id)) == whole
    assert server.http.get(f"/jobs/{job_id}/log/download").content == whole
    assert server.cli("logs", str(job_id)).stdout.encode() == whole
    for direction in ("forward", "backward"):
        query = {"text": "needle", "direction": direction}
        found = server.http.get(f"/jobs/{job_id}/log/search", params=query).json()
        assert ([each["text"] for each in found["matches"]], found["done"]) == (["a needle"], True)
    info = server.http.get(f"/jobs/{job_id}/log/info").json()
    assert (info["cut_at"], info["cut_to"]) == (4096, 8 << 40)
    assert resident_mb(server) - before < 150


def resident_mb(server: LiveServer) -> float:
    status = open(f"/proc/{server.process.pid}/status").read()  # noqa: SIM115, PTH123
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def test_many_followers_see_the_same(server):
    job_id = server.submit("for i in $(seq 1 300); do echo $i; sleep 0.003; done")
    found: list[bytes] = []
    followers = [
        threading.Thread(target=lambda: found.append(bytes_of(follow(server, job_id)))) for _ in range(8)
    ]
    for follower in followers:
        follower.start()
    for follower in followers:
        follower.join(60)
    assert found == [b"".join(b"%d\n" % n for n in range(1, 301))] * 8


def follow_records(server: LiveServer, job_id: int, **options: object) -> tuple[list[LogPart], bytes]:
    """The parts of a followed log in the format for programs, and its bytes."""
    reader, parts = RecordReader(), []
    options = {"params": {"format": "records"}, "timeout": 30, **options}
    with server.http.stream("GET", f"/jobs/{job_id}/log/follow", **options) as reply:
        assert reply.headers["content-type"] == "application/octet-stream"
        for piece in reply.iter_raw():
            parts += reader.feed(piece)
    return parts, b"".join(part.data for part in parts if part.kind == "chunk")


def test_records_carry_the_bytes_as_they_are(server):
    job_id = ended(server, "head -c 3000000 /dev/urandom; exit 4")
    whole = b"".join(log(server, job_id, offset=offset).content for offset in (0, 1 << 20, 2 << 20))
    parts, seen = follow_records(server, job_id)
    assert seen == whole
    assert (parts[-1].kind, parts[-1].facts["exit_code"]) == ("end", 4)
    _, rest = follow_records(server, job_id, headers={"Last-Event-ID": "1234567"})
    assert rest == whole[1234567:]
    refused = server.http.get(f"/jobs/{job_id}/log/follow", params={"format": "smoke"})
    assert refused.status_code == 422


def test_records_of_a_log_that_grows(server, tmp_path):
    go = tmp_path / "go"
    job_id = server.submit(f"echo a; while [ ! -e {go} ]; do sleep 0.02; done; echo b")
    wait_until(lambda: log(server, job_id).content == b"a\n")
    threading.Timer(0.1, go.touch).start()
    parts, seen = follow_records(server, job_id)
    assert (seen, parts[-1].facts["state"]) == (b"a\nb\n", "succeeded")


def test_who_reads_nothing_holds_back_nobody_and_misses_nothing(server):
    """More than the kernel's buffers take: the server waits for that one client, with a piece or two."""
    job_id = ended(server, "head -c 40000000 /dev/zero | tr '\\0' x", gpus=0)
    before = resident_mb(server)
    with contextlib.ExitStack() as stack:
        idle = [
            stack.enter_context(
                server.http.stream("GET", f"/jobs/{job_id}/log/follow", params={"format": "records"})
            )
            for _ in range(5)
        ]
        _, seen = follow_records(server, job_id)
        assert len(seen) == 40_000_000
        assert resident_mb(server) - before < 100
        reader = RecordReader()
        parts = [part for piece in idle[0].iter_raw() for part in reader.feed(piece)]
        assert sum(len(part.data) for part in parts) == 40_000_000
        assert parts[-1].kind == "end"


def test_who_is_locked_follows_no_longer_however_busy_the_log(server):
    ada = make_member(server, "ada", "admin", account=False)
    job_id = server.submit("while true; do echo line; sleep 0.005; done")
    began, ended = threading.Event(), threading.Event()

    def listen() -> None:
        with ada.stream("GET", f"/jobs/{job_id}/log/follow", timeout=30) as reply:
            for _ in reply.iter_lines():
                began.set()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    assert began.wait(20)
    assert not ended.is_set()
    server.http.patch("/users/ada", json={"locked": True})
    assert ended.wait(20)
    server.http.post(f"/jobs/{job_id}/cancel")
    server.wait_ended(job_id)


def read_events(server: LiveServer, until, **options: object) -> list[tuple[int, str, dict]]:
    events = []
    with server.http.stream("GET", "/events", timeout=20, **options) as reply:
        event: dict[str, str] = {}
        for line in reply.iter_lines():
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                event[name] = value
            elif event:
                events.append((int(event["id"]), event["event"], json.loads(event["data"])))
                event = {}
                if until(events):
                    return events
    raise AssertionError("the stream ended")


def test_the_stream_of_events_can_be_resumed_without_a_gap(server):
    first = ended(server, "true")
    all_of_it = server.http.get(f"/jobs/{first}/events").json()
    # A start and an end that come together are told as one.
    states = [e["data"].get("after") for e in all_of_it if e["data"].get("after") != "running"]
    assert states == [None, "starting", "succeeded"]
    seen = read_events(
        server, lambda events: events[-1][0] == all_of_it[-1]["id"], params={"after": all_of_it[0]["id"]}
    )
    assert [each[0] for each in seen[1:]] == [each["id"] for each in all_of_it[1:]]
    second = ended(server, "true")
    resumed = read_events(
        server,
        lambda events: events[-1][2].get("data", {}).get("after") == "succeeded",
        headers={"Last-Event-ID": str(seen[-1][0])},
    )
    assert {each[2]["job"] for each in resumed[1:]} == {second}


def test_a_live_stream_tells_what_happens_while_it_is_open(server, tmp_path):
    seen = tmp_path / "seen"

    def submit_soon() -> None:
        time.sleep(0.2)
        server.client(server.token).post(
            # Until it was seen running: a start and an end that come together are told as one.
            "/jobs",
            json={
                "command": f"until [ -e {seen} ]; do sleep 0.05; done",
                "directory": "/tmp",
                "name": "live",
            },
        )

    def has_ended(events) -> bool:
        after = events[-1][2].get("data", {}).get("after")
        if after == "running":
            seen.touch()
        return after == "succeeded"

    threading.Thread(target=submit_soon).start()
    events = read_events(server, has_ended)
    assert [kind for _, kind, _ in events] == [
        "hello",
        "job.submitted",
        "job.state",
        "job.state",
        "job.state",
    ]


class TestSearching:
    def search(self, client: httpx.Client, job_id: int, **query: object) -> dict:
        reply = client.get(f"/jobs/{job_id}/log/search", params=query)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def test_matches_have_their_place_and_their_line(self, server):
        job_id = ended(server, "printf 'first\\n训练 Needle 完成\\nlast needle\\n'")
        whole = log(server, job_id).content
        found = self.search(server.http, job_id, text="needle")
        assert (found["next"], found["done"], found["size"]) == (None, True, len(whole))
        first, second = found["matches"]
        assert first["text"] == "训练 Needle 完成"
        assert whole[first["offset"] :][: first["length"]] == b"Needle"
        assert whole[first["line_offset"] :].startswith("训练".encode())
        assert second["text"] == "last needle"
        exact = self.search(server.http, job_id, text="needle", ignore_case=False)
        assert exact["matches"] == [second]
        assert self.search(server.http, job_id, text="完成")["matches"][0]["text"] == first["text"]
        back = self.search(server.http, job_id, text="needle", direction="backward", limit=1)
        assert (back["matches"], back["done"]) == ([second], False)
        on = self.search(server.http, job_id, text="needle", direction="backward", offset=back["next"])
        assert (on["matches"], on["done"]) == ([first], True)

    def test_the_first_sign_of_trouble(self, server):
        job_id = ended(
            server, "echo fine; echo 'Traceback (most recent call last):'; echo 'ValueError: no' >&2"
        )
        found = self.search(server.http, job_id, kind="error")
        assert [match["text"] for match in found["matches"]] == [
            "Traceback (most recent call last):",
            "ValueError: no",
        ]
        printed = server.cli("logs", str(job_id), "--trouble").stdout
        assert printed == "5: Traceback (most recent call last):\n40: ValueError: no\n"
        assert server.cli("logs", str(job_id), "--search", "FINE").stdout == "0: fine\n"

    def test_while_it_grows(self, server, tmp_path):
        go = tmp_path / "go"
        job_id = server.submit(f"echo one needle; while [ ! -e {go} ]; do sleep 0.02; done; echo needle two")
        wait_until(lambda: self.search(server.http, job_id, text="needle")["matches"], what="the first")
        size = self.search(server.http, job_id, text="needle")["size"]
        go.touch()
        server.wait_ended(job_id)
        later = self.search(server.http, job_id, text="needle", offset=size)
        assert [match["text"] for match in later["matches"]] == ["needle two"]

    def test_rights_are_those_of_reading_it(self, server):
        job_id = ended(server, "echo needle")
        mia = make_member(server, "mia")
        refused = mia.get(f"/jobs/{job_id}/log/search", params={"text": "needle"})
        assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
        assert server.client().get(f"/jobs/{job_id}/log/search?text=x").status_code == 401
        assert server.http.get("/jobs/999999/log/search?text=x").status_code == 404

    @pytest.mark.parametrize(
        "query",
        [
            {},
            {"text": ""},
            {"text": "a\nb"},
            {"text": "x" * 201},
            {"text": "x", "limit": 0},
            {"text": "x", "direction": "up"},
            {"text": "x", "offset": 2**70},
            {"kind": "joy"},
        ],
    )
    def test_odd_questions_are_refused(self, server, query):
        job_id = server.submit("true")
        assert server.http.get(f"/jobs/{job_id}/log/search", params=query).status_code == 422

    def test_nothing_written_yet_and_nothing_kept(self, server):
        waiting = server.submit("echo x", hold=True)
        nothing = {"matches": [], "next": None, "done": True, "size": 0}
        assert self.search(server.http, waiting, text="x") == nothing
        discarded = ended(server, "echo x", stdout="/dev/null", stderr="/dev/null")
        assert self.search(server.http, discarded, text="x") == nothing


def test_times_tell_when_a_part_of_a_log_was_written(server, tmp_path):
    go = tmp_path / "go"
    job_id = server.submit(f"echo one; while [ ! -e {go} ]; do sleep 0.05; done; echo two", name="timed")
    server.wait_state(job_id, "running")

    def times(**query: object) -> dict:
        return server.http.get(f"/jobs/{job_id}/log/times", params=query).raise_for_status().json()

    seen = wait_until(
        lambda: [each for each in times()["times"] if each["offset"] == 4], what="its first line"
    )
    before = time.time()
    assert seen[0]["at"] < before
    go.touch()
    server.wait_ended(job_id)
    told = times()
    assert told["known"]
    assert [each["offset"] for each in told["times"]] == [0, 4, 8]
    assert told["times"][2]["at"] > seen[0]["at"]
    assert times(begin=5, end=8)["times"] == told["times"][1:]


def test_no_times_are_made_up_for_files_that_a_user_named(server, tmp_path):
    job_id = ended(server, "echo one", stdout=str(tmp_path / "mine.txt"))
    told = server.http.get(f"/jobs/{job_id}/log/times").json()
    assert told == {"known": False, "times": []}
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_times_are_for_who_may_read_the_log(server):
    job_id = ended(server, "echo one")
    other = make_member(server, "stranger")
    assert other.get(f"/jobs/{job_id}/log/times").status_code == other.get(f"/jobs/{job_id}/log").status_code
    assert other.get(f"/jobs/{job_id}/log/times").status_code in (403, 404)
