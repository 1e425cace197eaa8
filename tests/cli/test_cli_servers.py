"""Installations with several servers, as the command line sees them."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.cli.other_servers import MOST, merge_others
from danlu.cli.session import is_local
from danlu.sdk.connecting.profiles import Profile, ServerPlace, profiles_path, read_profiles
from danlu.wire.server import ServerRow
from tests.cli.rows import a_node
from tests.cli.test_cli_account import ME
from tests.sdk.servers import RecordingServer
from tests.support.ports import free_port

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
places = st.builds(ServerPlace, st.sampled_from(URLS), st.sampled_from(KEYS))
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
    heard = [ServerPlace(row.url, row.fingerprint) for row in found]
    for place in merged:
        assert place.url != url
        assert place.url.startswith("https:") or not url.startswith("https:")
        assert place.url.startswith("https:") or is_local(url) == is_local(place.url)
        assert is_local(url) or not is_local(place.url)
        assert pin is None or place.fingerprint not in (None, pin)
        assert place in heard or place in profile.others
    assert len({place.url for place in merged}) == len(merged)
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


def test_who_came_through_a_tunnel_keeps_no_plain_address_beyond_it():
    lan = ServerRow(url="http://10.0.0.1:8642", role="leader", since=0.0)
    assert merge_others(Profile("http://127.0.0.1:8642", "li", "t"), [lan]) == ()
    # Nor one that was kept before.
    before = Profile("http://127.0.0.1:8642", "li", "t", None, (ServerPlace(lan.url),))
    assert merge_others(before, []) == ()
    assert merge_others(Profile("http://10.0.0.2:8642", "li", "t"), [lan]) == (ServerPlace(lan.url),)


def test_a_kept_key_is_not_forgotten_for_a_row_without_one():
    known = ServerPlace("https://b:1", "SHA256:two")
    profile = Profile("https://a:1", "li", "t", "SHA256:one", (known,))
    assert merge_others(profile, [ServerRow(url=known.url, role="standby", since=0.0)]) == (known,)


def test_logging_in_again_does_not_forget_who_is_away(alone, server, token, monkeypatch):
    server.on("GET /me", ME)
    with RecordingServer(rules={"GET /me": ME}) as standby:
        server.on("GET /servers", [a_server_row(server.url, "leader"), a_server_row(standby.url)])
        alone("login", server.url, "--token-stdin")
        server.close()
        standby.on("GET /servers", [a_server_row(standby.url, "leader")])
        for words in ([], [standby.url]):
            monkeypatch.setattr(sys, "stdin", io.StringIO("s2\n"))
            said = alone("login", *words, "--token-stdin")
            assert (said.code, others(alone)) == (0, [server.url]), said.err
        # Another installation has nothing to do with them.
        with RecordingServer(rules={"GET /me": ME}) as stranger:
            monkeypatch.setattr(sys, "stdin", io.StringIO("s3\n"))
            assert alone("login", stranger.url, "--token-stdin").code == 0
            assert others(alone) == []


def test_logins_that_cannot_be_read_do_not_matter_to_who_needs_none(danlu, server):
    server.on("GET /version", {"name": "danlu", "version": "1", "api": "v1"})
    server.on("GET /status", STATUS)
    server.on("GET /servers", [a_server_row(server.url, "leader")])
    path = profiles_path(danlu.environment)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{broken")
    said = danlu("status")
    assert said.code == 0, said.err
    assert path.read_text() == "{broken"


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


def test_that_no_standby_is_left_is_said(alone, server, token):
    server.on("GET /me", ME)
    server.on("GET /version", {"name": "danlu", "version": "1", "api": "v1"})
    server.on("GET /status", STATUS)
    gone = a_server_row("http://127.0.0.1:1", "lost")
    server.on("GET /servers", [a_server_row(server.url, "leader"), gone])
    alone("login", server.url, "--token-stdin")
    assert others(alone) == []
    said = alone("status").out
    assert "Lost:    http://127.0.0.1:1" in said
    assert "WARNING: no standby is left" in said
    assert server.asked("GET /servers")[-1].query == {"lost": "true"}
    rows = [a_server_row(server.url, "leader"), a_server_row("http://127.0.0.1:2"), gone]
    server.on("GET /servers", rows)
    assert "WARNING" not in alone("status").out
    server.on("DELETE /servers", {})
    assert alone("nodes", "forget-server", "http://127.0.0.1:1/").code == 0
    assert server.asked("DELETE /servers")[0].query == {"url": "http://127.0.0.1:1"}


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
