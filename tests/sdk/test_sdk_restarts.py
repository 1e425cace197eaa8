"""A server that is started again makes a new token for its data folder: who is connected goes on with it."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.sdk.client import Client
from danlu.sdk.connecting.profiles import Profile, profiles_path, read_profiles, write_profiles
from danlu.sdk.errors import ApiError
from tests.sdk.servers import Answer, RecordingServer, Seen, chunk, event, json_answer, problem

END = event("end", {"state": "succeeded", "end_reason": "completed", "exit_code": 0, "signal": None})
FOLLOW = "GET /jobs/5/log/follow"
VERSION = "GET /version"
ROW = {"name": "danlu", "version": "1", "api": "v1"}


class TokenServer(RecordingServer):
    """Takes one token at a time, and has it written into a data folder a moment after it starts to answer."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.token = ""
        self.refused = 0
        self.restart("first")

    def restart(self, token: str, *, written_after_s: float = 0.0) -> None:
        self.token = token
        if written_after_s:
            threading.Timer(written_after_s, self._announce).start()
        else:
            self._announce()

    def _announce(self) -> None:
        (self.folder / "local-token").write_text(f"{self.token}\n")
        (self.folder / "server.json").write_text(json.dumps({"url": self.url, "pid": os.getpid()}))

    def _say(self, seen: Seen) -> Answer | list[bytes]:
        if seen.headers.get("authorization") != f"Bearer {self.token}":
            self.refused += 1
            return problem("not_signed_in", 401, "You are not signed in.")
        return super()._say(seen)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TokenServer]:
    with TokenServer(tmp_path) as server:
        yield server


@pytest.fixture
def client(server: TokenServer) -> Iterator[Client]:
    with Client(data=server.folder, environment={}) as client:
        yield client


@pytest.mark.parametrize("written_after_s", [0.0, 0.5])
def test_a_long_lived_client_goes_on_with_the_new_token(server, client, written_after_s):
    server.on(VERSION, ROW)
    client.service.version()
    server.restart("second", written_after_s=written_after_s)
    assert client.service.version().version == "1"
    # The server is not asked again and again with a token that it does not know.
    assert server.refused <= 1


def test_what_may_not_be_done_twice_is_done_once_with_the_new_token(server, client):
    server.on(VERSION, ROW)
    server.on("POST /jobs/5/resubmit", {"id": 6}, status=201)
    client.service.version()
    server.restart("second", written_after_s=0.3)
    assert client.jobs.resubmit(5) == 6


def test_a_followed_log_goes_on_behind_the_restart(server, client):
    def begin(_: Seen) -> list[bytes]:
        server.restart("second", written_after_s=0.3)
        return [chunk(0, b"before ")]

    server.on(FOLLOW, begin, [chunk(7, b"after"), END])
    assert b"".join(client.jobs.follow(5, attempt=1)) == b"before after"


def test_the_lines_of_a_job_go_on_behind_the_restart(server, client):
    info = {"job": 5, "ref": "5", "attempt": 1, "stream": "stdout", "path": None, "size": 10}
    server.on("GET /jobs/5/log/info", {**info, "merged": False, "discarded": False, "ended": False})

    def begin(_: Seen) -> list[bytes]:
        server.restart("second", written_after_s=0.3)
        return [chunk(0, b"one\n")]

    server.on(FOLLOW, begin, [chunk(4, b"two\n"), END])
    assert list(client.job(5).logs(follow=True)) == ["one", "two"]


def test_events_go_on_behind_the_restart(server, client):
    row = {"at": 1.0, "kind": "job.state", "job": 5, "attempt": 1, "node": None, "actor": None, "data": {}}

    def begin(_: Seen) -> list[bytes]:
        server.restart("second", written_after_s=0.3)
        return [event("job.state", {**row, "id": 8}, 8)]

    server.on("GET /events", begin, [event("job.state", {**row, "id": 9}, 9)])
    events = client.service.events()
    assert [next(events).id, next(events).id] == [8, 9]


def test_a_lock_is_renewed_behind_the_restart(server, client):
    row = {"name": "l", "owner": "a", "fence": 3, "taken_at": 0.0}
    server.on("POST /locks/acquire", row)
    server.on("POST /locks/renew", row)
    server.on("POST /locks/release", {"held": True})
    with client.locks.acquire("l", lifetime_s=1.0) as held:
        server.restart("second", written_after_s=0.2)
        wait_until(lambda: len(server.asked("POST /locks/renew")) >= 3)
        assert not held.lost


def test_a_token_that_is_refused_for_good_is_said_soon(server, client):
    server.on(VERSION, ROW)
    server.token = "another server's"
    start = time.monotonic()
    with pytest.raises(ApiError) as refused:
        client.service.version()
    assert (refused.value.status, server.refused) == (401, 1)
    assert time.monotonic() - start < 10


def test_a_token_that_was_given_is_refused_at_once(server):
    server.on(VERSION, ROW)
    with Client(server.url, "wrong") as client, pytest.raises(ApiError):
        client.service.version()
    assert server.refused == 1


def test_who_logs_in_again_elsewhere_is_logged_in_here_too(server, tmp_path):
    home = {"HOME": str(tmp_path)}
    log_in(home, server.url, "first")
    server.on(VERSION, ROW)
    with Client(profile="lab", environment=home) as client:
        client.service.version()
        server.token = "second"
        log_in(home, server.url, "second")
        assert client.service.version().version == "1"


def test_a_profile_that_became_another_servers_is_not_followed_there(server, tmp_path):
    home = {"HOME": str(tmp_path)}
    log_in(home, server.url, "first")
    server.on(VERSION, ROW)
    with Client(profile="lab", environment=home) as client, RecordingServer() as other:
        client.service.version()
        log_in(home, other.url, "first")
        client.service.version()
        assert not other.seen


def log_in(home: dict[str, str], url: str, token: str) -> None:
    path = profiles_path(home)
    write_profiles(path, read_profiles(path).with_profile("lab", Profile(url, "li", token)))


@pytest.mark.parametrize(
    "away",
    [
        pytest.param(problem("stopping", 503), id="stopping"),
        pytest.param(problem("not_leading", 503), id="not-leading"),
        pytest.param(Answer(502, b"<html>Bad Gateway</html>"), id="behind-a-proxy"),
    ],
)
def test_a_server_on_its_way_down_or_up_is_waited_for(server, client, away):
    server.on(VERSION, json_answer(ROW), away, away, json_answer(ROW))
    client.service.version()
    assert client.service.version().version == "1"
    server.on(FOLLOW, [chunk(0, b"one ")], away, [chunk(4, b"two"), END])
    assert b"".join(client.jobs.follow(5, attempt=1)) == b"one two"


def test_what_the_server_cannot_do_at_all_is_not_waited_for(server, client):
    server.on(VERSION, json_answer(ROW), problem("disk_nearly_full", 503))
    client.service.version()
    with pytest.raises(ApiError):
        client.service.version()


def wait_until(true: Callable[[], Any]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
