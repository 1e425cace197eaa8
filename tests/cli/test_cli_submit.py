"""`danlu submit`, `edit`, `defaults`: what is sent, what is said, what is refused."""

from __future__ import annotations

import json

import pytest

from tests.cli.rows import a_detail, a_job
from tests.sdk.servers import DroppingServer, problem

EVERYTHING = (
    "submit -g 2 --name x --env torch --dir . --time 2h --after 12,13 --after 15 --after-ok 14 --node n1 "
    "-N 1:4 --launcher torchrun --spread --only-nodes n1,n2 --only-nodes n4 --exclude n3 --gpu-model A100 "
    "--restartable --no-service "
    "--gpu-ids 0,3 --cpus 4 --mem 16G --share --sharing --gpu-mem 8G --array 0-9%3 "
    "--urgent --retries 2 --hold --stdout F --stderr G --gpu-arg --gpus "
    "--nice 5 --tag project=vit --tag seed=7 "
    "--desc d --var K=V --var L=a=b --grace 30 --retry-backoff 1m --retry-on exit_code,signal "
    "--wait-for-hardware --key k1 -- python train.py --gpus 1"
)


def test_every_option_fills_its_field(danlu, server):
    server.on("POST /jobs", {"id": 21}, status=201)
    said = danlu(*EVERYTHING.split())
    assert said == (0, "21\n", "")
    (seen,) = server.seen
    assert seen.headers["idempotency-key"] == "k1"
    assert seen.headers["authorization"] == "Bearer local"
    assert seen.json == {
        "command": "python train.py --gpus 1",
        "gpus": 2,
        "name": "x",
        "environment": "torch",
        "directory": str(danlu.home),
        "time_limit_s": 7200.0,
        "grace_s": 30.0,
        "after": [12, 13, 15],
        "after_ok": [14],
        "node": "n1",
        "nodes": "1:4",
        "launcher": "torchrun",
        "spread": True,
        "only_nodes": ["n1", "n2", "n4"],
        "exclude_nodes": ["n3"],
        "gpu_model": "A100",
        "restartable": True,
        "service": False,
        "gpu_ids": [0, 3],
        "gpu_arg": "--gpus",
        "cpus": 4,
        "memory_mb": 16_384,
        "share": True,
        "no_sharing": False,
        "gpu_memory_mb": 8_192,
        "array": "0-9%3",
        "nice": 5,
        "tags": {"project": "vit", "seed": "7"},
        "urgent": True,
        "hold": True,
        "retries": 2,
        "retry_backoff_s": 60.0,
        "retry_on": ["exit_code", "signal"],
        "stdout": "F",
        "stderr": "G",
        "variables": {"K": "V", "L": "a=b"},
        "description": "d",
        "wait_for_hardware": True,
    }


@pytest.mark.parametrize("words", ["submit --mail a@b true", "edit 3 --mail a@b", "defaults set --mail a@b"])
def test_mail_is_refused_before_anything_is_sent(danlu, server, words):
    code, out, err = danlu(*words.split())
    assert (code, out) == (2, "")
    assert "--mail: Mail about jobs is not available yet: nothing would be sent." in err
    assert server.seen == []
    assert "--mail" not in danlu("submit", "--help").out


def test_what_is_not_said_is_left_to_the_defaults(danlu, server):
    server.on("POST /jobs", {"id": 21}, status=201)
    danlu("submit", "nvidia-smi")
    assert server.seen[0].json == {
        "command": "nvidia-smi",
        "name": "nvidia-smi",
        "directory": str(danlu.home),
    }


def test_a_switch_can_be_turned_off_against_a_default(danlu, server):
    server.on("POST /jobs", {"id": 21}, status=201)
    danlu("submit", "--no-urgent", "true")
    assert server.seen[0].json["urgent"] is False


def test_a_script_is_handed_in_with_its_arguments(danlu, server):
    server.on("POST /jobs", {"id": 21}, status=201)
    (danlu.home / "train.sh").write_text("echo $1\n")
    danlu("submit", "-g", "1", "train.sh", "-g", "5")
    sent = server.seen[0].json
    assert (sent["command"], sent["arguments"], sent["gpus"]) == ("echo $1\n", ["-g", "5"], 1)
    assert sent["name"] == "train.sh"


@pytest.mark.parametrize(
    ("words", "named", "remedy"),
    [
        ("submit --gpu 2 -- true", "--gpu", "--gpus"),
        ("submit --gpus two -- true", "--gpus", "number"),
        ("submit --gpus -1 -- true", "--gpus", "number"),
        ("submit --time soon -- true", "--time", "2h"),
        ("submit --mem much -- true", "--mem", "16G"),
        ("submit --after x -- true", "--after", "12,13"),
        ("submit --var K -- true", "--var", "NAME=VALUE"),
        ("submit --launcher torch -- true", "--launcher", "torchrun"),
        ("submit --retry-on exit-code -- true", "--retry-on", "exit_code"),
        ("submit --name --urgent -- true", "--name", "danlu submit --help"),
        ("submit --urgent=1 -- true", "--urgent", "danlu submit --help"),
        ("submit --name", "--name", "danlu submit --help"),
        ("submit tran.sh", "script", "-- tran.sh"),
        ("sumbit -- true", "sumbit", "submit"),
        ("show", "JOB", "danlu show --help"),
        ("show 1 2", "2", "danlu show --help"),
        ("show one", "JOB", "12[3]"),
        ("ps --state runing", "--state", "running"),
        ("drain n1:x", "NODE[:GPU]...", "n1:0"),
        ("edit 12 --clear memm", "--clear", "mem"),
        ("logs 1 --tail 5 --offset 3", "--tail", "Choose"),
        ("up --simulate 3x", "--simulate", "3x8"),
        ("up --policy fair", "--policy", "fifo"),
        ("--nope ps", "--nope", "danlu --help"),
    ],
)
@pytest.mark.parametrize("lang", ["en_US.UTF-8", "zh_CN.UTF-8"])
def test_bad_words_are_refused_with_field_and_remedy_and_nothing_is_sent(
    danlu, server, words, named, remedy, lang
):
    said = danlu(*words.split(), lang=lang)
    assert said.code == 2
    assert said.out == ""
    assert server.seen == []
    message, hint = said.err.rstrip("\n").split("\n")
    assert named in message
    assert message.startswith("danlu：" if lang.startswith("zh") else "danlu: ")
    if lang.startswith("en"):
        assert remedy in hint


def test_the_servers_refusal_names_the_option_in_the_users_language(danlu, server):
    server.on(
        "POST /jobs", problem("invalid_value", 422, "memory_mb：太大", field="memory_mb", hint="请改小。")
    )
    said = danlu("submit", "--mem", "16G", "--", "true", lang="zh_CN.UTF-8")
    assert said == (2, "", "danlu：--mem：太大\n       请改小。\n")
    assert server.seen[0].headers["accept-language"] == "zh-x-cli"


@pytest.mark.parametrize(("status", "code"), [(422, 2), (400, 2), (403, 1), (404, 1), (409, 1), (503, 1)])
def test_exit_codes_tell_a_bad_ask_from_a_failed_one(danlu, server, status, code):
    server.on("POST /jobs", problem("some_code", status, "No.", hint="Do that."))
    assert danlu("submit", "--", "true") == (code, "", "danlu: No.\n       Do that.\n")


def test_without_a_server_it_says_what_to_do(alone):
    said = alone("submit", "--", "true")
    assert said.code == 1
    assert "danlu up" in said.err
    assert "danlu login" in said.err
    said = alone("submit", "--data", "nowhere", "--", "true", lang="zh_CN.UTF-8")
    assert f"danlu up --data {alone.home}/nowhere" in said.err


def test_a_lost_answer_does_not_make_a_second_job(alone, tmp_path):
    with DroppingServer(drops=1) as server:
        server.on("POST /jobs", {"id": 21}, status=201)
        (tmp_path / "server.json").write_text(json.dumps({"url": server.url, "pid": 1}))
        said = alone("submit", "--data", str(tmp_path), "--", "true")
        assert (said.code, said.out) == (0, "21\n")
        assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1


def test_an_edit_sets_and_clears_fields(danlu, server):
    server.on("GET /jobs/12", a_detail())
    server.on("PATCH /jobs/12", a_detail())
    said = danlu("edit", "12", "--gpus", "4", "--clear", "node", "--clear", "mem", "--", "python", "b.py")
    assert said == (0, "Job 12 is changed.\n", "")
    assert server.seen[-1].json == {
        "set": {"gpus": 4, "command": "python b.py", "arguments": []},
        "clear": ["node", "memory_mb"],
    }


def test_an_ended_job_may_be_edited_without_a_change_and_runs_again(danlu, server):
    server.on("GET /jobs/12", a_detail(a_job(state="failed")))
    server.on("PATCH /jobs/12", a_detail())
    assert "is waiting again" in danlu("edit", "12").out
    server.on("GET /jobs/12", a_detail())
    said = danlu("edit", "12")
    assert (said.code, len(server.asked("PATCH /jobs/12"))) == (2, 1)


def test_defaults_are_shown_set_and_cleared(danlu, server):
    server.on("GET /me/defaults", {"gpus": 1, "time_limit_s": 3600.0, "urgent": False})
    server.on("PATCH /me/defaults", {})
    said = danlu("defaults")
    assert [line.split(None, 1) for line in said.out.splitlines()] == [
        ["GPUs", "1"],
        ["Time", "limit  1h"],
        ["Urgent", "no"],
    ]
    assert json.loads(danlu("defaults", "--json").out) == {"gpus": 1, "time_limit_s": 3600.0, "urgent": False}
    assert danlu("defaults", "set", "--env", "torch").code == 0
    assert danlu("defaults", "clear", "time", "--env").code == 2
    assert danlu("defaults", "clear", "time", "env").code == 0
    first, second = server.asked("PATCH /me/defaults")
    assert first.json == {"set": {"environment": "torch"}, "clear": []}
    assert second.json == {"set": {}, "clear": ["time_limit_s", "environment"]}
    assert danlu("defaults", "set").code == 2
    server.on("GET /me/defaults", {})
    assert "danlu defaults set" in danlu("defaults").err


class TestDefaultCommand:
    def test_without_a_command_the_users_own_is_taken(self, danlu, server):
        server.on("GET /me/defaults", {"command": "python train.py"})
        server.on("POST /jobs", {"id": 7}, status=201)
        assert danlu("submit", "-g", "2") == (0, "7\n", "")
        assert server.asked("POST /jobs")[0].json == {"directory": str(danlu.home), "gpus": 2}

    def test_and_where_that_is_settled_too_it_runs_there(self, danlu, server):
        server.on("GET /me/defaults", {"command": "python train.py", "directory": "/work"})
        server.on("POST /jobs", {"id": 7}, status=201)
        danlu("submit")
        assert server.asked("POST /jobs")[0].json == {}

    def test_without_either_there_is_nothing_to_run(self, danlu, server):
        server.on("GET /me/defaults", {})
        for words in (("submit",), ("submit", "--"), ("submit", "--dry-run"), ("run",)):
            said = danlu(*words)
            assert said.code == 2
            assert "danlu defaults set -- python train.py" in said.err
        assert not server.asked("POST /jobs")
