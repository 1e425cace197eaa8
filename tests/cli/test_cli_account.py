"""`danlu login`, `logout`, `whoami` on another machine."""

from __future__ import annotations

import io
import stat
import sys

import pytest

from danlu.cli.commands.account import clean_url
from danlu.cli.refusals import Refused
from danlu.sdk.connecting.profiles import profiles_path, read_profiles
from tests.sdk.servers import Answer, problem

ME = {"name": "alice", "role": "member", "must_change_password": False, "csrf_token": None}


@pytest.fixture
def typed(monkeypatch):
    """A user at the terminal who types these passwords."""
    passwords: list[str] = []
    monkeypatch.setattr("danlu.cli.session.Session.can_ask", True)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: passwords.pop(0))
    return passwords


def a_login_server(server, **more):
    server.on("POST /auth/token", {"name": "alice", "secret": "s1", "must_change_password": False, **more})
    server.on("GET /me", ME)
    server.on("POST /auth/logout", Answer(204))
    server.on("POST /me/password", Answer(204))


def test_a_password_becomes_a_token_that_only_the_user_can_read(alone, server, typed):
    a_login_server(server)
    typed.append("correct horse")
    said = alone("login", server.url.removeprefix("http://") + "/", "--user", "alice")
    assert said.code == 0
    assert "alice" in said.out
    path = profiles_path(alone.environment)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_profiles(path).profiles["default"].token == "s1"
    assert server.seen[0].json == {"name": "alice", "password": "correct horse"}
    assert "correct horse" not in path.read_text() + said.out + said.err
    said = alone("whoami")
    assert "by profile default" in said.out
    assert server.seen[-1].headers["authorization"] == "Bearer s1"


def test_a_password_set_by_somebody_else_is_changed_at_once(alone, server, typed):
    a_login_server(server, must_change_password=True)
    typed.extend(["first pass", "short", "long enough", "mistyped", "long enough", "long enough"])
    assert alone("login", server.url, "--user", "alice").code == 0
    (change,) = server.asked("POST /me/password")
    assert change.json == {"new": "long enough", "old": "first pass"}
    assert change.headers["authorization"] == "Bearer s1"


def test_a_wrong_password_keeps_nothing(alone, server, typed):
    server.on("POST /auth/token", problem("wrong_password", 401, "Wrong.", hint="Check."))
    typed.append("guess")
    assert alone("login", server.url, "--user", "alice") == (1, "", "danlu: Wrong.\n       Check.\n")
    assert not profiles_path(alone.environment).exists()


def test_a_token_comes_from_standard_input(alone, server, monkeypatch):
    a_login_server(server)
    monkeypatch.setattr(sys, "stdin", io.StringIO("s2\n"))
    assert alone("login", server.url, "--profile", "lab", "--token-stdin").code == 0
    assert read_profiles(profiles_path(alone.environment)).profiles["lab"].token == "s2"
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert alone("login", server.url, "--token-stdin").code == 2


def test_without_a_terminal_no_password_is_asked_for(alone, server):
    said = alone("login", server.url)
    assert (said.code, server.seen) == (2, [])
    assert "--token-stdin" in said.err


def test_logging_out_revokes_and_forgets(alone, server, typed):
    a_login_server(server)
    typed.append("correct horse")
    alone("login", server.url, "--user", "alice")
    assert alone("logout").code == 0
    assert server.seen[-1].path == "/auth/logout"
    assert server.seen[-1].headers["authorization"] == "Bearer s1"
    assert read_profiles(profiles_path(alone.environment)).profiles == {}
    assert alone("logout").code == 1


def test_a_token_that_cannot_be_revoked_is_forgotten_all_the_same(alone, server, typed):
    a_login_server(server)
    typed.append("correct horse")
    alone("login", server.url, "--user", "alice")
    server.close()
    said = alone("logout")
    assert said.code == 0
    assert "still valid there" in said.err


def test_a_link_for_the_browser(danlu, server):
    link = f"{server.url}/#/login?code=abc"
    server.on("POST /me/link", {"url": link, "expires_at": 4e9})
    said = danlu("login", "--link")
    assert (said.code, said.out) == (0, link + "\n")


def test_login_without_an_address_needs_one_known(alone, server, typed):
    said = alone("login")
    assert said.code == 2
    a_login_server(server)
    typed.extend(["correct horse", "correct horse"])
    alone("login", server.url, "--user", "alice")
    assert alone("login").code == 0


def test_an_unknown_profile_is_named_with_the_known_ones(alone, server, typed):
    a_login_server(server)
    typed.append("correct horse")
    alone("login", server.url, "--user", "alice", "--profile", "lab")
    said = alone("ps", "--profile", "lap")
    assert said.code == 1
    assert "lap" in said.err
    assert "lab" in said.err


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("lab:8642", "http://lab:8642"),
        ("https://lab/", "https://lab"),
        ("http://lab/danlu/api/v1/", "http://lab/danlu"),
        ("http://[::1]:8642", "http://[::1]:8642"),
    ],
)
def test_addresses_are_cleaned(text, url):
    assert clean_url(text) == url


@pytest.mark.parametrize("text", ["ftp://lab", "http://", "http://a:b@lab", "http://lab:x", "http://l b", ""])
def test_bad_addresses_are_refused(text):
    with pytest.raises(Refused):
        clean_url(text)
