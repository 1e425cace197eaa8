"""Every change of settings is known, and can be taken back."""

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
    with live_server(tmp_path_factory.mktemp("history") / "danlu", default_gpus=None) as running:
        yield running


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with Client(server.url, server.token) as client:
        yield client


def test_changes_are_listed_and_undone(client):
    client.settings.edit(auto_gpus=4, events_days=30)
    client.scheduling.edit(policy="balance")
    policy, both = client.settings.history(limit=2).changes
    assert (both.part, both.before) == ("general", {"auto_gpus": 8, "events_days": 90})
    assert both.after == {"auto_gpus": 4, "events_days": 30}
    assert (policy.part, policy.before, policy.after) == (
        "scheduling",
        {"policy": "fifo"},
        {"policy": "balance"},
    )
    done = client.settings.undo()
    assert (done.undoes, done.after) == (policy.id, {"policy": "fifo"})
    assert client.scheduling.get().policy == "fifo"
    client.settings.undo(both.id)
    now = client.settings.get()
    assert (now.auto_gpus, now.events_days) == (8, 90)
    # An undo is a change, which is undone like any other.
    client.settings.undo()
    assert client.settings.get().auto_gpus == 4
    first = client.settings.history(limit=1)
    following = client.settings.history(limit=1, cursor=first.next)
    assert following.changes[0].id < first.changes[0].id


def test_what_was_changed_since_is_undone_only_by_force(client):
    client.settings.edit(auto_nodes=5)
    change = client.settings.history(limit=1).changes[0]
    client.settings.edit(auto_nodes=6)
    with pytest.raises(ApiError) as refused:
        client.settings.undo(change.id)
    assert refused.value.problem.code == "setting_changed_since"
    assert "auto_nodes" in refused.value.problem.message
    assert client.settings.get().auto_nodes == 6
    client.settings.undo(change.id, force=True)
    assert client.settings.get().auto_nodes == 8
    with pytest.raises(ApiError) as again:
        client.settings.undo(change.id, force=True)
    assert again.value.problem.code == "nothing_to_undo"
    with pytest.raises(ApiError) as unknown:
        client.settings.undo(999_999)
    assert unknown.value.problem.code == "no_such_setting_change"


def test_the_history_is_for_administrators(server):
    member = make_member(server, "gil")
    assert member.get("/settings/history").json()["code"] == "admin_only"
    assert member.post("/settings/undo", json={}).json()["code"] == "admin_only"


def test_the_command_line_lists_and_undoes(server):
    server.cli("settings", "--job-log-limit", "1G")
    assert "job_log_limit_mb: 0 → 1024" in server.cli("settings", "history", "-n", "1").stdout
    assert "job_log_limit_mb: 1024 → 0" in server.cli("settings", "undo").stdout
    assert server.http.get("/settings").json()["job_log_limit_mb"] == 0
    refused = server.cli("settings", "undo", "999999", check=False)
    assert refused.returncode != 0
    assert "danlu settings history" in refused.stderr
