"""`danlu cancel --mine`: an action for all jobs that a filter means, carried out by the server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sdk.servers import Answer, Seen, json_answer


def a_step(state: str = "done", **more: Any) -> dict[str, Any]:
    row = {"id": 3, "action": "cancel", "filter": {}, "state": state, "total": 40, "done": 40}
    return row | {"skipped": 0, "refused": 0, "refusals": [], "began_at": 1.0} | more


@pytest.fixture
def forty(server):
    server.on(
        "GET /bulk-actions/matching", {"total": 44, "yours": {"waiting": 30, "running": 10}, "up_to": 99}
    )
    server.on("POST /bulk-actions", a_step("running", total=None, done=0), status=202)
    steps = [a_step("running", done=20), a_step()]

    def look(seen: Seen) -> Answer:
        return json_answer(steps.pop(0) if "wait_s" in seen.query else a_step("running", done=0))

    server.on("GET /bulk-actions/3", look)


def test_all_that_match_up_to_the_newest_job_that_was_counted(danlu, server, forty):
    said = danlu("cancel", "--mine", "--state", "waiting", "-n", "sweep", "--now", "--yes")
    assert said == (0, "Cancelled: 40\n", "")
    counted = server.asked("GET /bulk-actions/matching")[0].query
    assert counted == {"action": "cancel", "mine": "true", "state": "waiting", "name": "sweep"}
    begun = server.asked("POST /bulk-actions")[0].json
    assert begun["filter"] == {"mine": True, "state": "waiting", "name": "sweep"}
    assert (begun["action"], begun["now"], begun["up_to"]) == ("cancel", True, 99)


def test_without_a_terminal_it_wants_to_be_told_that_it_is_meant(danlu, server, forty):
    said = danlu("cancel", "--all")
    assert (said.code, said.out) == (1, "")
    assert "40 job(s)" in said.err
    assert "--yes" in said.err
    assert not server.asked("POST /bulk-actions")


def test_what_was_refused_is_told_with_its_reason(danlu, server, forty):
    refusal = {"code": "job_running", "count": 4, "refs": ["7", "8", "9"], "message": "Job 7 is running."}
    ended = a_step(action="delete", done=36, refused=4, refusals=[refusal])
    server.on("POST /bulk-actions", ended, status=202)
    server.on("GET /bulk-actions/3", ended)
    said = danlu("delete", "--all", "--with-successors", "-y")
    assert said == (1, "Deleted: 36\n", "Refused: 4 (job 7, 8, 9, …). Job 7 is running.\n")
    begun = server.asked("POST /bulk-actions")[0].json
    assert (begun["with_successors"], begun["running"], begun["filter"]) == (True, "refuse", {"mine": False})


def test_no_job_fits(danlu, server):
    server.on("GET /bulk-actions/matching", {"total": 4, "yours": {}, "up_to": 99})
    assert danlu("hold", "-u", "wang") == (0, "", "There are no jobs like this for you to act on.\n")


@pytest.mark.parametrize("command", ["cancel", "hold", "release", "resubmit", "delete"])
def test_jobs_are_named_or_described_and_never_both(danlu, server, command):
    assert danlu(command).code == 2
    assert danlu(command, "12", "--mine").code == 2
    assert not server.seen
