"""`danlu doctor` says what is wrong and what to do."""

from __future__ import annotations

from tests.cli.rows import a_node

WELL = {"check": "clock", "level": "ok", "code": "same", "facts": {}, "message": "The clock is right."}
ILL = {
    "check": "folder",
    "level": "problem",
    "code": "missing",
    "facts": {"path": "/data"},
    "message": "The shared folder /data is not there. Mount it.",
}


def test_a_node_that_is_well(danlu, server):
    server.on("POST /nodes/n1/examine", {"node": "n1", "findings": [WELL]})
    said = danlu("doctor", "n1")
    assert said.out == "n1: all well (1 checks).\n"
    assert said.code == 0
    assert danlu("doctor", "n1", "--all").out == "n1\n  ✓ The clock is right.\n"


def test_what_is_wrong_is_counted_in_the_list_and_told_of_one_node(danlu, server):
    ill = a_node("n2", findings=[WELL, ILL], quarantine="It was lost 3 times.")
    server.on("GET /nodes", [a_node("n1", findings=[WELL]), ill])
    server.on("GET /nodes/n2", ill)
    first, second = danlu("nodes").out.splitlines()[1:]
    assert "problem" not in first
    assert "up (quarantined) (problems: 1)" in second
    said = danlu("nodes", "n2").out.split("\n\n")[-1]
    assert said == "It was lost 3 times.\n  ✗ The shared folder /data is not there. Mount it.\n"


def test_every_node_and_a_problem(danlu, server):
    server.on("GET /nodes", [a_node("n1"), a_node("n2")])
    server.on("POST /nodes/n1/examine", {"node": "n1", "findings": [WELL]})
    server.on("POST /nodes/n2/examine", {"node": "n2", "findings": [WELL, ILL]})
    said = danlu("doctor")
    assert said.out == ("n1: all well (1 checks).\nn2\n  ✗ The shared folder /data is not there. Mount it.\n")
    assert said.code == 1
