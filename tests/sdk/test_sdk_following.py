"""Streams that outlive broken connections and restarted servers."""

from __future__ import annotations

import itertools
import json
import os
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.sdk.client import Client
from danlu.sdk.connecting.log_records import LogReader
from danlu.sdk.connecting.patience import Patience
from danlu.sdk.connecting.sse import EventReader, ServerEvent
from danlu.sdk.errors import ApiError, Unreachable
from tests.sdk.servers import RecordingServer, chunk, event, problem

END = event("end", {"state": "succeeded", "end_reason": "completed", "exit_code": 0, "signal": None})
FOLLOW = "GET /jobs/5/log/follow"


@pytest.fixture
def server():
    with RecordingServer() as server:
        yield server


def test_a_whole_log_and_its_end_arrive(server):
    server.on(FOLLOW, [b": heartbeat\n\n", chunk(0, b"\x00\xff"), chunk(2, "丹炉".encode()), END])
    following = Client(server.url).jobs.follow(5, attempt=2, stream="stderr")
    assert b"".join(following) == b"\x00\xff" + "丹炉".encode()
    assert following.end is not None
    assert (following.end.state, following.end.exit_code) == ("succeeded", 0)
    assert server.seen[0].query == {
        "attempt": "2",
        "rank": "0",
        "stream": "stderr",
        "offset": "0",
        "format": "records",
    }


def test_a_broken_stream_goes_on_behind_the_last_byte(server):
    server.on(FOLLOW, [chunk(0, b"one ")], [chunk(4, b"two ")], [chunk(8, b"three"), END])
    assert b"".join(Client(server.url).jobs.follow(5, attempt=1)) == b"one two three"
    assert [seen.headers["last-event-id"] for seen in server.seen] == ["0", "4", "8"]


def test_bytes_that_come_twice_are_written_once(server):
    server.on(FOLLOW, [chunk(0, b"one two ")], [chunk(0, b"one "), chunk(4, b"two three"), END])
    assert b"".join(Client(server.url).jobs.follow(5, attempt=1)) == b"one two three"


def test_an_event_cut_in_the_middle_is_taken_whole_the_next_time(server):
    whole = chunk(0, b"one ")
    server.on(FOLLOW, [whole[:20]], [whole, END])
    assert b"".join(Client(server.url).jobs.follow(5, attempt=1)) == b"one "


def test_a_stopping_server_is_waited_for_and_a_refusal_is_not(server):
    server.on(FOLLOW, [chunk(0, b"one ")], problem("stopping", 503), [chunk(4, b"two"), END])
    assert b"".join(Client(server.url).jobs.follow(5, attempt=1)) == b"one two"
    server.on(FOLLOW, [chunk(0, b"one ")], problem("no_such_job", 404))
    with pytest.raises(ApiError):
        list(Client(server.url).jobs.follow(5, attempt=1))


def test_without_an_attempt_the_latest_one_is_followed_and_no_later_one(server):
    info = {"job": 5, "ref": "5", "attempt": 3, "stream": "stdout", "path": None, "size": 10}
    server.on("GET /jobs/5/log/info", {**info, "merged": False, "discarded": False, "ended": False})
    server.on(FOLLOW, [chunk(6, b"tail")], [END])
    assert b"".join(Client(server.url).jobs.follow(5, offset=-4)) == b"tail"
    assert [seen.query["attempt"] for seen in server.asked(FOLLOW)] == ["3", "3"]
    assert server.asked(FOLLOW)[0].query["offset"] == "6"


def test_a_server_restarted_on_another_port_is_followed_there(tmp_path):
    def announce(server):
        (tmp_path / "server.json").write_text(json.dumps({"url": server.url, "pid": os.getpid()}))

    first, second = RecordingServer(), RecordingServer()
    first.on(FOLLOW, [chunk(0, b"before ")])
    second.on(FOLLOW, [chunk(7, b"after"), END])
    announce(first)
    client = Client(data=tmp_path, environment={})
    pieces = iter(client.jobs.follow(5, attempt=1))
    assert next(pieces) == b"before "
    first.close()
    (tmp_path / "server.json").unlink()
    timer = threading.Timer(0.3, announce, [second])
    timer.start()
    assert next(pieces) == b"after"
    timer.join()
    second.close()


def test_a_server_that_stays_away_is_given_up(server):
    server.on(FOLLOW, [chunk(0, b"one")])
    pieces = iter(Client(server.url, patience_s=0.2).jobs.follow(5, attempt=1))
    assert next(pieces) == b"one"
    server.close()
    start = time.monotonic()
    with pytest.raises(Unreachable):
        next(pieces)
    assert time.monotonic() - start < 5


def test_the_servers_own_events_arrive_from_where_one_was(server):
    row = {"id": 8, "at": 1.0, "kind": "job.state", "job": 5, "attempt": 1, "node": None, "actor": None}
    server.on("GET /events", [event("job.state", {**row, "data": {"to": "running"}}, 8)])
    first = next(iter(Client(server.url).service.events(after=7)))
    assert (first.id, first.job, first.data) == (8, 5, {"to": "running"})
    assert server.seen[0].query == {"after": "7"}
    assert server.seen[0].headers["last-event-id"] == "7"


@given(
    st.lists(st.tuples(st.sampled_from(["chunk", "end"]), st.text(max_size=40)), max_size=5),
    st.lists(st.integers(0, 400), max_size=8),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_events_are_the_same_however_the_bytes_are_cut(events, cuts, newline):
    raw = b": hello\n\n" + b"".join(event(kind, text, 3) for kind, text in events)
    raw = raw.replace(b"\n", newline)
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    reader = EventReader()
    found = [got for start, end in itertools.pairwise(edges) for got in reader.feed(raw[start:end])]
    assert found == [ServerEvent(kind, json.dumps(text), "3") for kind, text in events]


def record(offset: int, data: bytes) -> bytes:
    return json.dumps({"event": "chunk", "offset": offset, "length": len(data)}).encode() + b"\n" + data


END_RECORD = b'{"event": "end", "state": "failed", "end_reason": "failed", "exit_code": 3, "signal": null}\n'


def test_records_go_on_in_the_middle_of_a_chunk(server):
    whole = record(0, b"one\n{two}\n")
    server.on(FOLLOW, [b'{"event": "heartbeat"}\n', whole[:-5]], [record(5, b"two}\n"), END_RECORD])
    following = Client(server.url).jobs.follow(5, attempt=1)
    assert b"".join(following) == b"one\n{two}\n"
    assert following.end is not None
    assert following.end.exit_code == 3
    assert [seen.headers["last-event-id"] for seen in server.seen] == ["0", "5"]


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=5), st.lists(st.integers(0, 400), max_size=8))
def test_records_are_the_same_however_the_bytes_are_cut(chunks, cuts):
    offsets = [0, *itertools.accumulate(len(data) for data in chunks)]
    raw = b"".join(record(offset, data) for offset, data in zip(offsets, chunks, strict=False)) + END_RECORD
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    reader = LogReader()
    found = [got for start, end in itertools.pairwise(edges) for got in reader.feed(raw[start:end])]
    assert found.pop().facts["exit_code"] == 3
    assert b"".join(part.data for part in found) == b"".join(chunks)
    ends = [0, *itertools.accumulate(len(part.data) for part in found)]
    assert [part.offset for part in found] == ends[:-1]


def test_pauses_double_up_to_a_limit_and_start_again_after_a_success():
    now = [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    patience = Patience(10.0, clock=lambda: now[0], sleep=sleep)
    while patience.pause():
        pass
    assert slept[:6] == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0]
    assert sum(slept) == pytest.approx(10.0)
    patience.reset()
    assert patience.pause()
    assert slept[-1] == 0.1
