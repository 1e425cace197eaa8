"""The server dies at each named point; started again, the job has run exactly once and its end is known."""

from __future__ import annotations

import httpx
import pytest

from tests.support.crashing_server import POINTS
from tests.support.installation import LiveServer, clear_away, wait_until
from tests.support.story import check_story, read_events

pytestmark = pytest.mark.e2e


def insist(server: LiveServer, fields: dict, key: str) -> tuple[int, bool]:
    """Submit until there is an answer; the job's id, and whether the server died under a request."""
    died = False
    while True:
        try:
            reply = server.client(server.token).post("/jobs", json=fields, headers={"Idempotency-Key": key})
        except httpx.HTTPError:
            server.wait_dead()
            server.start()
            died = True
            continue
        assert reply.status_code == 201, reply.text
        return int(reply.json()["id"]), died


@pytest.mark.parametrize("point", POINTS)
def test_killed_at(point, tmp_path):
    marker = tmp_path / "died"
    entry = ("-m", "tests.support.crashing_server", point, str(marker))
    server = LiveServer(tmp_path / "danlu", "--simulate", "2", entry=entry).start()
    try:
        fields = {
            "command": f"echo ran >> {tmp_path}/runs; sleep 0.3; exit 4",
            "directory": "/tmp",
            "gpus": 2,
        }
        job_id, died = insist(server, fields, "the-key")
        wait_until(marker.exists, what=f"the point {point}")
        if not died:
            server.wait_dead()
            server.start()
        job = server.wait_ended(job_id)["job"]
        assert (job["state"], job["exit_code"], job["attempt"]) == ("failed", 4, 1)
        assert (tmp_path / "runs").read_text() == "ran\n"
        assert server.http.get("/jobs").json()["counts"] == {"waiting": 0, "running": 0, "history": 1}
        check_story(read_events(server.data))
        # What it held is free again: a job that wants everything starts.
        assert server.wait_ended(server.submit("true", gpus=2))["job"]["state"] == "succeeded"
    finally:
        clear_away(server)
