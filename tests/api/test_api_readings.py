"""What the nodes are doing, over HTTP: rows, history, a job's own GPUs, and the stream that tells of it."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from danlu import __version__
from danlu.sdk.client import Client
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e

NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("readings") / "danlu", "--simulate", "2x2") as running:
        yield running


@pytest.fixture
def running(server: LiveServer) -> Iterator[int]:
    """A job that runs on a GPU of sim1."""
    job_id = server.submit("sleep 120", gpus=1, node="sim1")
    server.wait_state(job_id, "running")
    yield job_id
    server.http.post(f"/jobs/{job_id}/cancel")
    server.wait_ended(job_id)


class Stream:
    """An open stream of events, read by a thread of its own."""

    def __init__(self, client: httpx.Client, **query: Any) -> None:
        self.events: list[tuple[str, str | None, Any]] = []
        self.ended = threading.Event()
        self._client = client
        self._query = query
        self._reply: httpx.Response | None = None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(httpx.HTTPError, RuntimeError), self._open() as self._reply:
            fields: dict[str, str] = {}
            for line in self._reply.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "event" in fields:
                    self.events.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
                    fields = {}
        self.ended.set()

    def _open(self) -> Any:
        return self._client.stream("GET", "/events", params=self._query, timeout=60)

    def named(self, name: str) -> list[Any]:
        return [data for kind, _, data in list(self.events) if kind == name]

    def first(self, name: str) -> Any:
        return wait_until(lambda: self.named(name), 30, f"a `{name}` event")[0]

    def until(self, question: Any, what: str = "it") -> Any:
        return wait_until(question, 30, what)


def gpu(node: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return next(each for each in node["gpus"] if each["index"] == index)


def test_a_node_says_how_busy_it_is(server, running):
    row = wait_until(lambda: next((n for n in server.http.get("/nodes").json() if n["usage"]), None))
    usage = row["usage"]
    assert 0 <= usage["cpu_percent"] <= 100
    assert 0 < usage["memory_used_mb"] <= usage["memory_total_mb"]
    assert {disk["path"] for disk in usage["disks"]} >= {"/"}
    busy = wait_until(lambda: gpu(server.http.get("/nodes/sim1").json())["load"])
    assert 0 < busy <= 100
    assert gpu(server.http.get("/nodes/sim1").json())["processes"][0]["job"] == running
    assert gpu(server.http.get("/nodes/sim2").json())["load"] == 0


def test_the_last_hour_of_a_node_in_columns(server, running):
    def past() -> dict[str, Any] | None:
        history = server.http.get("/nodes/sim1/history").json()
        return history if any(history["gpus"][0]["load"]) else None

    history = wait_until(past, what="a busy sample")
    assert history["node"] == "sim1"
    length = len(history["times"])
    assert history["times"] == sorted(history["times"])
    for name in ("cpu_percent", "memory_used_mb", "network_in_bytes_s", "network_out_bytes_s"):
        assert len(history[name]) == length
    for card in history["gpus"]:
        assert {len(card[name]) for name in ("load", "used_mb", "temperature_c", "power_w")} == {length}
    assert [card["index"] for card in history["gpus"]] == [0, 1]
    recent = server.http.get("/nodes/sim1/history", params={"seconds": 1}).json()
    assert len(recent["times"]) < length


def test_a_job_has_the_history_of_its_own_gpus_from_its_start(server, running):
    def seen() -> dict[str, Any] | None:
        found = server.http.get(f"/jobs/{running}/usage").json()
        return found if found["gpus"] and any(found["gpus"][0]["load"]) else None

    usage = wait_until(seen, what="a busy sample of the job")
    job = server.job(running)["job"]
    assert usage["node"] == "sim1"
    assert [(card["index"], card["memory_mb"]) for card in usage["gpus"]] == [(job["gpu_ids"][0], 24_576)]
    assert all(at >= job["started_at"] for at in usage["times"])
    assert len(usage["gpus"][0]["used_mb"]) == len(usage["times"])


def test_a_job_that_never_ran_or_has_no_gpu_has_no_history(server):
    waiting = server.submit("true")
    server.wait_ended(waiting)
    usage = server.http.get(f"/jobs/{waiting}/usage").json()
    assert (usage["node"], usage["gpus"]) == (server.job(waiting)["job"]["node"], [])
    server.http.patch("/scheduling", json={"paused": True})
    try:
        held = server.submit("true", gpus=1)
        assert server.http.get(f"/jobs/{held}/usage").json() == {"node": None, "times": [], "gpus": []}
    finally:
        server.http.patch("/scheduling", json={"paused": False})
    server.wait_ended(held)
    assert server.http.get(f"/jobs/{held}/usage").json()["node"] is not None


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nodes/nowhere/history", 404, "no_such_node"),
        ("/jobs/99999/usage", 404, "no_such_job"),
        ("/jobs/x/usage", 422, None),
        ("/nodes/sim1/history?seconds=0", 422, None),
        ("/nodes/sim1/history?seconds=99999", 422, None),
        ("/jobs/1/usage?seconds=nan", 422, None),
        ("/events?readings=perhaps", 422, None),
    ],
)
def test_what_makes_no_sense_is_refused(server, path, status, code):
    reply = server.http.get(path)
    assert reply.status_code == status, reply.text
    assert code in (None, reply.json()["code"])


def test_everybody_who_is_signed_in_may_look_and_nobody_else(server, running):
    member = make_member(server, f"ada{next(NUMBERS)}")
    for path in ("/nodes/sim1/history", f"/jobs/{running}/usage"):
        assert member.get(path).status_code == 200
        assert server.client().get(path).status_code == 401
    stream = Stream(member, readings=True)
    node = next(each for each in stream.first("readings")["nodes"] if each["name"] == "sim1")
    assert "sleep" not in json.dumps(node), "a command is its owner's"


def test_the_client_knows_them(server, running):
    with Client(server.url, server.token) as client:
        assert client.nodes.history("sim1", 60).node == "sim1"
        assert client.jobs.usage(running).node == "sim1"
        assert client.nodes.get("sim1").usage is not None


def test_the_command_line_shows_them(server):
    said = server.cli("nodes", "sim1").stdout
    assert "CPU BUSY" in said
    assert "/data" in said
    assert "磁盘" in server.cli("nodes", env={"DANLU_LANG": "zh"}).stdout
    assert "usage" in json.loads(server.cli("nodes", "sim1", "--json").stdout)


class TestTheStream:
    def test_the_first_word_says_which_server_it_is(self, server):
        hellos = [Stream(server.http).first("hello") for _ in range(2)]
        assert {hello["version"] for hello in hellos} == {__version__}
        assert len({hello["server"] for hello in hellos}) == 1
        assert len(hellos[0]["server"]) == 16

    def test_only_who_asks_for_readings_gets_them(self, server, running):
        asking, plain = Stream(server.http, readings=True), Stream(server.http)
        asking.until(lambda: len(asking.named("readings")) >= 2, "two `readings`")
        assert not plain.named("readings")

    def test_the_first_has_all_nodes_and_the_next_those_that_changed(self, server, running):
        stream = Stream(server.http, readings=True)
        stream.until(lambda: len(stream.named("readings")) >= 3, "three `readings`")
        first, *others = stream.named("readings")
        assert {node["name"] for node in first["nodes"]} == {"sim1", "sim2"}
        assert {node["name"] for each in others for node in each["nodes"]} == {"sim1"}, "sim2 is idle"
        assert [each["at"] for each in (first, *others)] == sorted(each["at"] for each in (first, *others))
        card = gpu(next(node for node in others[-1]["nodes"]))
        assert {"index", "load", "used_mb", "temperature_c", "power_w", "state", "processes"} == set(card)
        assert (card["state"], card["processes"][0]["job"]) == ("used", running)
        ids = [number for kind, number, _ in stream.events if kind == "readings"]
        assert ids == [None] * len(ids), "a reader resumes at events, not at readings"

    def test_nothing_is_said_while_nothing_changes(self, server):
        wait_until(lambda: not any(gpu(n)["load"] for n in server.http.get("/nodes").json()))
        stream = Stream(server.http, readings=True)
        stream.first("readings")
        job = server.submit("sleep 120", gpus=1, node="sim2")
        stream.until(
            lambda: any(gpu(node)["load"] for each in stream.named("readings") for node in each["nodes"][:1]),
            "a busy GPU",
        )
        server.http.post(f"/jobs/{job}/cancel")
        told = [node["name"] for each in stream.named("readings")[1:] for node in each["nodes"]]
        assert set(told) == {"sim2"}

    def test_a_drained_gpu_is_told_of(self, server):
        stream = Stream(server.http, readings=True)
        stream.first("readings")
        server.http.post("/nodes/sim2/gpus/1/drain")

        def states() -> list[str]:
            return [
                gpu(node, 1)["state"]
                for each in stream.named("readings")
                for node in each["nodes"]
                if node["name"] == "sim2"
            ]

        stream.until(lambda: states()[-1] == "drained", "the drained GPU")
        server.http.post("/nodes/sim2/gpus/1/undrain")
        stream.until(lambda: states()[-1] == "free", "the free GPU")

    def test_who_resumes_gets_what_was_missed_and_then_all_nodes(self, server):
        seen = Stream(server.http).first("hello")["after"]
        job = server.submit("true")
        server.wait_ended(job)
        stream = Stream(server.http, after=seen, readings=True)
        stream.first("readings")
        missed = [data for kind, _, data in stream.events if kind.startswith("job.")]
        assert [data["id"] for data in missed] == list(range(seen + 1, seen + 1 + len(missed)))
        assert missed[-1]["data"]["after"] == "succeeded"
        kinds = [kind for kind, _, _ in stream.events]
        assert kinds.index("readings") > max(n for n, kind in enumerate(kinds) if kind.startswith("job."))


class TestABadNumberOfAJob:
    @pytest.mark.parametrize("number", ["x", "0", "-1", "1[x]", "9" * 30, "1[99999999]", "١"])
    def test_it_is_told_what_one_looks_like(self, server, number):
        for language, words in (("en", "Write 12 for a job"), ("zh", "任务写作 12")):
            reply = server.http.get(f"/jobs/{number}", headers={"accept-language": language})
            assert (reply.status_code, reply.json()["code"]) == (422, "bad_job_id"), reply.text
            assert words in reply.json()["message"]
            assert reply.json()["field"] == "job_id"


class TestWhoseEventsTheyAre:
    def test_a_member_hears_nothing_of_other_accounts_and_an_administrator_all(self, server):
        name, other = f"ada{next(NUMBERS)}", f"bo{next(NUMBERS)}"
        member = make_member(server, name)
        make_member(server, other)
        live = Stream(member)
        live.first("hello")
        for each in (other, name):
            assert server.http.patch(f"/users/{each}", json={"priority": 3}).status_code == 200
        job = server.submit("true")
        server.wait_ended(job)
        streams = [live, Stream(member, after=0), Stream(server.http, after=0)]
        for stream in streams:
            stream.until(lambda stream=stream: job in [row["job"] for row in stream.named("job.state")])
        told = [{row["data"]["user"] for row in stream.named("user.changed")} for stream in streams]
        assert told[:2] == [{name}, {name}]
        assert {name, other} <= told[2]

    def test_nobody_hears_what_a_job_runs(self, server):
        secret = "hunter2hunter2"
        fields = {"variables": {"KEY": secret}, "directory": f"/{secret}", "description": secret}
        fields |= {"stdout": f"{secret}.log", "command": f"KEY={secret} ./train {secret}"}
        # On hold first: what is missing for it is not looked for then.
        job = server.http.post("/jobs", json=fields | {"hold": True}).json()["id"]
        assert server.http.post(f"/jobs/{job}/release").is_success
        server.wait_ended(job)
        member = make_member(server, f"ada{next(NUMBERS)}")
        stream = Stream(member, after=0)
        stream.until(lambda: [row for row in stream.named("job.state") if row["job"] == job])
        heard = json.dumps([data for _, _, data in stream.events])
        seen = "".join(member.get(path).text for path in (f"/jobs/{job}/events", f"/jobs/{job}", "/jobs"))
        assert secret not in heard + seen


class TestStreamsEnd:
    """Long before the next heartbeat: it would take fifteen seconds."""

    def test_when_their_user_is_locked(self, server, running):
        name = f"ada{next(NUMBERS)}"
        member, other = make_member(server, name), make_member(server, f"bo{next(NUMBERS)}")
        streams = [Stream(member, readings=True), Stream(member), Stream(other, readings=True)]
        for stream in streams:
            stream.first("hello")
        server.http.patch(f"/users/{name}", json={"locked": True})
        assert streams[0].ended.wait(10)
        assert streams[1].ended.wait(10)
        assert not streams[2].ended.is_set()

    def test_when_their_token_is_ended(self, server):
        member = make_member(server, f"ada{next(NUMBERS)}")
        made = member.post("/me/tokens", json={"name": "laptop"}).json()
        ended, other = Stream(server.client(made["secret"])), Stream(member)
        ended.first("hello")
        other.first("hello")
        assert member.delete(f"/me/tokens/{made['id']}").status_code == 204
        assert ended.ended.wait(10)
        assert not other.ended.is_set()

    def test_when_their_session_is_logged_out(self, server):
        browser = server.client()
        code = server.http.post("/me/link").json()["url"].partition("#login=")[2]
        csrf = browser.post("/auth/link", json={"code": code}).json()["csrf_token"]
        stream = Stream(browser)
        stream.first("hello")
        assert browser.post("/auth/logout", headers={"X-CSRF-Token": csrf}).status_code == 204
        assert stream.ended.wait(10)


class TestDoctor:
    def test_an_administrator_has_a_node_looked_over(self, server: LiveServer):
        reply = server.http.post("/nodes/sim1/examine", headers={"accept-language": "zh"})
        assert reply.status_code == 200, reply.text
        found = {each["check"]: each for each in reply.json()["findings"]}
        assert (found["clock"]["level"], found["clock"]["message"]) == ("ok", "时钟准确。")
        assert found["version"]["facts"]["here"] == __version__

    def test_a_node_that_is_not_there(self, server: LiveServer):
        reply = server.http.post("/nodes/nowhere/examine")
        assert (reply.status_code, reply.json()["code"]) == (404, "no_such_node")

    def test_it_is_not_for_members(self, server: LiveServer):
        member = make_member(server, f"doc{next(NUMBERS)}")
        assert member.post("/nodes/sim1/examine").status_code == 403
