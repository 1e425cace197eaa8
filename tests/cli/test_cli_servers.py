"""Installations with several servers, as the command line sees them."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.cli.other_servers import MOST, merge_others
from danlu.sdk.profiles import Place, Profile, profiles_path, read_profiles
from danlu.wire.server import ServerRow
from tests.cli.rows import a_node
from tests.cli.test_cli_account import ME
from tests.sdk.servers import RecordingServer
from tests.support.messages import free_port

URLS = [f"{scheme}://{host}:1" for scheme in ("http", "https") for host in ("a", "b", "c", "127.0.0.1")]
KEYS = [None, "SHA256:one", "SHA256:two"]
STATUS = {
    "waiting": 0,
    "running": 0,
    "nodes_up": 1,
    "nodes": 1,
    "gpus": 0,
    "gpus_used": 0,
    "paused": False,
    "policy": "fifo",
}
places = st.builds(Place, st.sampled_from(URLS), st.sampled_from(KEYS))
rows = st.builds(
    ServerRow,
    url=st.sampled_from(URLS),
    role=st.sampled_from(["leader", "standby"]),
    since=st.just(0.0),
    fingerprint=st.sampled_from(KEYS),
)


def a_server_row(url: str, role: str = "standby", **more: Any) -> dict[str, Any]:
    return {"url": url, "role": role, "since": 0.0, **more}


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("s1\n"))


def others(alone) -> list[str]:
    profile = read_profiles(profiles_path(alone.environment)).profiles["default"]
    return [place.url for place in profile.others]


@given(url=st.sampled_from(URLS), pin=st.sampled_from(KEYS), known=st.lists(places), found=st.lists(rows))
def test_no_token_goes_where_it_would_be_less_safe(url, pin, known, found):
    profile = Profile(url, "li", "t", pin, tuple(known[:MOST]))
    merged = merge_others(profile, found)
    added = [place for place in merged if place not in profile.others]
    for place in added:
        assert place.url != url
        assert place.url.startswith("https:") or not url.startswith("https:")
        assert "127.0.0.1" not in place.url or "127.0.0.1" in url
        assert (place.url, place.fingerprint) in [(row.url, row.fingerprint) for row in found]
    assert len(merged) <= MOST
    assert merge_others(Profile(url, "li", "t", pin, merged), found) == merged


def test_logging_in_learns_the_others_and_they_are_asked_when_it_is_away(alone, server, token):
    server.on("GET /me", ME)
    with RecordingServer(rules={"GET /me": ME}) as standby:
        server.on("GET /servers", [a_server_row(server.url, "leader"), a_server_row(standby.url)])
        said = alone("login", f"127.0.0.1:{free_port()},{server.url}", "--token-stdin")
        assert said.code == 0, said.err
        assert standby.url in said.out
        assert others(alone) == [standby.url]
        server.close()
        assert standby.url in alone("whoami").out
        assert standby.seen[-1].headers["authorization"] == "Bearer s1"


def test_when_none_is_there_each_is_named(alone, server, token):
    server.on("GET /me", ME)
    gone = f"http://127.0.0.1:{free_port()}"
    server.on("GET /servers", [a_server_row(server.url, "leader"), a_server_row(gone)])
    alone("login", server.url, "--token-stdin")
    server.close()
    said = alone("whoami")
    assert said.code == 1
    assert all(url in said.err for url in (server.url, gone))
    assert "没有应答" in alone("whoami", lang="zh_CN.UTF-8").err
    more = f"http://127.0.0.1:{free_port()}"
    said = alone("login", f"{gone},{more}", "--token-stdin")
    assert (said.code, gone in said.err, more in said.err) == (1, True, True)


def test_who_leads_is_shown_and_newcomers_are_remembered(alone, server, token):
    server.on("GET /me", ME)
    server.on("GET /version", {"name": "danlu", "version": "1", "api": "v1"})
    server.on("GET /status", STATUS)
    server.on("GET /nodes", [a_node(version="1.0", address="10.0.0.1")])
    server.on("GET /servers", [a_server_row(server.url, "leader")])
    alone("login", server.url, "--token-stdin")
    assert others(alone) == []
    assert "Leader" not in alone("nodes").out
    server.on("GET /servers", [a_server_row(server.url, "leader"), a_server_row("http://127.0.0.1:1")])
    said = alone("nodes").out
    assert f"Leader:  {server.url}" in said
    assert "Standby: http://127.0.0.1:1" in said
    assert others(alone) == ["http://127.0.0.1:1"]
    # It is away for a while, and another has come.
    server.on("GET /servers", [a_server_row(server.url, "leader"), a_server_row("http://127.0.0.1:2")])
    assert "http://127.0.0.1:2" in alone("status").out
    assert others(alone) == ["http://127.0.0.1:2", "http://127.0.0.1:1"]
