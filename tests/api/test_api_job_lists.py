"""Long lists and the same wish for many jobs, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e

SORTS = ("newest", "oldest", "longest", "name", "owner")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("lists") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture
def server(shared: LiveServer) -> Iterator[LiveServer]:
    """One server for all of these; each test begins with no jobs and with scheduling paused."""
    shared.http.patch("/scheduling", json={"paused": True})
    yield shared
    shared.http.patch("/scheduling", json={"paused": True})
    for area in ("waiting", "history"):
        jobs = [job["ref"] for job in pages(shared.http, area=area)]
        if jobs:
            act(shared.http, "delete", *jobs)


@pytest.fixture(scope="module")
def member(shared: LiveServer) -> httpx.Client:
    return make_member(shared, "mo")


def pages(client: httpx.Client, **query: object) -> list[dict]:
    """All rows of a list, three at a time."""
    found: list[dict] = []
    cursor = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = client.get("/jobs", params={"limit": 3, **query, **more}).json()
        found += page["jobs"]
        cursor = page["next"]
        if cursor is None:
            return found


def names(client: httpx.Client, **query: object) -> list[str]:
    return [job["name"] for job in pages(client, **query)]


def act(client: httpx.Client, action: str, *jobs: object, **more: object) -> list[dict]:
    reply = client.post("/jobs/actions", json={"action": action, "jobs": [str(job) for job in jobs], **more})
    assert reply.status_code == 200, reply.text
    return reply.json()["results"]


def ok(results: list[dict]) -> list[bool]:
    return [each["ok"] for each in results]


def codes(results: list[dict]) -> list[str | None]:
    return [each["problem"]["code"] if each["problem"] else None for each in results]


class TestLists:
    def test_every_order_page_by_page(self, server):
        for name in ("beta", "Alpha", "gamma", "alpha", "训练", "delta", "beta"):
            server.submit("true", name=name)
        assert names(server.http, area="waiting", sort="name") == [
            *("Alpha", "alpha", "beta", "beta", "delta", "gamma", "训练")
        ]
        for area in ("waiting", "running", "history", None):
            whole = {job["id"] for job in pages(server.http, **({"area": area} if area else {}))}
            for sort in SORTS:
                found = [
                    job["id"] for job in pages(server.http, sort=sort, **({"area": area} if area else {}))
                ]
                assert len(found) == len(set(found))
                assert set(found) == whole

    def test_a_search_means_names_owners_and_numbers_and_counts_with_it(self, server, member):
        own = server.submit("true", name="ResNet 训练")
        reply = member.post("/jobs", json={"command": "true", "directory": "/tmp", "name": "other"})
        theirs = reply.json()["id"]

        def search(text: str, client: httpx.Client = server.http, **more: object) -> tuple[list[int], int]:
            page = client.get("/jobs", params={"search": text, **more}).json()
            assert page["counts_exact"]
            return [job["id"] for job in page["jobs"]], page["counts"]["waiting"]

        assert search("resnet") == ([own], 1)
        assert search("训") == ([own], 1)
        assert search("MO") == ([theirs], 1)
        assert search(str(own))[0] == [own]
        assert search("nothing") == ([], 0)
        assert search("t", mine=True, client=member) == ([theirs], 1)
        assert server.http.get("/jobs", params={"name": "mo"}).json()["jobs"] == []
        # What was edited is found by its new name, and no more by the old one.
        server.http.patch(f"/jobs/{own}", json={"set": {"name": "renamed"}})
        assert search("resnet") == ([], 0)
        assert search("renamed") == ([own], 1)
        server.http.post(f"/jobs/{own}/cancel")
        page = server.http.get("/jobs", params={"search": "renamed", "area": "history"}).json()
        assert (page["counts"], len(page["jobs"])) == ({"waiting": 0, "running": 0, "history": 1}, 1)

    def test_by_the_reason_of_the_end(self, server):
        server.http.patch("/scheduling", json={"paused": False})
        failed = server.submit("exit 3")
        good = server.submit("true")
        for job in (failed, good):
            server.wait_ended(job)
        assert [job["id"] for job in pages(server.http, end_reason="exit_code")] == [failed]
        assert [job["id"] for job in pages(server.http, end_reason="completed", area="history")] == [good]
        assert server.http.get("/jobs", params={"end_reason": "boredom"}).status_code == 422

    @pytest.mark.parametrize(
        "cursor",
        ["x", "AAAA", "W10", "bnVsbA", "WzEsMl0", "WyIgIiwxXQ", "e30", "WyIgIiwiXHVkODAwIl0", "\x00"],
    )
    def test_a_cursor_that_is_not_ours_is_refused(self, server, cursor):
        refused = server.http.get("/jobs", params={"cursor": cursor, "area": "waiting"})
        assert (refused.status_code, refused.json()["field"]) == (422, "cursor")

    def test_a_cursor_is_for_the_order_it_was_made_in(self, server):
        for _ in range(3):
            server.submit("true")
        page = server.http.get("/jobs", params={"area": "waiting", "sort": "name", "limit": 1}).json()
        other = {"area": "waiting", "sort": "owner", "cursor": page["next"]}
        assert server.http.get("/jobs", params=other).status_code == 422

    def test_the_command_line_searches_and_sorts(self, server):
        for name in ("zebra", "ape"):
            server.submit("true", name=name)
        listed = json.loads(server.cli("ps", "--sort", "name", "--json").stdout)
        assert [job["name"] for job in listed["jobs"]] == ["ape", "zebra"]
        found = json.loads(server.cli("ps", "--search", "EBR", "--json").stdout)
        assert [job["name"] for job in found["jobs"]] == ["zebra"]
        assert server.cli("ps", "--sort", "beauty", check=False).returncode == 2


class TestActions:
    def test_each_on_its_own_in_the_order_of_the_request(self, server, member):
        mine, other = server.submit("true"), server.submit("true")
        results = act(server.http, "hold", other, 999_999, mine, "12x", other)
        assert [each["ref"] for each in results] == [str(other), "999999", str(mine), "12x", str(other)]
        assert ok(results) == [True, False, True, False, True]
        assert codes(results) == [None, "no_such_job", None, "bad_job_id", None]
        assert [server.state(job) for job in (mine, other)] == ["held", "held"]
        assert ok(act(server.http, "release", mine, other)) == [True, True]
        refused = act(member, "cancel", mine, other)
        assert codes(refused) == ["not_yours", "not_yours"]
        assert server.state(mine) == "waiting"
        assert ok(act(server.http, "cancel", mine, other)) == [True, True]
        again = act(server.http, "cancel", mine)
        assert codes(again) == ["wrong_state"]

    def test_copies_have_their_ids_in_the_results(self, server):
        first, second = server.submit("true", name="a"), server.submit("true", name="b")
        results = act(server.http, "resubmit", second, first)
        copies = [each["id"] for each in results]
        assert [server.job(copy)["job"]["name"] for copy in copies] == ["b", "a"]
        assert copies == sorted(copies)

    def test_a_chain_is_deleted_from_either_end(self, server):
        first = server.submit("true")
        second = server.submit("true", after=[first])
        third = server.submit("true", after=[second])
        results = act(server.http, "delete", first, second, third, with_successors=True)
        assert ok(results) == [True, True, True]
        assert pages(server.http) == []
        first = server.submit("true")
        second = server.submit("true", after=[first])
        assert ok(act(server.http, "delete", second, first)) == [True, True]

    def test_a_running_successor_is_refused_left_or_cancelled(self, server):
        server.http.patch("/scheduling", json={"paused": False})
        first, other = server.submit("true"), server.submit("true")
        running = server.submit("sleep 100", after=[first, other])
        server.wait_state(running, "running")
        results = act(server.http, "delete", first, with_successors=True)
        assert codes(results) == ["successors_running"]
        assert ok(act(server.http, "delete", first, with_successors=True, running="leave")) == [True]
        assert server.state(running) == "running"
        assert ok(act(server.http, "delete", other, with_successors=True, running="cancel")) == [True]
        assert server.wait_ended(running)["job"]["state"] == "cancelled"

    def test_many_at_once(self, server):
        jobs = server.http.post(
            "/jobs/batch", json={"jobs": [{"command": "true", "directory": "/tmp"}] * 300}
        )
        ids = jobs.json()["ids"]
        assert all(ok(act(server.http, "cancel", *ids)))
        counts = server.http.get("/jobs", params={"area": "history", "mine": True}).json()["counts"]
        assert counts["history"] == 300
        assert all(ok(act(server.http, "delete", *ids)))

    def test_problems_are_in_the_language_of_whoever_asked(self, server):
        with server.client(server.token, **{"Accept-Language": "zh"}) as chinese:
            (result,) = act(chinese, "hold", 999_999)
        assert "999999" in result["problem"]["message"]
        assert not result["problem"]["message"].isascii()

    @pytest.mark.parametrize(
        "body",
        [
            {"action": "praise", "jobs": ["1"]},
            {"action": "hold", "jobs": []},
            {"action": "hold", "jobs": ["1"] * 1001},
            {"action": "hold", "jobs": [{"id": 1}]},
            {"action": "hold", "jobs": "1"},
            {"action": "hold", "jobs": ["1\n"]},
            {"action": "delete", "jobs": ["1"], "running": "perhaps"},
            {"action": "hold", "jobs": ["1"], "other": 1},
            {"action": "hold", "jobs": ["1"], "now": True},
            {"action": "cancel", "jobs": ["1"], "now": "soon"},
            {"jobs": ["1"]},
            [],
        ],
    )
    def test_odd_wishes_are_refused_as_a_whole(self, server, body):
        assert server.http.post("/jobs/actions", json=body).status_code == 422

    def test_an_administrator_ends_at_once_what_has_an_hour_of_grace(self, server, member):
        """Real processes that do not listen, each in another way of asking; an array among them."""
        deaf = {"command": "trap '' TERM; while :; do sleep 1; done", "directory": "/tmp", "gpus": 1}
        deaf["grace_s"] = 3600
        more = ({}, {}, {"array": "0-1"})
        jobs = [member.post("/jobs", json={**deaf, **each}).json()["id"] for each in more]
        server.http.patch("/scheduling", json={"paused": False})
        for job in (*jobs[:2], f"{jobs[2]}[1]"):
            server.wait_state(job, "running")
        assert ok(act(member, "cancel", *jobs)) == [True] * 3
        assert [server.state(job) for job in jobs] == ["stopping"] * 3
        assert server.http.post(f"/jobs/{jobs[0]}/cancel", params={"now": "true"}).status_code == 200
        assert ok(act(server.http, "cancel", *jobs[1:], now=True)) == [True] * 2
        for job in jobs:
            server.wait_state(job, "cancelled")
        events = server.http.get(f"/jobs/{jobs[0]}/events").json()
        wanted = [(each["actor"], each["data"]["intent"]) for each in events if "intent" in each["data"]]
        assert wanted == [("mo", "cancel"), (server.http.get("/me").json()["name"], "kill")]

    def test_viewers_change_nothing(self, server):
        job = server.submit("true")
        viewer = make_member(server, "vi", "viewer", account=False)
        for action in ("cancel", "hold", "delete", "resubmit"):
            assert ok(act(viewer, action, job)) == [False]
        assert server.state(job) == "waiting"
