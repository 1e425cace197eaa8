"""Danlu behind nginx, with the configuration of the administrator guide."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from danlu.sdk.client import Client
from danlu.sdk.connecting import dialing
from tests.docs.guides import blocks_of
from tests.support.authority import Authority
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.ports import free_port

pytestmark = pytest.mark.e2e

CLIENT_ADDRESS = "127.0.0.2"
FORGED = "203.0.113.9"


@dataclass(frozen=True)
class Proxied:
    """A server at `url`, below a sub-path of nginx."""

    server: LiveServer
    url: str
    authority: Authority

    def browser(self, **headers: str) -> httpx.Client:
        """A client whose address is not the proxy's own."""
        trusting = ssl.create_default_context(cafile=self.authority.file)
        transport = httpx.HTTPTransport(verify=trusting, local_address=CLIENT_ADDRESS)
        return httpx.Client(base_url=self.url, transport=transport, headers=headers, timeout=20)


@pytest.fixture(scope="module", params=["kept", "taken away"])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    """nginx as the guide sets it up, and as others do: with the sub-path taken away."""
    if shutil.which("nginx") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("there is no nginx")
        pytest.skip("there is no nginx")
    folder = tmp_path_factory.mktemp("proxy")
    authority = Authority(folder)
    port = free_port()
    url = f"https://localhost:{port}/danlu"
    options = ("--simulate", "1", "--trusted-proxy", "127.0.0.1", "--url", url)
    with live_server(folder / "danlu", *options) as server:
        upstream = int(server.url.rpartition(":")[2])
        with nginx(folder, authority, port, upstream, taken_away=request.param == "taken away"):
            yield Proxied(server, url, authority)


@contextmanager
def nginx(
    folder: Path, authority: Authority, port: int, upstream: int, *, taken_away: bool
) -> Iterator[None]:
    (block,) = [block for block in blocks_of(Path("docs/admin-guide.md")) if block.language == "nginx"]
    site = "\n".join(block.lines)
    certificate, key = authority.issue("localhost", "127.0.0.1")
    for said, ours in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/certs/gpu.lab.pem", str(certificate)),
        ("/etc/ssl/private/gpu.lab.key", str(key)),
        ("http://127.0.0.1:8642", f"http://127.0.0.1:{upstream}" + ("/" if taken_away else "")),
    ):
        assert said in site
        site = site.replace(said, ours)
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "\n".join(f"{name}_temp_path {folder}/{name};" for name in names)
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{folders}\n{site}\n}}\n"
    )
    process = subprocess.Popen(["nginx", "-c", str(config), "-p", str(folder)], stderr=subprocess.PIPE)
    try:
        wait_until(lambda: process.poll() is not None or is_open(port), 20, "nginx")
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        yield
    finally:
        process.terminate()
        process.wait(10)


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def last_failed_login(server: LiveServer) -> str:
    return re.findall(r"wrong password from (\S+)", server.log())[-1]


def test_the_page_and_its_link_work_below_the_sub_path(proxied):
    link = re.search(r"(https://\S+)#login=(\S+)", proxied.server.output())
    assert link[1] == f"{proxied.url}/"
    code = proxied.server.http.post("/me/link").json()["url"].partition("#login=")[2]
    with proxied.browser(Origin=proxied.url.removesuffix("/danlu")) as browser:
        page = browser.get("/")
        assert '<base href="/danlu/"' in page.text
        parts = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page.text)
        assert parts
        assert all(browser.get(f"/{part}").status_code == 200 for part in parts)
        me = browser.post("/api/v1/auth/link", json={"code": code})
        assert me.status_code == 200
        cookie = me.headers["set-cookie"]
        assert "Path=/danlu;" in cookie
        assert "Secure" in cookie
        browser.headers["X-CSRF-Token"] = me.json()["csrf_token"]
        made = browser.post("/api/v1/me/link")
        assert made.json()["url"].startswith(f"{proxied.url}/#login=")
        assert browser.post("/api/v1/auth/logout").status_code == 204
        assert browser.get("/api/v1/me").status_code == 401


def test_without_its_slash_the_sub_path_leads_to_the_page(proxied):
    with proxied.browser() as browser:
        moved = browser.get(proxied.url)
        assert moved.has_redirect_location
        assert moved.next_request.url.path == "/danlu/"


def test_a_page_of_another_site_cannot_log_anybody_in(proxied):
    with proxied.browser(Origin="https://evil.example") as browser:
        refused = browser.post("/api/v1/auth/login", json={"name": "li", "password": "guess me"})
        assert (refused.status_code, refused.json()["code"]) == (403, "foreign_origin")


def test_the_address_of_a_client_is_nginxs_word_and_not_its_own(proxied):
    wrong = {"name": "nobody-here", "password": "guess me"}
    with proxied.browser(**{"X-Forwarded-For": FORGED, "Forwarded": f"for={FORGED}"}) as browser:
        assert browser.post("/api/v1/auth/token", json=wrong).status_code == 401
    assert last_failed_login(proxied.server) == CLIENT_ADDRESS


def test_a_forged_header_is_believed_from_nobody_but_the_proxy(tmp_path):
    with live_server(tmp_path / "danlu", "--simulate", "1", "--trusted-proxy", "10.9.9.9") as server:
        forged = {
            "X-Forwarded-For": FORGED,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Prefix": "/evil",
        }
        with server.client(**forged) as browser:
            wrong = {"name": "nobody-here", "password": "guess me"}
            assert browser.post("/auth/token", json=wrong).status_code == 401
            assert last_failed_login(server) == "127.0.0.1"
        with server.client(server.token, **forged) as browser:
            link = browser.post("/me/link").json()["url"]
            assert link.startswith(f"{server.url}/#login=")
        with server.client(**forged) as browser:
            cookie = browser.post("/auth/link", json={"code": link.partition("#login=")[2]}).headers[
                "set-cookie"
            ]
            assert "Secure" not in cookie
            assert "Path=/;" in cookie


def test_a_name_that_the_server_does_not_have_is_refused(proxied):
    for name in ("evil.example", "localhost.evil.example"):
        with proxied.browser(Host=name) as browser:
            refused = browser.get("/api/v1/version")
            assert (refused.status_code, refused.json()["code"]) == (421, "wrong_host")
    direct = httpx.get(f"{proxied.server.url}/api/v1/version", headers={"Host": "evil.example"})
    assert direct.status_code == 421


def test_streams_come_through_at_once(proxied, monkeypatch):
    """A log that is followed while it grows: each line is seen before the next one is written."""
    monkeypatch.setenv("SSL_CERT_FILE", str(proxied.authority.file))
    dialing._trusting.cache_clear()
    gate = proxied.server.data.parent / f"gate-{os.getpid()}-{id(proxied)}"
    job = proxied.server.submit(f"echo first; while [ ! -e {gate} ]; do sleep 0.05; done; echo second")
    with Client(proxied.url, proxied.server.token) as client:
        pieces = iter(client.jobs.follow(job))
        assert next(pieces) == b"first\n"
        gate.touch()
        assert next(pieces) == b"second\n"
    dialing._trusting.cache_clear()


def test_the_command_line_logs_in_through_the_proxy(proxied, tmp_path):
    environment = {"SSL_CERT_FILE": str(proxied.authority.file), "XDG_CONFIG_HOME": str(tmp_path)}
    token = proxied.server.http.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
    proxied.server.cli("login", f"{proxied.url}/", "--token-stdin", text_in=token, env=environment)
    done = proxied.server.cli("run", "--profile", "default", "--", "echo", "hello", env=environment)
    assert done.stdout == "hello\n"
