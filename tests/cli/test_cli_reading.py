"""Commands that look: lists, details, and the API's own JSON."""

from __future__ import annotations

import json
import re
import sys
import time

import pytest

from danlu.cli.layout import width_of
from tests.cli.rows import a_detail, a_gpu, a_job, a_node, a_page, a_reason
from tests.sdk.servers import json_answer, problem


def test_running_jobs_come_before_waiting_ones_with_a_short_reason(danlu, server):
    why = [a_reason("gpus_busy", wanted=2, free=1, node=None)]
    server.on(
        "GET /jobs",
        lambda seen: json_answer(
            a_page(a_job(11, "running")) if seen.query["area"] == "running" else a_page(a_job(12, why=why))
        ),
    )
    said = danlu("ps")
    heading, first, second = said.out.splitlines()
    assert heading.split() == ["JOB", "NAME", "OWNER", "STATE", "GPUS", "WHERE", "TIME", "WHY"]
    assert first.split()[:-1] == ["11", "train.py", "alice", "running", "2", "n1:0,3"]
    assert re.fullmatch(r"1m\d\ds", first.split()[-1])
    assert second.split(None, 6)[-1] == "GPUs: 2 needed, 1 free"
    assert "\x1b" not in said.out


def test_the_table_stands_straight_in_chinese(danlu, server):
    rows = [a_job(11, "failed", name="训练"), a_job(12, "held", name="x", why=[a_reason("held")])]
    server.on("GET /jobs", a_page(*rows))
    said = danlu("ps", "--all", lang="zh_CN.UTF-8")
    heading, first, second = said.out.splitlines()
    assert first.endswith("退出码 3")
    assert second.endswith("已挂起")
    assert width_of(heading[: heading.index("用户")]) == width_of(first[: first.index("alice")])
    assert width_of(heading[: heading.index("原因")]) == width_of(second[: second.index("已挂起")])


def test_a_reason_that_is_not_known_yet_speaks_for_itself(danlu, server):
    jobs = [
        a_job(1, why=[a_reason("new_code", "A new reason.")]),
        a_job(2, why=[a_reason("gpus_busy", "Old.")]),
    ]
    server.on("GET /jobs", a_page(*jobs))
    first, second = danlu("ps", "--state", "waiting").out.splitlines()[1:]
    assert first.endswith("A new reason.")
    assert second.endswith("Old.")


def test_the_filters_are_asked_of_the_server(danlu, server):
    server.on("GET /jobs", a_page(a_job()))
    danlu(
        "ps",
        "--all",
        "--mine",
        "--user",
        "bob",
        "--state",
        "failed",
        "--name",
        "net",
        "--limit",
        "7",
        "--tag",
        "project=vit",
    )
    assert server.seen[0].query == {
        "mine": "true",
        "owner": "bob",
        "state": "failed",
        "name": "net",
        "tag": "project=vit",
        "limit": "7",
    }


def test_a_long_list_is_cut_and_says_so(danlu, server):
    server.on(
        "GET /jobs",
        lambda seen: json_answer(a_page(*[a_job()] * int(seen.query["limit"]), more="c", waiting=9)),
    )
    said = danlu("ps", "--limit", "3")
    assert len(said.out.splitlines()) == 4
    assert "--limit" in said.err
    assert len(server.seen) == 1


def test_all_pages_are_fetched_when_asked_for(danlu, server):
    server.on("GET /jobs", a_page(a_job(1), more="c1"), a_page(a_job(2)))
    said = danlu("ps", "--all", "--limit", "0", "--json")
    assert [job["id"] for job in json.loads(said.out)["jobs"]] == [1, 2]
    assert server.seen[1].query["cursor"] == "c1"


@pytest.mark.parametrize("words", [["ps"], ["ps", "--mine"]])
def test_an_empty_list_says_what_to_do_next(danlu, server, words):
    server.on("GET /jobs", a_page())
    said = danlu(*words)
    assert (said.code, said.out) == (0, "")
    assert "danlu" in said.err


def test_all_about_a_job(danlu, server):
    task = {"rank": 0, "node": "n1", "gpu_ids": [0, 3], "cpus": 2, "memory_mb": 1, "stdout_path": "/tmp/out"}
    attempt = {"number": 1, "created_at": 1.0, "started_at": 2.0, "ended_at": 62.0, "end_reason": "exit_code"}
    attempts = [{**attempt, "exit_code": 3, "signal": None, "detail": "", "tasks": [task]}]
    detail = a_detail(a_job(state="failed"), message="It failed.", successors=[13, 14], attempts=attempts)
    server.on("GET /jobs/12", detail)
    said = danlu("show", "12")
    for text in ("12  train.py", "It failed.", "13, 14", "2h", "A=1\n", "/tmp/out", "exit code 3"):
        assert text in said.out
    assert danlu("show", "12", lang="zh_CN.UTF-8").code == 0


def test_what_belongs_to_somebody_else_is_shown_without_its_fields(danlu, server):
    server.on("GET /jobs/12", a_detail(fields=None, mine=False))
    said = danlu("show", "12")
    assert said.code == 0
    assert "Command" not in said.out


def test_other_peoples_text_is_shown_without_its_tricks(danlu, server):
    server.on("GET /jobs/12", a_detail(message="\x1b[2J", fields={"command": "a\x07b"}))
    assert "\x1b" not in danlu("show", "12").out


def test_why_is_one_sentence(danlu, server):
    answer = {"id": 12, "state": "waiting", "why": [a_reason("held")], "message": "任务已被挂起。"}
    server.on("GET /jobs/12/why", answer)
    assert danlu("why", "12", lang="zh_CN.UTF-8") == (0, "任务已被挂起。\n", "")


def test_nodes_and_gpus(danlu, server):
    nodes = [
        a_node(),
        a_node("n2", state="lost", drained=True, gpus=[a_gpu(0, node="n2", state="lost")], jobs=[]),
    ]
    server.on("GET /nodes", nodes)
    server.on("GET /nodes/n2", nodes[1])
    said = danlu("nodes")
    assert said.out.splitlines()[1].split() == ["n1", "up", "1/2", "4/16", "16", "GB", "/", "128", "GB", "12"]
    assert re.search(r"lost \(drained\) 5m\d\ds ago", said.out)
    rows = [line.split() for line in danlu("gpus").out.splitlines()[1:]]
    assert rows[0] == ["n1:0", "H200", "140", "GB", "in", "use", "12", "alice"]
    assert rows[1] == ["n1:1", "H200", "140", "GB", "free"]
    assert rows[2][-1] == "lost"
    assert danlu("gpus", "n2").out.count("n2") == 1
    assert json.loads(danlu("gpus", "n2", "--json").out) == nodes[1]["gpus"]


def test_a_node_that_is_measured_says_how_busy_it_is(danlu, server):
    usage = {
        "cpu_percent": 56.4,
        "load_1m": 9.0,
        "memory_used_mb": 32_768,
        "memory_total_mb": 131_072,
        "network_in_bytes_s": 60_000_000.0,
        "network_out_bytes_s": 2048.0,
        "disks": [
            {"path": "/", "used_bytes": 10 << 30, "total_bytes": 100 << 30},
            {"path": "/data", "used_bytes": 3 << 40, "total_bytes": 4 << 40},
        ],
    }
    server.on("GET /nodes", [a_node(usage=usage)])
    server.on("GET /nodes/n1", a_node(usage=usage))
    (row,) = danlu("nodes").out.splitlines()[1:]
    assert row.endswith("56 %      25 %         57 MB/s, 2 KB/s  /data 75 %  12")
    assert danlu("nodes", "n1").out.splitlines()[-2:] == [
        "/      10 GB / 100 GB  10 %",
        "/data  3 TB / 4 TB  75 %",
    ]


@pytest.mark.parametrize(
    ("words", "call", "answer"),
    [
        ("show 12", "GET /jobs/12", a_detail()),
        ("why 12", "GET /jobs/12/why", {"id": 12, "message": "它等待。", "new": [1]}),
        ("nodes", "GET /nodes", [a_node()]),
        ("nodes n1", "GET /nodes/n1", a_node()),
        ("defaults", "GET /me/defaults", {"gpus": None}),
        ("whoami", "GET /me", {"name": "alice", "role": "admin", "later": 1}),
        ("version", "GET /version", {"name": "danlu", "version": "9", "api": "v1"}),
        ("logs 12", "GET /jobs/12/log/info", {"job": 12, "path": "/tmp/out"}),
        ("ps --all", "GET /jobs", a_page(a_job())),
    ],
)
def test_json_is_exactly_the_apis_and_never_translated(danlu, server, words, call, answer):
    server.on(call, answer)
    said = danlu(*words.split(), "--json", lang="zh_CN.UTF-8")
    assert json.loads(said.out) == answer
    assert server.seen[0].headers["accept-language"] == "en-x-cli"


def test_colours_only_on_a_terminal_and_never_against_no_color(danlu, server, monkeypatch):
    server.on("GET /jobs", a_page(a_job(state="failed")))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[31mfailed" in danlu("ps", "--all").out
    assert "\x1b" not in danlu("ps", "--all", NO_COLOR="1").out
    assert "\x1b" not in danlu("ps", "--all", TERM="dumb").out


def test_who_and_where(danlu, server):
    me = {"name": "alice", "role": "admin", "must_change_password": False, "csrf_token": None}
    server.on("GET /me", me)
    said = danlu("whoami")
    assert said.out == f"alice (administrator) at {server.url}, by data folder {danlu.home}/data\n"


@pytest.mark.parametrize(
    ("runs_as", "all_as_one", "english", "chinese"),
    [
        ("li", False, "Your jobs run as li.", "您的任务以系统账号 li 运行。"),
        (
            "lab",
            True,
            "your jobs, like those of all users, run as lab.",
            "所有人的任务都以系统账号 lab 运行。",
        ),
        (None, False, "no Unix account", "没有可用来运行您任务的系统账号"),
    ],
)
def test_whom_ones_jobs_run_as(danlu, server, runs_as, all_as_one, english, chinese):
    me = {"name": "alice", "role": "member", "must_change_password": False, "csrf_token": None}
    server.on("GET /me", {**me, "runs_as": runs_as, "runs_all_as_one": all_as_one})
    assert english in danlu("whoami").out
    assert chinese in danlu("whoami", lang="zh_CN.UTF-8").out


def test_the_version_needs_no_server(alone, danlu, server):
    server.on("GET /version", {"name": "danlu", "version": "9.9", "api": "v1"})
    assert "9.9" in danlu("version").out
    danlu.environment.pop("DANLU_DATA")
    said = danlu("version")
    assert said.code == 0
    assert said.out.startswith("danlu ")


@pytest.mark.parametrize("act", ["cancel", "hold", "release"])
def test_several_jobs_at_once_and_one_refusal_does_not_stop_the_rest(danlu, server, act):
    server.on(f"POST /jobs/12/{act}", a_detail(a_job(12, "stopping")))
    server.on(f"POST /jobs/13/{act}", problem("no_such_job", 404, "There is no job 13.", hint="danlu ps"))
    server.on(f"POST /jobs/14/{act}", a_detail(a_job(14, "cancelled")))
    said = danlu(act, "12", "13,14")
    assert said == (
        1,
        "Job 12: stopping\nJob 14: cancelled\n",
        "danlu: There is no job 13.\n       danlu ps\n",
    )


def test_a_cancel_at_once_says_so_for_each(danlu, server):
    for job in (12, 13):
        server.on(f"POST /jobs/{job}/cancel", a_detail(a_job(job, "stopping")))
    assert danlu("cancel", "--now", "12", "13").code == 0
    asked = server.asked("POST /jobs/12/cancel") + server.asked("POST /jobs/13/cancel")
    assert [seen.query for seen in asked] == [{"now": "true"}] * 2


def test_resubmitted_jobs_print_their_new_ids(danlu, server):
    server.on("POST /jobs/12/resubmit", {"id": 20}, status=201)
    server.on("POST /jobs/13/resubmit", {"id": 21}, status=201)
    assert danlu("resubmit", "12", "13").out == "20\n21\n"


def test_gpus_show_what_they_are_doing_and_who_is_on_them(danlu, server):
    ours = {"pid": 7, "user": "alice", "command": "python", "memory_mb": 4096, "job": 12, "graphics": False}
    theirs = ours | {"pid": 8, "user": "wang", "command": "evil\x1b[2J", "memory_mb": 2048, "job": None}
    unseen = theirs | {"pid": 9, "user": "", "command": "", "memory_mb": 0}
    doing = {"used_mb": 6144, "load": 93, "temperature_c": 71, "power_w": 280.4, "power_limit_w": 700.0}
    cards = [
        a_gpu(
            0, state="used", jobs=[12, 13], user="alice", processes=[ours, theirs, unseen], slots=2, **doing
        ),
        a_gpu(1, state="faulty", fault="NVML error 15: GPU is lost"),
        a_gpu(2, state="unmanaged", managed=False),
    ]
    server.on("GET /nodes/n1", a_node(gpus=cards))
    first, second, third = danlu("gpus", "n1").out.splitlines()[1:]
    assert "6 GB / 140 GB  93 %  71 °C  280 / 700 W  in use       12, 13  alice  2 slots; " in first
    assert "wang evil\ufffd[2J 8 (2 GB); a process not visible from here 9" in first
    assert second.endswith("faulty                      NVML error 15: GPU is lost")
    assert third.endswith("not managed")


def test_deciding_about_gpus(danlu, server):
    server.on("PATCH /nodes/n1/gpus/0", a_node())
    server.on("PATCH /nodes/n1/gpus/3", a_node())
    server.on("POST /nodes/n1/gpus/0/drain", a_node())
    server.on("POST /nodes/n1/gpus/0/undrain", a_node())
    assert danlu("gpu", "remove", "n1:0,3").out == (
        "n1:0 is no longer managed; a job on it may finish.\nn1:3 is gone for good.\n"
    )
    assert danlu("gpu", "add", "n1:0").out == "n1:0 is managed again.\n"
    assert danlu("gpu", "slots", "n1:0", "2").out == "n1:0 may be held by 2 job(s) at a time.\n"
    assert danlu("gpu", "drain", "n1:0").out == "n1:0 takes no new jobs.\n"
    assert danlu("gpu", "undrain", "n1:0").out == "n1:0 takes jobs again.\n"
    sent = [seen.json for seen in server.asked("PATCH /nodes/n1/gpus/0")]
    assert sent == [{"managed": False}, {"managed": True}, {"slots": 2}]
    for words in (["remove", "n1"], ["slots", "n1:0", "17"], ["slots", "n1:0"]):
        assert danlu("gpu", *words).code == 2


def test_moving_pausing_and_draining(danlu, server):
    server.on("POST /jobs/12/move", a_detail())
    server.on("PATCH /scheduling", {"policy": "fifo", "paused": True})
    for path in ("n1/drain", "n1/gpus/0/drain", "n1/gpus/3/drain", "n1/gpus/0/undrain"):
        server.on(f"POST /nodes/{path}", a_node())
    assert danlu("move", "12", "1").out == "Job 12 is now at position 1 of the waiting jobs.\n"
    server.on("POST /jobs/12/move", {**a_detail(), "position": 3})
    assert danlu("move", "12", "1").out == "Job 12 is now at position 3 of the waiting jobs.\n"
    assert danlu("pause").code == danlu("resume").code == 0
    assert danlu("drain", "n1", "n1:0,3").out.count("no new jobs") == 3
    assert danlu("undrain", "n1:0").code == 0
    assert [seen.json for seen in server.asked("PATCH /scheduling")] == [{"paused": True}, {"paused": False}]


def test_deleting_in_a_script_asks_nothing_and_tells_what_happened(danlu, server):
    server.on("DELETE /jobs/12", {"deleted": [12, 13], "left": [14], "cancelled": []})
    said = danlu("delete", "12", "13", "--with-successors", "--running", "leave")
    assert said == (0, "Deleted: 12, 13\nLeft running: 14\n", "")
    assert [seen.query for seen in server.seen] == [{"with_successors": "true", "running": "leave"}]


def test_running_successors_in_a_script_are_a_refusal(danlu, server):
    server.on("DELETE /jobs/12", problem("successors_running", 409, "13 is running.", hint="--running leave"))
    assert danlu("delete", "12", "--with-successors").code == 1


@pytest.fixture
def answers(monkeypatch):
    """A user at the terminal who gives these answers."""
    given: list[str] = []
    monkeypatch.setattr("danlu.cli.session.Session.can_ask", True)
    monkeypatch.setattr(
        "danlu.cli.session.Session.ask", lambda _, key, **facts: (asked.append((key, facts)), given.pop(0))[1]
    )
    asked: list[tuple[str, dict[str, object]]] = []
    return given, asked


def test_deleting_on_a_terminal_names_the_jobs_first(danlu, server, answers):
    given, asked = answers
    server.on("GET /jobs/12", a_detail())
    given.append("n")
    assert danlu("delete", "12").code == 1
    assert asked == [("cli.delete?", {"jobs": "12 (train.py)"})]
    assert server.asked("DELETE /jobs/12") == []
    server.on("DELETE /jobs/12", {"deleted": [12], "left": [], "cancelled": []})
    given.append("y")
    assert danlu("delete", "12").code == 0
    assert danlu("delete", "12", "-y").code == 0
    assert len(asked) == 2


def test_running_successors_are_asked_about_on_a_terminal(danlu, server, answers):
    given, _ = answers
    refusal = problem("successors_running", 409, "13 is running.", hint="Say which.")
    server.on("DELETE /jobs/12", refusal, {"deleted": [12], "left": [], "cancelled": [13]})
    given.append("c")
    assert "Being cancelled: 13" in danlu("delete", "12", "-y", "--with-successors").out
    assert server.seen[-1].query["running"] == "cancel"
    server.on("DELETE /jobs/12", refusal)
    given.append("")
    assert danlu("delete", "12", "-y", "--with-successors").code == 1


def test_times_are_told_from_now(danlu, server):
    server.on("GET /jobs", a_page(a_job(state="succeeded", ended_at=time.time() - 7300)))
    assert "2h01m ago" in danlu("ps", "--all").out


def test_a_job_over_several_nodes_shows_its_ranks(danlu, server):
    job = a_job(
        12, "running", nodes=2, nodes_min=2, gpus=4, on_nodes=["n1", "n2"], unreachable_since=time.time() - 9
    )
    tasks = [
        {"rank": rank, "node": f"n{rank + 1}", "gpu_ids": [0, 1], "cpus": 0, "memory_mb": 0, **more}
        for rank, more in enumerate(
            [{"started_at": time.time() - 60}, {"ending": "exited", "exit_code": 7, "ended_at": time.time()}]
        )
    ]
    attempt = {"number": 1, "created_at": time.time() - 70, "started_at": time.time() - 60, "tasks": tasks}
    server.on("GET /jobs/12", a_detail(job, attempts=[attempt]))
    shown = danlu("show", "12").out
    ranks = [line.split() for line in shown.splitlines()[-3:]]
    assert ranks[0][:2] == ["RANK", "WHERE"]
    assert ranks[-2][:2] == ["0", "n1:0,1"]
    assert ranks[-1][:2] == ["1", "n2:0,1"]
    assert "ended (7)" in shown
    server.on("GET /jobs", a_page(job, running=1))
    listed = danlu("ps").out
    assert "2x4" in listed
    assert "n1,n2 cannot be reached" in listed
