"""A server on an old copy of its database does not lead nodes that have followed a later one."""

from __future__ import annotations

import shutil
from pathlib import Path

import httpx
import pytest

from danlu.store.archive.restoring import NUMBERS_APART
from tests.support.installation import LiveServer, wait_until
from tests.support.ports import free_port

pytestmark = pytest.mark.e2e


def refuses(server: LiveServer) -> bool:
    """It did not start, or it answers with the reason; which of them depends on when its node was heard."""
    assert server.process is not None
    if server.process.poll() is not None:
        return server.process.returncode == 1 and "follow a server of another copy" in server.output()
    try:
        answer = server.http.post("/jobs", json={"command": "true", "directory": "/tmp"})
    except (httpx.HTTPError, OSError, ValueError):
        return False
    return answer.status_code == 503 and answer.json()["code"] == "database_superseded"


def test_an_old_copy_is_refused_until_an_admin_says_that_it_counts(tmp_path: Path) -> None:
    options = ("--cluster", "--simulate", "2", "--messages-port", str(free_port()))
    server = LiveServer(tmp_path / "danlu", *options).start()
    try:
        file, copy = server.data / "danlu.db", tmp_path / "copy.db"
        server.wait_ended(server.submit("true"))
        server.stop()
        shutil.copy(file, copy)
        # The node follows the next server, of the database as it is now.
        server.start()
        last = server.submit("true")
        server.wait_ended(last)
        server.stop()
        shutil.copy(copy, file)
        try:
            server.start()
        except AssertionError:
            assert "follow a server of another copy" in server.output()
        wait_until(lambda: refuses(server), 60, f"a refusal:\n{server.output()}\n{server.log()[-2000:]}")
        if server.process is not None and server.process.poll() is None:
            ready = httpx.get(f"{server.url}/ready")
            assert (ready.status_code, ready.json()["code"]) == (503, "database_superseded")
            said = server.cli("status", check=False)
            assert "another copy" in said.stderr
            assert "danlu database reinstate" in said.stderr
        server.stop()
        with pytest.raises(AssertionError, match="danlu database reinstate"):
            server.start()
        assert "Out of use" in server.cli("database", "show").stdout
        server.cli("database", "reinstate")
        server.start()
        job = server.submit("true")
        assert job > NUMBERS_APART > last
        server.wait_ended(job)
    finally:
        # With its agent, which goes on without a server.
        server.cli("down", check=False)
        wait_until(lambda: not server.keeper_pids(), 20, "the keeper's leaving")
