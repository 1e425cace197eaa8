"""A server for the whole network, and people at other machines."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from danlu.sdk.client import Client
from danlu.sdk.connecting.pinning import fingerprint_of
from tests.support.authority import Authority
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.network import OtherMachine, other_machine

pytestmark = pytest.mark.e2e

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
BROWSER = """
import http.client, json, ssl, sys
from urllib.parse import urlsplit
url, code = sys.argv[1].split("#login=")
parts = urlsplit(url)
def ask(method, path, body=None, **headers):
    connection = http.client.HTTPSConnection(
        parts.hostname, parts.port, context=ssl._create_unverified_context(), timeout=20
    )
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()
origin = f"{parts.scheme}://{parts.netloc}"
status, _, page = ask("GET", "/")
assert status == 200 and 'id="root"' in page, page
said = {"Content-Type": "application/json", "Origin": origin}
status, headers, me = ask("POST", "/api/v1/auth/link", json.dumps({"code": code}), **said)
assert status == 200, me
again = ask("POST", "/api/v1/auth/link", json.dumps({"code": code}), **said)[0]
cookie = headers["Set-Cookie"]
secret = cookie.partition(";")[0]
mine = ask("GET", "/api/v1/me", Cookie=secret)[2]
foreign = ask("POST", "/api/v1/auth/link", json.dumps({"code": code}), **{**said, "Origin": "https://evil.example"})
print(json.dumps({"cookie": cookie, "me": json.loads(mine), "again": again, "foreign": foreign[0]}))
"""


@pytest.fixture(scope="module")
def colleague() -> Iterator[OtherMachine]:
    with other_machine() as machine:
        yield machine


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("lan") / "danlu"
    with live_server(data, "--host", "0.0.0.0", "--simulate", "2") as running:
        yield running


def printed(server: LiveServer, pattern: str) -> str:
    found = re.search(pattern, server.output())
    assert found, server.output()
    return found[1]


def test_it_is_encrypted_and_says_by_which_key_it_is_known(server):
    pinned = printed(server, r"--fingerprint (SHA256:\S+)")
    pem = ssl.get_server_certificate(("127.0.0.1", int(server.url.rpartition(":")[2])))
    der = ssl.PEM_cert_to_DER_cert(pem)
    assert fingerprint_of(der) == pinned
    assert pinned in server.cli("status").stdout
    # Who asks here is told where others find it: the same server, by the same key.
    told = server.http.get("/servers").json()
    address = printed(server, r"danlu login (https://\S+)")
    assert [(row["url"], row["fingerprint"]) for row in told] == [(address, pinned)]
    assert "NOT ENCRYPTED" not in server.output()


def test_on_its_own_machine_everything_works_as_ever(server):
    assert server.cli("run", "--", "echo", "hello").stdout == "hello\n"
    assert server.cli("whoami").returncode == 0


def test_the_printed_link_works_once_at_another_machine(server, colleague, tmp_path):
    link = printed(server, r"(https://\S+#login=\S+)")
    seen = json.loads(colleague.python(BROWSER, link, home=tmp_path))
    assert seen["me"]["role"] == "admin"
    assert seen["again"] == 401
    assert seen["foreign"] == 403
    assert all(part in seen["cookie"] for part in ("Secure", "HttpOnly", "SameSite=strict", "Path=/;"))


def test_a_fresh_link_works_at_another_machine_too(server, colleague, tmp_path):
    link = server.cli("login", "--link").stdout.strip()
    assert json.loads(colleague.python(BROWSER, link, home=tmp_path))["me"]["role"] == "admin"


def test_who_can_merely_connect_gets_no_link(server, colleague, tmp_path):
    address = printed(server, r"danlu login (https://\S+)")
    done = colleague.run("curl", "-ks", "-X", "POST", f"{address}/api/v1/me/link", home=tmp_path)
    assert json.loads(done.stdout)["code"] == "not_signed_in"
    done = colleague.run("curl", "-ks", f"{address}/", home=tmp_path)
    assert "#login=" not in done.stdout


def test_a_colleague_logs_in_follows_and_is_protected_by_the_pin(server, colleague, tmp_path):
    address, pinned = (
        printed(server, r"danlu login (https://\S+)"),
        printed(server, r"--fingerprint (SHA256:\S+)"),
    )
    token = server.http.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
    refused = colleague.danlu("login", address, "--token-stdin", home=tmp_path, text_in=f"{token}\n")
    assert refused.returncode == 1
    assert f"--fingerprint {pinned}" in refused.stderr
    done = colleague.danlu(
        "login", address, "--token-stdin", "--fingerprint", pinned, home=tmp_path, text_in=f"{token}\n"
    )
    assert done.returncode == 0, done.stderr
    done = colleague.danlu("run", "--dir", "/tmp", "--", "echo from afar", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "from afar\n")
    profiles = tmp_path / ".config" / "danlu" / "profiles.json"
    profiles.write_text(profiles.read_text().replace(pinned, "SHA256:" + "A" * 43))
    done = colleague.danlu("ps", home=tmp_path)
    assert done.returncode == 1
    assert pinned in done.stderr


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/danlu.svg"),
        ("GET", "/assets/nothing.js"),
        ("GET", "/nowhere"),
        ("DELETE", "/"),
        ("GET", "/api/v1/version"),
        ("GET", "/api/v1/me"),
        ("GET", "/api/v1/jobs"),
        ("GET", "/api/v1/jobs/999"),
        ("GET", "/api/v1/openapi.json"),
        ("POST", "/api/v1/jobs"),
        ("POST", "/api/v1/auth/login"),
    ],
)
def test_every_answer_has_its_security_headers(server, method, path):
    reply = httpx.request(method, server.url + path, verify=False)
    assert {name: reply.headers.get(name) for name in HEADERS} == HEADERS
    policy = reply.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy if reply.headers["content-type"].startswith("text/html") else True
    # No authority vouches for this certificate: browsers must be able to go on.
    assert "strict-transport-security" not in reply.headers


def test_streams_have_their_security_headers_and_pass_proxies_at_once(server):
    with server.http.stream("GET", "/events") as reply:
        assert {name: reply.headers.get(name) for name in HEADERS} == HEADERS
        assert reply.headers["x-accel-buffering"] == "no"


def test_the_key_stays_over_a_restart(tmp_path):
    with live_server(tmp_path / "danlu", "--host", "0.0.0.0", "--simulate", "1") as server:
        first = json.loads((server.data / "server.json").read_text())["fingerprint"]
        server.stop()
        server.start()
        assert json.loads((server.data / "server.json").read_text())["fingerprint"] == first


def test_a_client_that_never_finishes_its_headers_is_hung_up_on(tmp_path):
    with live_server(tmp_path / "danlu", "--simulate", "1", entry=("-m", "tests.e2e.hasty_server")) as server:
        host, port = server.url.removeprefix("http://").split(":")
        slow = socket.create_connection((host, int(port)), 20)
        slow.sendall(b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert slow.recv(100) == b""
        # One with whole headers is served as long as it likes.
        with Client(data=server.data) as client:
            stream = client.service.events(after=0)
            assert next(stream)


class TestASitesOwnCertificate:
    def test_it_is_trusted_through_its_authority_and_replaced_without_a_restart(self, tmp_path):
        authority = Authority(tmp_path)
        certificate, key = authority.issue("localhost", "127.0.0.1", days=20)
        options = (
            "--host",
            "127.0.0.1",
            "--tls-cert",
            str(certificate),
            "--tls-key",
            str(key),
            "--simulate",
            "1",
        )
        with live_server(tmp_path / "danlu", *options) as server:
            assert "WARNING: the certificate expires on" in server.output()
            trusting = {"SSL_CERT_FILE": str(authority.file), "XDG_CONFIG_HOME": str(tmp_path / "config")}
            token = server.http.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
            url = server.url.replace("127.0.0.1", "localhost")
            done = server.cli("login", url, "--token-stdin", text_in=token, env=trusting)
            assert "fingerprint" not in (tmp_path / "config" / "danlu" / "profiles.json").read_text()
            assert server.cli("status", "--profile", "default", env=trusting).stdout.count("trusts") == 1
            refused = server.cli(
                "ps", "--profile", "default", check=False, env={**trusting, "SSL_CERT_FILE": ""}
            )
            assert (done.returncode, refused.returncode) == (0, 1)

            before = json.loads((server.data / "server.json").read_text())["fingerprint"]
            new = authority.issue("localhost", "127.0.0.1", stem="new")
            key.write_bytes(new[1].read_bytes())
            certificate.write_bytes(new[0].read_bytes())
            wait_until(
                lambda: json.loads((server.data / "server.json").read_text())["fingerprint"] != before,
                30,
                "the new certificate",
            )
            assert server.cli("ps").returncode == 0
            assert server.cli("status", "--profile", "default", env=trusting).returncode == 0

    @pytest.mark.parametrize("fault", ["missing", "mismatch", "expired"])
    def test_one_that_cannot_be_used_is_refused_at_the_start(self, tmp_path, fault):
        authority = Authority(tmp_path)
        certificate, key = authority.issue("localhost", days=-1 if fault == "expired" else 90)
        if fault == "missing":
            key = tmp_path / "nowhere.key"
        elif fault == "mismatch":
            key = authority.issue("localhost", stem="other")[1]
        done = danlu_up(tmp_path / "danlu", "--tls-cert", str(certificate), "--tls-key", str(key))
        assert done.returncode == 1
        assert str(tmp_path) in done.stderr
        assert "Traceback" not in done.stderr


def test_in_the_clear_it_says_so_loudly(tmp_path):
    with live_server(tmp_path / "danlu", "--host", "0.0.0.0", "--plain-http", "--simulate", "1") as server:
        assert "NOT ENCRYPTED" in server.output()
        assert server.url.startswith("http://")


def test_options_that_make_no_sense_are_refused(tmp_path):
    for words in (["--tls-cert", "x"], ["--url", "gpu"], ["--trusted-proxy", "gpu"], ["--root-path", "x"]):
        done = danlu_up(tmp_path / "danlu", *words)
        assert done.returncode == 2
        assert words[0] in done.stderr
        assert "Traceback" not in done.stderr


def danlu_up(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return LiveServer(data).cli("up", "--data", str(data), "--port", "0", *words, check=False)
