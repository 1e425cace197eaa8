"""One thread follows the events of jobs, for all futures."""

from __future__ import annotations

import threading

import pytest

from danlu.sdk.client import Client
from danlu.sdk.watching import JobWait, Watcher
from tests.sdk.servers import RecordingServer, event, problem

PATIENCE_S = 30.0


@pytest.fixture
def server():
    with RecordingServer() as server:
        yield server


def test_who_missed_an_end_that_is_not_told_any_more_asks_for_it(server):
    """The stream is resumed behind events that were removed meanwhile, and one of them was the end."""
    waits = threading.Event()

    def break_off_later(_):
        waits.wait(PATIENCE_S)
        return [event("hello", {"after": 7, "reset": False}, 7)]

    hello = event("hello", {"after": 7, "reset": False}, 7)
    reset = event("hello", {"after": 7, "reset": True}, 7)
    server.on("GET /events", [hello], break_off_later, [reset], [hello])
    # The first question fails: it is asked again with the next connection.
    server.on("GET /jobs/5", problem("stopping", 503), {"job": {"state": "succeeded"}})
    server.on("GET /jobs/6%5B2%5D", {"job": {"state": "running"}})
    watcher = Watcher(Client(server.url, patience_s=PATIENCE_S).api)
    watcher.start()
    with JobWait(watcher, 5) as ended, JobWait(watcher, "6[2]") as running, JobWait(watcher, 7) as deleted:
        waits.set()
        assert ended.wait(PATIENCE_S)
        assert deleted.wait(PATIENCE_S)
        assert not running.wait(0)
    watcher.close()


def test_who_follows_all_events_is_told_that_some_are_gone(server):
    row = {"id": 9, "at": 1.0, "kind": "job.state", "job": 5, "attempt": 1, "node": None, "actor": None}
    hello = event("hello", {"after": 7, "reset": True}, 7)
    server.on("GET /events", [hello, event("job.state", {**row, "data": {}}, 9)])
    told: list[str] = []
    first = next(iter(Client(server.url).service.events(after=7, on_reset=lambda: told.append("reset"))))
    assert (first.id, told) == (9, ["reset"])


def test_an_event_of_a_kind_that_only_a_newer_server_knows_is_passed_over(server):
    row = {
        "id": 8,
        "at": 1.0,
        "kind": "job.dreamt",
        "job": 5,
        "attempt": 1,
        "node": None,
        "actor": None,
        "data": {},
    }
    known = {**row, "id": 9, "kind": "job.state"}
    server.on("GET /events", [event("job.dreamt", row, 8), event("job.state", known, 9)])
    assert next(iter(Client(server.url).service.events())).id == 9
