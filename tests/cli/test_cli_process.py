"""The program as a process: what it loads, how it starts servers, how it completes words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from danlu.launch.door.reachability import ReachOptions

HEAVY = {"pydantic", "fastapi", "sqlalchemy", "uvicorn", "alembic", "asyncio", "httpx", "annotated_types"}


def modules_of(danlu, *words: str) -> set[str]:
    program = (
        "import sys, json; from danlu.cli.program import run; import os\n"
        f"code = run({list(words)!r}, os.environ)\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=danlu.environment, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_loads_no_command_and_no_client(danlu):
    loaded = modules_of(danlu, "--help")
    assert not {name for name in loaded if name.startswith("danlu.cli.commands.")}
    assert not loaded & (HEAVY | {"http.client", "danlu.sdk.client"})


def test_a_submission_loads_only_what_it_needs(danlu, server):
    server.on("POST /jobs", {"id": 1}, status=201)
    loaded = modules_of(danlu, "submit", "--", "true")
    assert len(server.seen) == 1
    assert {name for name in loaded if name.startswith("danlu.cli.commands.")} == {
        "danlu.cli.commands.submit"
    }
    assert not loaded & (HEAVY | {"danlu.wire.jobs", "danlu.sdk.resources.jobs", "danlu.launch"})


@pytest.fixture
def launched(monkeypatch):
    """Stands in for the part that starts servers, and remembers what it was told."""
    calls: list[object] = []
    up, down = ModuleType("danlu.launch.up"), ModuleType("danlu.launch.down")

    class UpOptions:
        def __init__(self, **options):
            self.__dict__.update(options)

    up.UpOptions = UpOptions
    up.run_up = lambda options: calls.append(options.__dict__) or 3
    down.run_down = lambda *options: calls.append(options) or 0
    monkeypatch.setitem(sys.modules, "danlu.launch.up", up)
    monkeypatch.setitem(sys.modules, "danlu.launch.down", down)
    return calls


def test_up_and_down_hand_on_what_was_said(alone, launched):
    assert alone("up").code == 3
    everything = "up --data D --host 0.0.0.0 --port 9000 --simulate 3x8 --policy balance --log-level debug"
    everything += " --keep-leftovers --cgroups v1 --url https://gpu.lab/danlu --trusted-proxy 10.0.0.0/8"
    everything += " --folders /data --folders shared"
    alone(*everything.split(), lang="zh_CN.UTF-8")
    alone("down")
    alone("--data", "D", "down", "--stop-jobs")
    default = alone.home / ".local/share/danlu"
    plain = {
        "reach": ReachOptions(),
        "port": None,
        "simulate": None,
        "policy": None,
        "folders": (),
        "database": None,
        "database_typed": False,
        "keep_leftovers": False,
        "cgroups": "auto",
        "language": "en-x-cli",
        "log_level": "info",
        "cluster": False,
        "standby": False,
        "messages_port": None,
        "advertise": None,
        "node_file": None,
    }
    assert launched == [
        {**plain, "data": default},
        {
            **plain,
            "data": alone.home / "D",
            "reach": ReachOptions("0.0.0.0", url="https://gpu.lab/danlu", trusted_proxies=("10.0.0.0/8",)),
            "port": 9000,
            "simulate": "3x8",
            "policy": "balance",
            "folders": (Path("/data"), Path("shared")),
            "keep_leftovers": True,
            "cgroups": "v1",
            "language": "zh-x-cli",
            "log_level": "debug",
        },
        (default, False, "en-x-cli"),
        (alone.home / "D", True, "en-x-cli"),
    ]


def test_the_options_handed_to_up_are_the_ones_it_takes():
    import dataclasses

    from danlu.launch.up import UpOptions

    names = {field.name for field in dataclasses.fields(UpOptions)}
    assert {"data", "reach", "database", "port", "simulate", "policy", "language", "log_level"} <= names


def test_words_are_completed(alone):
    alone.environment.update(_DANLU_COMPLETE="bash_complete", COMP_WORDS="danlu subm", COMP_CWORD="1")
    out, _ = alone.spawn().communicate(timeout=10)
    assert out.strip() == b"plain,submit"
    alone.environment.update(COMP_WORDS="danlu submit --gp", COMP_CWORD="2")
    out, _ = alone.spawn().communicate(timeout=10)
    assert b"plain,--gpus" in out


def test_no_words_show_the_help(alone):
    said = alone()
    assert said.code == 0
    assert "submit" in said.out


def test_a_folder_that_is_gone_is_no_traceback(alone, danlu, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m danlu.main submit -- true"
    process = subprocess.Popen(["sh", "-c", command], env=danlu.environment, stderr=subprocess.PIPE)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 1
    assert b"Traceback" not in err
