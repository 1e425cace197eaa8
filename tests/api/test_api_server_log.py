"""The server's own log over HTTP: who may read it, live, and what never stands in it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx
import pytest

from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server-log") / "danlu", "--simulate", "1") as running:
        yield running


@pytest.fixture
def server(shared: LiveServer) -> Iterator[LiveServer]:
    yield shared
    shared.http.patch("/settings", json={"server_log_for_members": False})


@pytest.fixture(scope="module")
def member(shared: LiveServer) -> httpx.Client:
    return make_member(shared, "mo")


@pytest.fixture(scope="module")
def viewer(shared: LiveServer) -> httpx.Client:
    return make_member(shared, "vi", "viewer", account=False)


def entries(client: httpx.Client, **query: object) -> list[dict]:
    reply = client.get("/server/log", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()["entries"]


def open_door(server: LiveServer, is_open: bool = True) -> None:
    reply = server.http.patch("/settings", json={"server_log_for_members": is_open})
    assert reply.json()["server_log_for_members"] is is_open


def fail_to_log_in(server: LiveServer) -> None:
    """Has the server log a warning."""
    server.client().post("/auth/link", json={"code": "no such code"})


class Follower:
    """Reads a stream until it ends."""

    def __init__(self, client: httpx.Client, **options: object) -> None:
        self.events: list[tuple[str, dict]] = []
        self.ended = threading.Event()
        self._client, self._options = client, options
        threading.Thread(target=self._read, daemon=True).start()
        wait_until(lambda: self.events, what="the stream's hello")

    def _read(self) -> None:
        with self._client.stream("GET", "/server/log/follow", timeout=60, **self._options) as reply:  # type: ignore[arg-type]
            event = ""
            for line in reply.iter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self.events.append((event, json.loads(line.removeprefix("data: "))))
        self.ended.set()

    @property
    def entries(self) -> list[dict]:
        return [data for event, data in self.events if event == "entry"]


class TestReading:
    def test_an_entry_is_there_with_level_source_and_text(self, server):
        fail_to_log_in(server)
        last = entries(server.http, level="warning")[-1]
        assert (last["level"], last["source"]) == ("warning", "danlu.control.identity.access")
        assert "used or unknown link from 127.0.0.1" in last["text"]
        assert entries(server.http, level="error", text="unknown link") == []
        assert entries(server.http, text="UNKNOWN LINK")[-1] == last

    def test_it_is_paged_backwards(self, server):
        for _ in range(5):
            fail_to_log_in(server)
        whole = entries(server.http, limit=5000)
        found: list[dict] = []
        before = None
        while True:
            query = {"limit": 3, **({"before": before} if before else {})}
            page = server.http.get("/server/log", params=query).json()
            found = page["entries"] + found
            before = page["next"]
            if before is None:
                break
        assert found == whole

    def test_the_time_before_a_restart_is_remembered(self, server):
        fail_to_log_in(server)
        before = entries(server.http, level="warning")[-1]
        server.kill()
        server.start()
        again = entries(server.http, level="warning")
        assert before["id"] in [entry["id"] for entry in again]
        fail_to_log_in(server)
        assert entries(server.http, level="warning")[-1]["id"] > before["id"]

    @pytest.mark.parametrize(
        "query", [{"level": "loud"}, {"limit": 0}, {"limit": 10**6}, {"before": -1}, {"text": "a\nb"}]
    )
    def test_odd_questions_are_refused(self, server, query):
        assert server.http.get("/server/log", params=query).status_code == 422


class TestFollowing:
    def test_entries_come_as_they_are_written_and_only_those_wanted(self, server):
        wanted = Follower(server.http, params={"level": "warning", "text": "link"})
        errors = Follower(server.http, params={"level": "error"})
        fail_to_log_in(server)
        wait_until(lambda: wanted.entries, what="the entry")
        assert wanted.entries == entries(server.http, level="warning", text="link")[-1:]
        assert errors.entries == []

    def test_a_broken_stream_is_resumed_behind_the_last_id(self, server):
        for _ in range(3):
            fail_to_log_in(server)
        *_, first, second, third = entries(server.http, level="warning")
        follower = Follower(
            server.http, params={"level": "warning"}, headers={"Last-Event-ID": str(first["id"])}
        )
        wait_until(lambda: len(follower.entries) == 2, what="what was missed")
        assert follower.entries == [second, third]
        after = Follower(server.http, params={"level": "warning", "after": second["id"]})
        wait_until(lambda: after.entries, what="what was missed")
        assert after.entries == [third]


class TestRights:
    def test_members_read_it_only_while_the_setting_says_so(self, server, member, viewer):
        refused = member.get("/server/log")
        assert (refused.status_code, refused.json()["code"]) == (403, "server_log_closed")
        assert member.get("/server/log/follow").status_code == 403
        assert not member.get("/me").json()["may_read_server_log"]
        assert server.http.get("/me").json()["may_read_server_log"]
        open_door(server)
        assert member.get("/server/log").status_code == 200
        assert member.get("/me").json()["may_read_server_log"]
        assert viewer.get("/server/log").status_code == 403
        assert not viewer.get("/me").json()["may_read_server_log"]
        open_door(server, False)
        assert member.get("/server/log").status_code == 403

    def test_nobody_reads_it_who_is_not_signed_in(self, server):
        assert server.client().get("/server/log").status_code == 401
        assert server.client().get("/server/log/follow").status_code == 401

    def test_a_stream_ends_when_the_right_is_taken_away(self, server, member):
        open_door(server)
        follower = Follower(member)
        stays = Follower(server.http)
        open_door(server, False)
        assert follower.ended.wait(10)
        fail_to_log_in(server)
        wait_until(lambda: stays.entries, what="an administrator's entry")
        assert follower.entries == []

    def test_a_stream_ends_with_the_account_behind_it(self, server):
        open_door(server)
        gone = make_member(server, "gone")
        follower = Follower(gone)
        server.http.patch("/users/gone", json={"locked": True})
        assert follower.ended.wait(10)

    def test_a_stream_of_an_administrator_ends_with_the_role(self, server):
        open_door(server)
        chief = make_member(server, "chief", "admin")
        follower = Follower(chief)
        server.http.patch("/users/chief", json={"role": "member"})
        assert follower.ended.wait(10)

    def test_only_administrators_change_the_setting_and_it_is_recorded(self, server, member):
        assert member.patch("/settings", json={"server_log_for_members": True}).status_code == 403
        assert member.get("/settings").json()["server_log_for_members"] is False
        seen: list[tuple[str, dict]] = []

        def listen() -> None:
            with server.http.stream("GET", "/events", timeout=30) as reply:
                event = ""
                for line in reply.iter_lines():
                    if line.startswith("event: "):
                        event = line.removeprefix("event: ")
                    elif line.startswith("data: "):
                        seen.append((event, json.loads(line.removeprefix("data: "))))
                    if event == "settings.changed" and not line:
                        return

        listening = threading.Thread(target=listen, daemon=True)
        listening.start()
        wait_until(lambda: seen, what="the stream's hello")
        open_door(server)
        open_door(server)  # says nothing new
        listening.join(10)
        changed = [data for event, data in seen if event == "settings.changed"]
        assert [each["data"]["after"] for each in changed] == [{"server_log_for_members": True}]
        assert changed[0]["actor"] == server.http.get("/me").json()["name"]

    @pytest.mark.parametrize(
        "edit",
        [
            {"server_log_for_members": "perhaps"},
            {"auto_gpus": 0},
            {"stage_folder": "scratch"},
            {"stage_disk_percent": 101},
            {"other": 1},
            [],
            "x",
        ],
    )
    def test_odd_settings_are_refused(self, server, edit):
        assert server.http.patch("/settings", json=edit).status_code == 422


class TestSecrets:
    def test_what_people_send_is_in_no_entry(self, server, member):
        """Each kind of secret goes through the server in the way it usually does, right and wrong."""
        token = member.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
        code = server.http.post("/me/link").json()["url"].partition("#login=")[2]
        browser = server.client()
        csrf = browser.post("/auth/link", json={"code": code}).json()["csrf_token"]
        cookie = browser.cookies["danlu_session"]
        server.client().post("/auth/link", json={"code": code})
        server.client().post("/auth/token", json={"name": "mo", "password": "wrong secret"})
        server.client().post("/auth/login", json={"name": "second secret", "password": "mo"})
        server.client(token).get("/jobs")
        server.client(token + "x").get("/jobs")
        server.client().get(f"/jobs?token={token}")
        server.client().post("/jobs", content=b'{"command": "x", "variables": {"KEY": "my-own-key"')
        server.submit("true", variables={"PASSWORD": "my-own-key"})
        told = json.dumps(entries(server.http, level="debug", limit=5000)) + server.log()
        for secret in (
            token,
            code,
            csrf,
            cookie,
            server.token,
            "wrong secret",
            "second secret",
            "my-own-key",
        ):
            assert secret not in told

    def test_where_a_bug_came_from_is_for_administrators(self, server, member):
        server.stop()
        with (server.data / "server.log").open("a") as file:
            file.write(
                "2026-01-02 03:04:05,678 ERROR danlu.api.errors bug 0a1b2c3d in GET /api/v1/jobs\n"
                "Traceback (most recent call last):\n  private: python train.py --key\nValueError: /home/li\n"
            )
        server.start()
        open_door(server)
        whole = entries(server.http, text="0a1b2c3d")
        assert [entry["text"].splitlines()[-1] for entry in whole] == ["ValueError: /home/li"]
        with server.client(member.headers["authorization"].split()[1]) as mo:
            assert [entry["text"] for entry in entries(mo, text="0a1b2c3d")] == [
                "bug 0a1b2c3d in GET /api/v1/jobs"
            ]
            assert entries(mo, text="train.py") == []


def test_the_command_line_prints_follows_and_sets(server):
    fail_to_log_in(server)
    printed = server.cli("server-log", "--level", "warning", "-n", "1").stdout
    assert "danlu.control.identity.access" in printed
    assert "unknown link" in printed
    assert "off" in server.cli("settings").stdout
    assert "on" in server.cli("settings", "--server-log-for-members", "on").stdout
    set_so = json.loads(server.cli("settings", "--auto-gpus", "4", "--json").stdout)
    assert set_so == {
        "server_log_for_members": True,
        "default_gpus": 0,
        "auto_gpus": 4,
        "auto_nodes": 8,
        "stage_folder": "",
        "stage_disk_percent": 90,
        "events_days": 90,
        "audit_days": 0,
        "job_log_limit_mb": 0,
        "all_logs_limit_mb": 0,
        "limit_cpus": True,
        "limit_memory": True,
    }
    whole = json.loads(server.cli("server-log", "--json", "--text", "link").stdout)
    assert whole["entries"][-1]["level"] == "warning"
