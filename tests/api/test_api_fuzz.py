"""Generated requests against every call of the API: whatever comes, the answer is never a 5xx.

Scheduling stays paused, so that no generated command ever runs on the machine that tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error

from danlu.api.app import make_app
from tests.support.installation import LiveServer, live_server
from tests.support.reading import english_pieces

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(600)]

# Endless streams have tests of their own; stopping the server would end the test.
LEFT_OUT = [
    "/api/v1/events",
    "/api/v1/live",
    "/api/v1/jobs/{job_id}/log/follow",
    "/api/v1/server/log/follow",
    "/api/v1/server/stop",
]
# These end the session that fuzzes.
ENDS_ACCESS = ["/api/v1/auth/logout", "/api/v1/me/password"]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("fuzz") / "danlu", "--simulate", "2x4") as server:
        server.http.patch("/scheduling", json={"paused": True})
        for number in range(3):
            server.submit("true", name=f"something to find {number}")
        yield server
        assert " bug " not in server.log(), server.log()[-5000:]
        waiting = server.http.get("/jobs", params={"area": "waiting"}).json()
        assert waiting["counts"]["running"] == 0
        clear_jobs(server)


def clear_jobs(server: LiveServer) -> None:
    """Generated jobs go while scheduling is still paused."""
    while jobs := server.http.get("/jobs", params={"area": "waiting", "limit": 500}).json()["jobs"]:
        for job in jobs:
            assert server.http.post(f"/jobs/{job['id']}/cancel").status_code == 200


# The document needs no running server: it is the same for all.
schema = schemathesis.openapi.from_dict(make_app(None, None, None).openapi()).exclude(path=LEFT_OUT)


@schema.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_no_generated_request_breaks_the_server(case: schemathesis.Case, fuzzed: LiveServer):
    if case.path == "/api/v1/scheduling" and isinstance(case.body, dict):
        case.body = {**case.body, "paused": True}
    if case.path == "/api/v1/locks/acquire" and isinstance(case.body, dict):
        # Waiting for a lock has tests of its own.
        case.body = {name: value for name, value in case.body.items() if name != "wait_s"}
    token = "not a token" if case.path in ENDS_ACCESS else fuzzed.token
    asks = {"Authorization": f"Bearer {token}", "Accept-Language": "zh"}
    case.headers = {**(case.headers or {}), **asks}
    case.call_and_validate(base_url=fuzzed.url, checks=[not_a_server_error, is_said_in_chinese])


def is_said_in_chinese(_context: object, response: schemathesis.Response, _case: schemathesis.Case) -> None:
    """Whatever is refused is refused in the language that was asked for."""
    if response.status_code < 400:
        return
    said = response.json()
    assert re.search("[\u4e00-\u9fff]", said["message"]), said
    assert english_pieces(said["message"] + (said["hint"] or "")) == [], said
