"""Wherever Danlu starts Python, nothing of the current folder is run: root may stand in a user's."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import danlu
from danlu.agent.files.folder_probe_process import looker_argv
from danlu.agent.keeper_process import keeper_argv
from danlu.launch.install.runtime import _add_python, switch
from danlu.launch.interpreter import danlu_argv

DANLU = str(Path(sys.executable).with_name("danlu"))
TOKEN = "secret." + "f" * 43
SOURCE = Path(danlu.__file__).parent


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder with modules that are named like those of others, and leave a mark when they are run."""
    folder = tmp_path / "trap"
    (folder / "danlu").mkdir(parents=True)
    mark = str(tmp_path / "sprung")
    for name in ("json.py", "asyncio.py", "click.py", "sitecustomize.py", "danlu/__init__.py"):
        (folder / name).write_text(f"open({mark!r}, 'a').write({name!r} + ' ')\n")
    (folder / "danlu" / "main.py").write_text("raise SystemExit(77)\n")
    return folder


def run_in(trap: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DANLU_"))}
    environment = {**kept, "HOME": str(trap.parent), "DANLU_LANG": "en", **variables}
    return subprocess.run(
        words, check=False, cwd=trap, env=environment, capture_output=True, text=True, timeout=120
    )


def sprung(trap: Path) -> str:
    mark = trap.parent / "sprung"
    return mark.read_text() if mark.exists() else ""


def test_joining_with_a_token_among_the_words(trap: Path) -> None:
    """It executes itself anew, without the token; no server answers at that address."""
    done = run_in(trap, DANLU, "join", "127.0.0.1:1", "--data", "data", "--token", TOKEN)
    assert (sprung(trap), done.returncode) == ("", 1), done.stderr
    assert "127.0.0.1:1" in done.stderr
    assert (trap / "data").is_dir()


def test_a_newer_agent_takes_over(trap: Path, tmp_path: Path) -> None:
    """It becomes the one of the runtime, which finds that this machine is no member."""
    data = tmp_path / "data"
    runtime = data / "runtime" / "99.0-new"
    runtime.mkdir(parents=True)
    (runtime / "bundle.json").write_text(json.dumps({"version": "99.0"}))
    (runtime / "bin").mkdir()
    # A script, not a link: a link to Python would not find what this environment has.
    python = runtime / "bin" / "python"
    python.write_text(f'#!/bin/sh\npwd > {tmp_path}/where\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    switch(data, "99.0-new")
    start = (
        "import pathlib, sys, danlu.launch.install.upgrade as it; it.prefer_newer(pathlib.Path(sys.argv[1]))"
    )
    done = run_in(trap, sys.executable, "-P", "-c", start, str(data))
    assert (sprung(trap), done.returncode) == ("", 3), done.stderr
    assert (tmp_path / "where").read_text() == "/\n"


def test_the_command_of_an_installed_node(trap: Path, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    packages = runtime / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (runtime / "bundle.json").write_text("{}")
    (packages / "all.pth").write_text("\n".join(path for path in sys.path if Path(path).is_dir()) + "\n")
    _add_python(runtime)
    for variables in ({}, {"PYTHONPATH": ":"}):
        done = run_in(trap, str(runtime / "bin" / "danlu"), "--data", "data", "version", **variables)
        assert f"danlu {danlu.__version__}" in done.stdout, done.stderr
        assert sprung(trap) == ""


@pytest.mark.parametrize(
    "argv",
    [
        [DANLU, "version"],
        danlu_argv("version"),
        # They end at once: neither a folder nor a question is given to them.
        keeper_argv(Path("/proc/none"), "none"),
        looker_argv(),
    ],
    ids=["command", "agent", "keeper", "looker"],
)
def test_what_runs_beside(trap: Path, argv: list[str]) -> None:
    run_in(trap, *argv)
    assert sprung(trap) == ""


def test_no_other_place_starts_python() -> None:
    """What starts it says so in `launch/interpreter.py`, or isolates it altogether."""
    starts = re.compile(r'"-m",|-m danlu|sys\.executable, "-(?!I)')
    # Launchers and programs of a task are run by the user's own Python, in the user's own folder.
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if starts.search(path.read_text()) and "programs" not in path.parts
    }
    others = {"agent/keeper/wrapper/launchers.py", "launch/install/runtime.py", "wire/job_fields.py"}
    assert found - others == {"launch/interpreter.py"}
