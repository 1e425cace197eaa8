"""Hostile values in every field of a job: refused with the field's name, and nothing changes."""

from __future__ import annotations

import contextlib
import http.client
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.installation import LiveServer, live_server

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("abuse") / "danlu", "--simulate", "2") as running:
        running.http.patch("/scheduling", json={"paused": True})
        yield running


def everything(data: Path) -> list[str]:
    """All that requests store, line by line. The server by itself notes when a token was last used, and what
    the node measured."""
    with sqlite3.connect(f"file:{data / 'danlu.db'}?mode=ro", uri=True) as connection:
        return [line for line in connection.iterdump() if not line.startswith(OF_THE_SERVER)]


OF_THE_SERVER = ('INSERT INTO "tokens"', 'INSERT INTO "node_readings"')
LONE_SURROGATE = "\ud800"
BAD = [
    ("command", ""),
    ("command", "   \n\t"),
    ("command", "a\0b"),
    ("command", "x" * 300_000),
    ("command", LONE_SURROGATE),
    ("command", 7),
    ("command", ["ls"]),
    ("arguments", ["a\0"]),
    ("arguments", ["x"] * 1001),
    ("arguments", "not a list"),
    ("name", "two\nlines"),
    ("name", "\x1b[31mred"),
    ("name", "\u202egnp.exe"),
    ("name", "n" * 201),
    ("directory", "relative/path"),
    ("directory", "../.."),
    ("directory", "/tmp\0/etc"),
    ("directory", "/" + "d" * 5000),
    ("directory", ""),
    ("environment", "a\nb"),
    ("node", "no-such-node"),
    ("node", LONE_SURROGATE),
    ("gpus", -1),
    ("gpus", 3),
    ("gpus", 10**30),
    ("gpus", 1.5),
    ("gpus", "many"),
    ("gpus", None.__class__.__name__),
    ("gpu_ids", [-1]),
    ("gpu_ids", [7]),
    ("gpu_ids", [0] * 2000),
    ("gpu_ids", {"0": 1}),
    ("gpu_arg", "--gpus\n; rm -rf /"),
    ("cpus", 10_001),
    ("cpus", 9_999),
    ("memory_mb", 2**41),
    ("memory_mb", 2**39),
    ("nice", -1),
    ("tags", {"a b": "1"}),
    ("tags", {"a=b": "1"}),
    ("tags", {"a": "x\ny"}),
    ("tags", {"a": ""}),
    ("tags", {f"k{n}": "1" for n in range(21)}),
    ("nice", 20),
    ("time_limit_s", 0),
    ("time_limit_s", -5),
    ("time_limit_s", 1e300),
    ("grace_s", 3601),
    ("after", [999_999]),
    ("after", [0]),
    ("after", [2**70]),
    ("after_ok", ["x"]),
    ("urgent", "perhaps"),
    ("hold", 5),
    ("retries", 1001),
    ("retry_on", ["completed"]),
    ("retry_on", ["no_such_reason"]),
    ("retry_backoff_s", -1),
    ("stdout", "a\nb"),
    ("stdout", ""),
    ("stderr", "s" * 5000),
    ("variables", {"CUDA_VISIBLE_DEVICES": "0,1,2,3"}),
    ("variables", {"DANLU_ATTEMPT": "9"}),
    ("variables", {"not a name": "x"}),
    ("variables", {"名字": "x"}),
    ("variables", {"OK": "a\0b"}),
    ("variables", {"A=B": "x"}),
    ("mail", ["a@b\nBcc: everyone@example.org"]),
    ("description", "d" * 20_001),
    ("description", "\0"),
    ("wait_for_hardware", "soon"),
    ("no_such_field", 1),
    ("__class__", "x"),
    ("owner", "root"),
    ("state", "running"),
]


def post(server: LiveServer, path: str, value: object, method: str = "POST"):
    # ensure_ascii keeps a lone surrogate in the text of the JSON, as a hostile client would send it.
    content = json.dumps(value, ensure_ascii=True)
    return server.http.request(method, path, content=content, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(("field", "value"), BAD, ids=[f"{name}-{n}" for n, (name, _) in enumerate(BAD)])
def test_a_bad_field_is_refused_by_name_and_changes_nothing(server, field, value):
    before = everything(server.data)
    fields = {"command": "true", "directory": "/tmp", field: value}
    refused = post(server, "/jobs", fields)
    problem = refused.json()
    assert refused.status_code == 422, refused.text
    assert set(problem) == {"code", "message", "field", "hint"}
    named = "after" if field == "after_ok" else field
    assert (problem["field"] or "").startswith(named), problem
    assert problem["message"]
    assert problem["hint"]
    assert everything(server.data) == before


@pytest.mark.parametrize(("field", "value"), BAD, ids=[f"{name}-{n}" for n, (name, _) in enumerate(BAD)])
def test_the_same_holds_for_an_edit(server, field, value):
    job_id = server.submit("true")
    before = everything(server.data)
    refused = post(server, f"/jobs/{job_id}", {"set": {field: value}}, "PATCH")
    assert refused.status_code == 422, refused.text
    assert everything(server.data) == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b'{"command": "\xff"}',
        b"[" * 100_000,
        b'{"command": NaN}',
    ],
)
def test_a_body_that_is_no_job_is_refused(server, body):
    before = everything(server.data)
    refused = server.http.post("/jobs", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= refused.status_code < 500, refused.text
    assert refused.json()["message"]
    assert everything(server.data) == before


def test_a_body_of_ten_megabytes_is_refused_unread(server):
    refused = server.http.post("/jobs", content=b'{"command": "' + b"x" * 10_000_000 + b'"}')
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    assert 400 <= server.http.post("/jobs", content=pieces()).status_code < 500


@pytest.mark.parametrize("job", ["0", "-1", "99999999999999999999", "abc", "1e3", "%00", "1%2f2", "999"])
@pytest.mark.parametrize("call", ["", "/why", "/log", "/log/info", "/log/follow", "/events"])
def test_ids_that_are_none(server, job, call):
    reply = server.http.get(f"/jobs/{job}{call}")
    assert reply.status_code in (404, 422), reply.text
    assert set(reply.json()) == {"code", "message", "field", "hint"}


@pytest.mark.parametrize(
    "query",
    [
        {"cursor": "x"},
        {"cursor": "W10"},
        {"cursor": "WzFlOTk5LCAxXQ"},
        {"limit": 0},
        {"limit": 10**9},
        {"area": "nowhere"},
        {"state": "deleted", "limit": -1},
        {"name": "n" * 300},
        {"owner": "\0"},
    ],
)
def test_list_queries_out_of_bounds(server, query):
    assert server.http.get("/jobs", params=query).status_code == 422


def test_wildcards_in_a_search_mean_themselves(server):
    server.submit("true", name="100%_done")
    server.submit("true", name="100 xdone")
    found = server.http.get("/jobs", params={"name": "0%_d"}).json()["jobs"]
    assert [job["name"] for job in found] == ["100%_done"]


@pytest.mark.parametrize(
    "path",
    ["../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd", "%2fetc%2fpasswd", "web.py"],
)
def test_the_page_serves_only_its_own_files(server, path):
    parts = urlsplit(server.url)
    # Not by a client that tidies up what it is told to ask for.
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", f"/assets/{path}")
        reply = connection.getresponse()
        assert (reply.status, json.loads(reply.read())["code"]) == (404, "no_such_page")


def test_chinese_refusals(server):
    refused = server.http.post(
        "/jobs", json={"command": "true", "gpus": 99}, headers={"Accept-Language": "zh-CN,en"}
    )
    assert "没有节点能满足" in refused.json()["message"]
    assert "wait_for_hardware" in refused.json()["hint"]


def test_names_and_descriptions_in_any_script_survive(server):
    job_id = server.submit("true", name="训练 🔥 ResNet", description="第一行\n第二行 ünï")
    fields = server.job(job_id)["fields"]
    assert (fields["name"], fields["description"]) == ("训练 🔥 ResNet", "第一行\n第二行 ünï")
