"""`danlu kv` and `danlu locks`: what is asked, what is said."""

from __future__ import annotations

import io
import json
import time
from types import SimpleNamespace

import pytest

from tests.sdk.servers import problem

ENTRY = {"key": "best", "value": "0.93", "revision": 7, "changed_at": 1_700_000_000.0}


def test_a_value_is_printed_as_it_is(danlu, server):
    server.on("GET /kv/value", ENTRY)
    assert danlu("kv", "get", "best") == (0, "0.93\n", "")
    assert server.seen[0].query == {"key": "best"}
    assert json.loads(danlu("kv", "get", "best", "--json").out) == ENTRY


def test_a_key_that_is_not_there_is_a_failure_with_a_remedy(danlu, server):
    server.on("GET /kv/value", problem("no_such_key", 404))
    server.on("DELETE /kv/value", {"deleted": False})
    for command in ("get", "delete"):
        said = danlu("kv", command, "best")
        assert (said.code, "danlu kv list" in said.err) == (1, True)


def test_a_value_can_be_put_on_top_of_a_revision_only(danlu, server):
    server.on("PUT /kv/value", ENTRY, problem("revision_differs", 409, field="if_revision"))
    assert danlu("kv", "put", "best", "0.93", "--if-revision", "6").out.endswith("(revision 7).\n")
    assert server.seen[0].json == {"value": "0.93", "if_revision": 6}
    assert danlu("kv", "put", "best", "0.95", "--if-revision", "6").code == 1


def test_a_value_can_come_from_standard_input(danlu, server, monkeypatch):
    server.on("PUT /kv/value", ENTRY)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(read=io.StringIO("{}\n").read))
    danlu("kv", "put", "best", "-")
    assert server.seen[0].json["value"] == "{}\n"


def test_keys_are_listed(danlu, server):
    row = {"key": "run/1", "size": 4, "revision": 7, "changed_at": 1_700_000_000.0}
    server.on("GET /kv", [row], [])
    listed = danlu("kv", "list", "run/").out
    assert server.seen[0].query == {"prefix": "run/"}
    assert listed.splitlines()[1].split()[0] == "7"
    assert listed.splitlines()[1].endswith("run/1")
    assert danlu("kv", "list").out == ""


@pytest.mark.parametrize(("words", "query"), [((), {}), (("--all",), {"all_owners": "true"})])
def test_locks_are_listed_with_who_holds_them(danlu, server, words, query):
    now = time.time()
    rows = [
        {"owner": "li", "name": "ckpt", "fence": 7, "taken_at": now - 60, "job": "12[3]", "attempt": 1},
        {"owner": "li", "name": "by hand", "fence": 9, "taken_at": now, "expires_at": now + 25},
    ]
    server.on("GET /locks", rows)
    lines = danlu("locks", *words).out.splitlines()
    assert server.seen[0].query == query
    assert "12[3]" in lines[1]
    assert lines[1].endswith("ckpt")
    assert lines[2].endswith("by hand")


def test_a_lock_is_taken_away(danlu, server):
    server.on("DELETE /locks", None, status=204)
    assert "ckpt" in danlu("locks", "release", "ckpt", "--owner", "li").out
    assert server.seen[0].query == {"name": "ckpt", "owner": "li"}
