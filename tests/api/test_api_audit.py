"""Every administrative and every destructive request leaves an entry; administrators look through them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from danlu.core.audit import is_kept
from danlu.core.events import Event, EventKind
from danlu.sdk.client import Client
from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e

SLEEPER = {"command": "sleep 300", "directory": "/tmp", "grace_s": 0}

ACTS: dict[str, tuple[Any, str]] = {
    "POST /users": ({"name": "zoe", "password": "first secret"}, "user.changed"),
    "PATCH /users/{user}": ({"role": "mentor"}, "user.changed"),
    "POST /notices": ({"text_en": "Tonight"}, "notice.changed"),
    "PUT /notices/{notice}": ({"text_en": "Tomorrow"}, "notice.changed"),
    "DELETE /notices/{notice}": (None, "notice.changed"),
    "POST /groups": ({"name": "vision"}, "group.changed"),
    "PATCH /groups/{group}": ({"description": "cats and dogs"}, "group.changed"),
    "DELETE /groups/{group}": (None, "group.changed"),
    "PATCH /settings": ({"auto_gpus": 5}, "settings.changed"),
    "POST /settings/undo": ({}, "settings.changed"),
    "PATCH /scheduling": ({"policy": "balance"}, "scheduling.changed"),
    "POST /nodes/{node}/drain": (None, "node.drained"),
    "POST /nodes/{node}/undrain": (None, "node.undrained"),
    "POST /nodes/{node}/gpus/0/drain": (None, "gpu.drained"),
    "POST /nodes/{node}/gpus/0/undrain": (None, "gpu.undrained"),
    "PATCH /nodes/{node}/gpus/0": ({"slots": 2}, "gpu.slots"),
    "POST /jobs/{theirs}/move": ({"position": 1}, "job.moved"),
    "PATCH /jobs/{theirs}": ({"set": {"name": "other"}}, "job.edited"),
    "POST /jobs/{theirs}/hold": (None, "job.held"),
    "POST /jobs/{theirs}/release": (None, "job.released"),
    "POST /jobs/{theirs}/cancel": (None, "job.cancelled"),
    "DELETE /jobs/{theirs}": (None, "job.deleted"),
    "DELETE /jobs/{mine}": (None, "job.deleted"),
    "POST /me/tokens": ({"name": "laptop"}, "token.made"),
    "DELETE /me/tokens/{token}": (None, "token.ended"),
    "DELETE /locks?name=gate": (None, "lock.freed"),
    "POST /backup": ({}, "backup.made"),
    "PATCH /nodes/{node}": ({"role": "login"}, "node.changed"),
}
"""One request for each operation, and the action that it leaves."""

ELSEWHERE = {
    "POST /auth/link",
    "POST /auth/login",
    "POST /auth/logout",
    "POST /auth/token",
    "POST /me/password",
    # On jobs like those above, one by one.
    "POST /bulk-actions",
    "POST /bulk-actions/{}/undo",
    "POST /jobs/actions",
    "POST /server/stop",
}
"""What the other tests of this file see an entry of."""

ON_CLUSTERS = {
    "POST /join-tokens": EventKind.JOIN_TOKEN_MADE,
    "DELETE /join-tokens/{}": EventKind.JOIN_TOKEN_REVOKED,
    "POST /nodes/installations": EventKind.INSTALLATION_BEGUN,
    "POST /nodes/upgrades": EventKind.INSTALLATION_BEGUN,
    "DELETE /nodes/{}": EventKind.NODE_REMOVED,
    "POST /nodes/{}/declare-dead": EventKind.NODE_DECLARED_DEAD,
    "DELETE /servers": EventKind.SERVER_FORGOTTEN,
}
"""What one machine cannot be asked, and the event that it records with its actor."""

EVERYDAY = {
    # Of one's own, or nothing is changed.
    "POST /bulk-actions/{}/stop",
    "POST /calls",
    "POST /examples/{}/start",
    "POST /jobs",
    "POST /jobs/batch",
    "POST /jobs/check",
    "POST /jobs/{}/resubmit",
    "DELETE /kv/value",
    "PUT /kv/value",
    "POST /live",
    "POST /live/{}/channels",
    "POST /locks/acquire",
    "POST /locks/release",
    "POST /locks/renew",
    "PATCH /me/defaults",
    "POST /me/link",
    "POST /notices/{}/dismiss",
    "POST /nodes/{}/examine",
    "POST /scheduling/pass",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("audit") / "danlu", "--simulate", "2") as running:
        yield running


@pytest.fixture(scope="module")
def member(server: LiveServer) -> httpx.Client:
    return make_member(server, "ada")


def entries(server: LiveServer, **query: Any) -> list[dict[str, Any]]:
    reply = server.http.get("/audit", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()["entries"]


def newest_id(server: LiveServer) -> int:
    return max((entry["id"] for entry in entries(server, limit=1)), default=0)


def test_every_operation_that_changes_something_is_accounted_for(server):
    """A new one is an act that leaves an entry, or is named here as one that need not."""
    document = server.http.get("/openapi.json").json()
    operations = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in document["paths"].items()
        for method in methods
        if method != "get"
    }
    walked = {bare(each.partition("?")[0].replace("/gpus/0", "/gpus/{}")) for each in ACTS}
    known = walked | ELSEWHERE | set(ON_CLUSTERS) | EVERYDAY
    assert {bare(each) for each in operations} - known == set()


def bare(operation: str) -> str:
    """With nothing between its braces."""
    return "/".join("{}" if part.startswith("{") else part for part in operation.split("/"))


@pytest.mark.parametrize("kind", sorted(set(ON_CLUSTERS.values())))
def test_what_is_done_to_a_cluster_is_kept(kind):
    assert is_kept(Event(0, 1.0, kind, actor="ann"))


def test_every_act_leaves_an_entry(server, member):
    server.http.patch("/scheduling", json={"paused": True})
    theirs = member.post("/jobs", json=SLEEPER).json()["id"]
    mine = server.http.post("/jobs", json=SLEEPER).json()["id"]
    server.http.post(f"/jobs/{mine}/cancel")
    server.http.post("/locks/acquire", json={"name": "gate", "holder": "me"})
    names = {"user": "ada", "theirs": theirs, "mine": mine, "token": 0, "group": "vision", "notice": 0}
    names["node"] = server.http.get("/nodes").json()[0]["name"]
    me = server.http.get("/me").json()["name"]
    for operation, (body, action) in ACTS.items():
        seen = newest_id(server)
        method, _, path = operation.format(**names).partition(" ")
        reply = server.http.request(method, path, json=body)
        assert reply.is_success, (operation, reply.text)
        if method == "POST" and path in ("/me/tokens", "/notices"):
            names["token" if action == "token.made" else "notice"] = reply.json()["id"]
        new = [entry for entry in entries(server) if entry["id"] > seen]
        assert [entry["action"] for entry in new] == [action], operation
        assert (new[0]["actor"], new[0]["via"], new[0]["address"]) == (me, "local", "127.0.0.1"), operation
    server.http.patch("/scheduling", json={"paused": False})
    server.http.patch(f"/nodes/{names['node']}", json={"role": "compute"})


def test_what_changed_is_there_and_no_secret_is(server):
    make_member(server, "eva")
    server.http.patch("/users/eva", json={"role": "viewer", "password": "third secret"})
    password, role = entries(server, target="eva", limit=2)
    assert (role["before"], role["after"]) == ({"role": "member"}, {"role": "viewer"})
    assert password["details"]["change"] == ["must_change_password", "password_hash"]
    assert password["after"] == {"must_change_password": True}
    everything = server.http.get("/audit/export", params={"format": "jsonl"}).text
    assert "argon2" not in everything
    assert "secret" not in everything
    server.http.patch("/settings", json={"auto_nodes": 9})
    settings = entries(server, action="settings.changed", limit=1)[0]
    assert (settings["before"], settings["after"]) == ({"auto_nodes": 8}, {"auto_nodes": 9})
    server.http.patch("/settings", json={"auto_nodes": 8})


def test_signing_in_and_out_is_known_and_so_is_who_failed(server):
    make_member(server, "bea")
    door = server.client()
    assert door.post("/auth/login", json={"name": "bea", "password": "wrong"}).status_code == 401
    assert door.post("/auth/login", json={"name": "my-secret", "password": "wrong"}).status_code == 401
    stranger, failed = entries(server, action="user.sign_in_failed", limit=2)
    assert (failed["target"], failed["actor"], failed["via"]) == ("bea", None, "sign-in")
    assert (failed["address"], failed["details"]["reason"]) == ("127.0.0.1", "wrong_password")
    # People type their password there by mistake.
    assert stranger["target"] == ""
    came = door.post("/auth/login", json={"name": "bea", "password": "second secret"}).json()
    assert door.post("/auth/logout", headers={"X-CSRF-Token": came["csrf_token"]}).status_code == 204
    out, into = entries(server, actor="bea", limit=2)
    assert (into["action"], into["via"]) == ("user.signed_in", "sign-in")
    assert (out["action"], out["via"]) == ("user.signed_out", "session")
    assert door.post("/auth/token", json={"name": "bea", "password": "second secret"}).is_success
    assert entries(server, actor="bea", limit=1)[0]["action"] == "token.made"


def test_the_log_is_for_administrators_alone(server):
    member = make_member(server, "cleo")
    for path in ("/audit", "/audit/actions", "/audit/export"):
        refused = member.get(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "admin_only")


def test_the_log_is_read_page_by_page_and_exported(server):
    for paused in (True, False, True, False):
        server.http.patch("/scheduling", json={"paused": paused})
    whole = entries(server, limit=500)
    with Client(server.url, server.token) as client:
        page = client.audit.list(limit=2)
        assert [each.id for each in page.entries] == [entry["id"] for entry in whole[:2]]
        following = client.audit.list(limit=2, cursor=page.next)
        assert [each.id for each in following.entries] == [entry["id"] for entry in whole[2:4]]
        assert [each.id for each in client.audit.iterate()] == [entry["id"] for entry in whole]
        assert list(client.audit.iterate(since=whole[0]["at"] + 1)) == []
        lines = b"".join(client.audit.export("jsonl", action="user")).decode().splitlines()
        table = b"".join(client.audit.export("csv", action="user")).decode()
    assert [json.loads(line)["id"] for line in lines] == [
        entry["id"] for entry in whole if entry["action"].startswith("user.")
    ]
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [int(row["id"]) for row in rows] == [json.loads(line)["id"] for line in lines]
    titles = {each["action"]: each["title"] for each in server.http.get("/audit/actions").json()}
    assert titles["settings.changed"] == "Settings changed"


def test_the_command_line_shows_who_did_what(server):
    make_member(server, "fay")
    server.http.patch("/settings", json={"auto_nodes": 3})
    shown = server.cli("audit", "--action", "settings", "-n", "1").stdout
    assert "Settings changed" in shown
    assert "auto_nodes: 8 → 3" in shown
    found = json.loads(server.cli("audit", "--object", "fay", "--since", "1h", "--json").stdout)
    assert {entry["target"] for entry in found["entries"]} == {"fay"}
    assert server.cli("audit", "--csv", "--user", "fay").stdout.startswith("id,at,actor")
    assert "7d" in server.cli("audit", "--since", "yesterday", check=False).stderr


def test_who_stops_the_server_is_known(tmp_path):
    with live_server(tmp_path / "danlu") as server:
        assert server.http.post("/server/stop", json={}).status_code == 202
        server.process.wait(60)
        server.start()
        stopped = entries(server, action="server.stopped")
        assert [entry["details"] for entry in stopped] == [{"stop_jobs": False}]
