"""A mentor at the API: what they see and stop of their group's jobs, and nothing of others'."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from danlu.sdk.client import Client
from danlu.sdk.errors import ApiError
from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("groups") / "danlu", "--simulate", "1") as running:
        yield running


def test_a_mentor_reads_and_stops_the_jobs_of_the_group(server):
    ada, prof, other = (
        make_member(server, name, role)
        for name, role in (("ada", "member"), ("prof", "mentor"), ("other", "mentor"))
    )
    admin = Client(data=server.data)
    admin.groups.add("vision", description="seeing", mentors=["prof"], members=["ada"])
    admin.groups.add("speech", mentors=["other"])
    job = ada.post(
        "/jobs", json={"command": "echo secret; sleep 300", "directory": "/tmp", "grace_s": 0}
    ).json()["id"]
    server.wait_state(job, "running")

    seen = prof.get(f"/jobs/{job}").json()
    assert (seen["mine"], seen["may"]) == (True, ["read", "stop"])
    assert "echo secret" in seen["fields"]["command"]
    assert prof.get(f"/jobs/{job}/log").status_code == 200
    hidden = other.get(f"/jobs/{job}").json()
    assert (hidden["mine"], hidden["may"], hidden["fields"]) == (False, [], None)
    assert other.get(f"/jobs/{job}/log").status_code == 403
    assert other.get("/jobs", params={"group": "vision"}).status_code == 403

    listed = prof.get("/jobs", params={"group": "vision"}).json()
    assert [row["id"] for row in listed["jobs"]] == [job]
    [group] = prof.get("/groups").json()
    assert (group["name"], group["led_by_you"]) == ("vision", True)
    assert [(each["name"], each["running"]) for each in group["members"]] == [("ada", 1)]
    [own] = ada.get("/groups").json()
    assert (own["led_by_you"], own["mentors"]) == (False, ["prof"])

    refused = prof.patch(f"/jobs/{job}", json={"set": {"name": "mine"}})
    assert (refused.status_code, refused.json()["code"]) == (403, "mentors_only_stop")
    assert other.post(f"/jobs/{job}/cancel").status_code == 403
    assert prof.post(f"/jobs/{job}/cancel").status_code == 200
    server.wait_state(job, "cancelled")

    admin.groups.set("vision", remove_members=["ada"])
    assert prof.get(f"/jobs/{job}").json()["fields"] is None
    admin.groups.remove("vision")
    assert [row.name for row in admin.groups.list()] == ["speech"]
    with pytest.raises(ApiError, match="no group vision"):
        admin.users.set("ada", group="vision")


def test_users_and_groups_are_handled_by_commands(server):
    made = server.cli("users", "add", "li", "--email", "li@example.com").stdout
    password = made.strip().rpartition(" ")[2]
    signed_in = server.client().post("/auth/token", json={"name": "li", "password": password})
    assert signed_in.json()["must_change_password"] is True
    assert server.cli(
        "users", "add", "zhao", "--role", "mentor", "--password-stdin", text_in="first secret\n"
    ).stdout
    server.cli("groups", "add", "optics", "--mentors", "zhao", "--members", "li")
    server.cli("users", "set", "li", "--full-name", "Li", "--priority", "2", "--language", "zh")
    row = next(row for row in server.http.get("/users").json() if row["name"] == "li")
    expected = {
        "group": "optics",
        "full_name": "Li",
        "priority": 2.0,
        "language": "zh",
        "email": "li@example.com",
    }
    assert {name: row[name] for name in expected} == expected
    assert "optics" in server.cli("users").stdout
    assert "Li" in server.cli("groups", "members", "optics").stdout
    server.cli("users", "lock", "li")
    refused = server.client(signed_in.json()["secret"]).get("/me")
    assert refused.status_code == 401, "its tokens have ended"
    server.cli("users", "unlock", "li")
    again = server.cli("users", "reset-password", "li").stdout.strip().rpartition(" ")[2]
    assert again != password
    assert server.client().post("/auth/token", json={"name": "li", "password": again}).status_code == 200
    server.cli("users", "set", "li", "--clear", "group,language")
    assert server.cli("groups", "members", "optics").stdout == ""
    server.cli("groups", "remove", "optics")
