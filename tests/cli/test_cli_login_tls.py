"""`danlu login` to a server that no authority vouches for."""

from __future__ import annotations

import io
import ssl
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.sdk.connecting.pinning import fingerprint_of
from danlu.sdk.connecting.profiles import (
    Profile,
    Profiles,
    ServerPlace,
    profiles_path,
    read_profiles,
    write_profiles,
)
from tests.cli.test_cli_account import ME
from tests.sdk.servers import Answer, RecordingServer
from tests.support.authority import Authority
from tests.support.ports import free_port

OTHER = "SHA256:" + "A" * 43


def a_tls_server(files: tuple[Path, Path], port: int = 0) -> RecordingServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    server = RecordingServer(port, context)
    server.on("POST /auth/token", {"name": "alice", "secret": "s1", "must_change_password": False})
    server.on("GET /me", ME)
    server.on("GET /version", {"name": "danlu", "version": "1", "api": "v1"})
    server.on("POST /auth/logout", Answer(204))
    return server


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def server(authority: Authority) -> Iterator[RecordingServer]:
    with a_tls_server(authority.issue("gpu.lab")) as running:
        yield running


@pytest.fixture
def key(server: RecordingServer) -> str:
    pem = ssl.get_server_certificate(("127.0.0.1", server.port))
    return fingerprint_of(ssl.PEM_cert_to_DER_cert(pem))


@pytest.fixture
def says(monkeypatch):
    """A user at the terminal who gives these answers, and types this password."""

    def say(*answers: str, password: str = "correct horse") -> None:
        monkeypatch.setattr("danlu.cli.session.Session.can_ask", True)
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        monkeypatch.setattr("getpass.getpass", lambda _prompt: password)

    return say


def pin_of(alone) -> str | None:
    return read_profiles(profiles_path(alone.environment)).profiles["default"].fingerprint


@pytest.mark.parametrize("scheme", ["https://", ""])
def test_the_key_is_shown_agreed_on_and_kept(alone, server, key, says, scheme):
    says("yes")
    said = alone("login", f"{scheme}127.0.0.1:{server.port}/", "--user", "alice")
    assert said.code == 0, said.err
    assert key in said.err
    assert pin_of(alone) == key
    assert alone("whoami").code == 0
    # Known by now: the user is not asked again.
    says()
    assert alone("login", server.url, "--user", "alice").code == 0


def test_the_fingerprint_itself_is_an_answer_too(alone, server, key, says):
    says(key.removeprefix("SHA256:"))
    assert alone("login", server.url, "--user", "alice").code == 0
    assert pin_of(alone) == key


@pytest.mark.parametrize("answer", ["no", "", OTHER])
def test_who_does_not_agree_tells_it_nothing(alone, server, says, answer):
    says(answer)
    assert alone("login", server.url, "--user", "alice").code == 1
    assert server.seen == []
    assert not profiles_path(alone.environment).exists()


def test_without_a_terminal_the_fingerprint_must_be_given(alone, server, key, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("s2\n"))
    said = alone("login", server.url, "--token-stdin")
    assert said.code == 1
    assert f"--fingerprint {key}" in said.err
    assert server.seen == []
    assert alone("login", server.url, "--token-stdin", "--fingerprint", key).code == 0
    assert (pin_of(alone), server.seen[-1].headers["authorization"]) == (key, "Bearer s2")


@pytest.mark.parametrize(
    ("text", "code"), [(OTHER, 1), ("sha256:nonsense", 2), ("", 2)], ids=["another", "nonsense", "empty"]
)
def test_a_wrong_fingerprint_is_refused_before_anything_is_sent(alone, server, says, text, code):
    says()
    assert alone("login", server.url, "--user", "alice", "--fingerprint", text).code == code
    assert server.seen == []


def test_a_changed_key_stops_everything_until_it_is_accepted(alone, authority, server, key, says):
    says("yes")
    alone("login", server.url, "--user", "alice")
    port = server.port
    server.close()
    with a_tls_server(authority.issue("gpu.lab", stem="impostor"), port) as impostor:
        for words in (["whoami"], ["ps"], ["logs", "-f", "1"], ["submit", "--", "true"]):
            said = alone(*words)
            assert said.code == 1
            assert key in said.err
            assert "is impersonating it" in said.err
        assert impostor.seen == []
        said = alone("whoami", lang="zh_CN.UTF-8")
        assert "冒充" in said.err
        says("yes")
        said = alone("login", impostor.url, "--user", "alice")
        assert said.code == 0
        assert "WARNING" in said.err
        assert pin_of(alone) != key


@pytest.mark.parametrize(
    ("lang", "said_so"),
    [("en_US.UTF-8", "is not encrypted and has no key"), ("zh_CN.UTF-8", "未加密，没有密钥")],
    ids=["en", "zh"],
)
def test_a_known_key_is_not_given_up_for_a_plain_address(alone, server, key, says, lang, said_so):
    says("yes")
    alone("login", server.url, "--user", "alice")
    path = profiles_path(alone.environment)
    with RecordingServer() as plain:
        known = read_profiles(path)
        profile = replace(known.profiles["default"], url=plain.url)
        write_profiles(path, known.with_profile("default", profile))
        said = alone("whoami", lang=lang)
        assert (said.code, plain.seen) == (1, [])
        assert said_so in said.err
        assert key in said.err


def test_logging_out_from_a_stranger_keeps_the_token_to_oneself(alone, authority, server, says):
    says("yes")
    alone("login", server.url, "--user", "alice")
    port = server.port
    server.close()
    with a_tls_server(authority.issue("gpu.lab", stem="impostor"), port) as impostor:
        said = alone("logout")
        assert (said.code, impostor.seen) == (0, [])
        assert "still valid there" in said.err


def test_a_plain_server_has_no_fingerprint(alone):
    with RecordingServer() as plain:
        said = alone("login", plain.url, "--fingerprint", OTHER)
        assert (said.code, plain.seen) == (2, [])


def test_a_server_known_by_https_is_never_tried_in_the_clear():
    from danlu.cli.commands.account import find_scheme

    # No server listens there: an attacker who cuts off its TLS looks the same.
    assert find_scheme("127.0.0.1:9", ["https://127.0.0.1:9"]) == "https://127.0.0.1:9"
    assert find_scheme("127.0.0.1:9", ["https://elsewhere:9"]) == "http://127.0.0.1:9"


def test_nor_is_another_server_that_is_known_with_it(alone, server, key, monkeypatch):
    with RecordingServer(rules={"GET /me": ME}) as plain:
        host = plain.url.removeprefix("http://")
        known = Profile(server.url, "alice", "s1", key, (ServerPlace(f"https://{host}", OTHER),))
        write_profiles(profiles_path(alone.environment), Profiles().with_profile("default", known))
        monkeypatch.setattr(sys, "stdin", io.StringIO("s2\n"))
        assert alone("login", host, "--token-stdin").code == 1
        assert plain.seen == []


def test_with_a_fingerprint_too_the_next_one_is_tried(alone, server, key, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("s2\n"))
    addresses = f"https://127.0.0.1:{free_port()},{server.url}"
    said = alone("login", addresses, "--token-stdin", "--fingerprint", key)
    assert said.code == 0, said.err
    profile = read_profiles(profiles_path(alone.environment)).profiles["default"]
    assert (profile.url, profile.fingerprint) == (server.url, key)
