"""What administrators see of users, settings, scheduling and backups, and what members do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from danlu.core.lab_settings import General
from danlu.sdk.client import Client
from tests.support.installation import LiveServer, live_server
from tests.support.people import UNIX_ACCOUNT, make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("administration") / "danlu"
    with live_server(data, "--simulate", "2", default_gpus=None) as running:
        yield running


def row_of(server: LiveServer, name: str) -> dict:
    return next(row for row in server.http.get("/users").json() if row["name"] == name)


def test_the_list_of_users_tells_what_they_do(server):
    ada = make_member(server, "ada")
    make_member(server, "bo")
    assert row_of(server, "ada")["last_seen_at"] is not None
    new = {"name": "cy", "password": "first secret"}
    assert server.http.post("/users", json=new).json()["last_seen_at"] is None
    jobs = [
        ada.post("/jobs", json={"command": "sleep 300", "gpus": 2, "directory": "/tmp", "grace_s": 0}).json()[
            "id"
        ]
        for _ in range(2)
    ]
    server.wait_state(jobs[0], "running")
    found = row_of(server, "ada")
    assert (found["running"], found["waiting"]) == (1, 1)
    assert (row_of(server, "bo")["running"], row_of(server, "bo")["waiting"]) == (0, 0)
    for job in jobs:
        server.http.post(f"/jobs/{job}/cancel")


def test_a_unix_account_is_unset(server):
    made = server.http.post("/users", json={"name": "di", "password": "first secret"})
    assert made.json()["unix_account"] is None
    account = server.http.get("/me").json()["runs_as"] if not server_is_root(server) else UNIX_ACCOUNT
    mapped = server.http.patch("/users/di", json={"unix_account": account})
    assert mapped.json()["unix_account"] == account
    assert server.http.patch("/users/di", json={"role": "viewer"}).json()["unix_account"] == account
    cleared = server.http.patch("/users/di", json={"clear": ["unix_account"]})
    assert cleared.json()["unix_account"] is None
    wrong = server.http.patch("/users/di", json={"clear": ["name"]})
    assert wrong.status_code == 422
    assert row_of(server, "di")["role"] == "viewer"


def server_is_root(server: LiveServer) -> bool:
    return not server.http.get("/me").json()["runs_all_as_one"]


def test_every_setting_is_described_in_both_languages_and_says_who_changed_it(server):
    english = server.http.get("/settings/described", headers={"Accept-Language": "en"}).json()
    chinese = server.http.get("/settings/described", headers={"Accept-Language": "zh"}).json()
    assert [row["name"] for row in english] == [each.name for each in fields(General)]
    for one, other in zip(english, chinese, strict=True):
        assert one["title"] != other["title"]
        assert one["text"] != other["text"]
        assert one["value"] == one["default"] == other["default"]
        assert one["changed_by"] is None
    days = next(row for row in english if row["name"] == "events_days")
    assert (days["kind"], days["unit"], days["least"], days["most"]) == ("number", "days", 0, 36_500)
    server.http.patch("/settings", json={"events_days": 30})
    after = {row["name"]: row for row in server.http.get("/settings/described").json()}
    me = server.http.get("/me").json()["name"]
    assert (after["events_days"]["value"], after["events_days"]["changed_by"]) == (30, me)
    assert after["events_days"]["changed_at"] is not None
    assert after["auto_gpus"]["changed_at"] is None


def test_a_pause_says_whose_it_is_and_since_when(server):
    assert server.http.get("/scheduling").json()["paused_by"] is None
    paused = server.http.patch("/scheduling", json={"paused": True}).json()
    assert paused["paused_by"] == server.http.get("/me").json()["name"]
    # Neither a second pause nor another policy makes it anew.
    again = server.http.patch("/scheduling", json={"paused": True, "policy": "balance"}).json()
    assert again["paused_at"] == paused["paused_at"]
    resumed = server.http.patch("/scheduling", json={"paused": False, "policy": "fifo"}).json()
    assert (resumed["paused_at"], resumed["paused_by"]) == (None, None)


def test_who_took_a_backup_is_known_to_administrators_alone(server):
    member = make_member(server, "eve")
    assert server.http.get("/backups").json() == []
    archive = server.http.post("/backup", json={}).content
    (made,) = server.http.get("/backups").json()
    with Client(server.url, server.token) as client:
        assert [each.bytes for each in client.service.backups()] == [len(archive)]
        assert {each.name for each in client.settings.describe()} >= {"auto_gpus", "stage_folder"}
    assert made["by"] == server.http.get("/me").json()["name"]
    assert (made["bytes"], made["with_logs"], made["left_out"]) == (len(archive), False, 0)
    assert made["files"] > 0
    for path in ("/backups", "/settings/described", "/users"):
        refused = member.get(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "admin_only")
