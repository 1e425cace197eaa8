"""More connections than a process may usually have files open: the server goes on, and so do its jobs."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.installation import LiveServer, live_server

pytestmark = pytest.mark.e2e

USUAL = 1024
UNFINISHED = b"POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


@contextlib.contextmanager
def usual_limit() -> Iterator[None]:
    """What is started meanwhile may have as many files open as people usually may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL, hard))
    try:
        with pytest.MonkeyPatch.context() as patch:
            # A process of its own: one that was there before has the limits from before.
            patch.setenv("PYTHONHASHSEED", "7")
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with contextlib.ExitStack() as stack:
        with usual_limit():
            data = tmp_path_factory.mktemp("crowd") / "danlu"
            running = stack.enter_context(live_server(data))
        yield running


@pytest.fixture
def crowd(server: LiveServer) -> Iterator[list[socket.socket]]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    parts = urlsplit(server.url)
    connections = []
    try:
        for _ in range(1200):
            connections.append(socket.create_connection((parts.hostname, parts.port), 30))
            connections[-1].sendall(UNFINISHED)
        yield connections
    finally:
        for each in connections:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_strangers_by_the_thousand_keep_nobody_out(
    server: LiveServer, crowd: list[socket.socket], tmp_path: Path
) -> None:
    assert len(crowd) == 1200
    told = tmp_path / "limit"
    job = server.submit(f"ulimit -Sn > {told}; ulimit -Hn >> {told}")
    assert server.wait_ended(job)["job"]["state"] == "succeeded"
    for _ in range(5):
        with server.client(server.token) as fresh:
            assert fresh.get("/jobs").status_code == 200
    # A job may have as many files open as who started the server, no more.
    assert told.read_text().split()[0] == str(USUAL)
    assert "Traceback" not in server.log()
