"""The README's two commands in a fresh clone with a fresh environment.

`make test` as a whole is what runs this very test; here its parts are shown to install by themselves.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.installation import REPOSITORY, LiveServer, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git would give a newcomer, with changes that are not committed yet."""
    folder = tmp_path_factory.mktemp("fresh") / "danlu"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (REPOSITORY / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((REPOSITORY / name).read_bytes())
            (folder / name).chmod((REPOSITORY / name).stat().st_mode)
    return folder


def fresh_environment(home: Path) -> dict[str, str]:
    """A newcomer's shell: no virtual environment, nothing of Danlu set."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DANLU", "VIRTUAL_ENV"))}
    kept["PATH"] = os.pathsep.join(p for p in kept["PATH"].split(os.pathsep) if ".venv" not in p)
    return {**kept, "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}


def test_make_run_starts_danlu_and_says_where_it_is(clone, tmp_path):
    environment = fresh_environment(tmp_path)
    base = Path(sys.base_prefix) / "bin" / "python3"
    running = subprocess.Popen(
        ["make", "run", f"PYTHON={base}"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said = ""
        while "Stop with" not in said:
            line = running.stdout.readline()
            assert line, f"make run ended:\n{said}"
            said += line
        url = re.search(r"running at (http://127\.0\.0\.1:\d+)", said)[1]
        code = re.search(r"#login=(\S+)", said)[1]
        browser = httpx.Client(base_url=url)
        assert "<title>" in browser.get("/").text
        assert browser.post("/api/v1/auth/link", json={"code": code}).json()["role"] == "admin"
        danlu = [str(clone / ".venv" / "bin" / "danlu")]
        done = subprocess.run(
            [*danlu, "run", "--", "echo", "hello"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "hello\n"
        assert (tmp_path / "data" / "danlu" / "danlu.db").exists()
        subprocess.run([*danlu, "down"], env=environment, check=True, capture_output=True)
        assert running.wait(30) == 0
        left = LiveServer(tmp_path / "data" / "danlu")
        wait_until(lambda: not left.keeper_pids(), 20, "the keeper's leaving")
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        running.stdout.close()


def test_make_test_installs_what_it_needs_and_checks(clone, tmp_path):
    """What the tests need, through the make target that `make test` begins with; then one of its linters, and
    a room of tests."""
    base = Path(sys.base_prefix) / "bin" / "python3"

    def run(*words: str) -> str:
        done = subprocess.run(
            words,
            cwd=clone,
            env=fresh_environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    planned = run("make", "-n", "test")
    for part in ("ruff check", "mypy", "lint-imports", "pytest"):
        assert part in planned
    run("make", ".venv/.installed-for-tests", f"PYTHON={base}")
    installed = clone / ".venv" / "bin"
    run(str(installed / "ruff"), "check")
    assert "passed" in run(str(installed / "pytest"), "tests/core", "-o", "addopts=")


@pytest.mark.parametrize("unit", ["danlu.service", "danlu-user.service", "danlu-agent.service"])
def test_the_systemd_units_leave_jobs_alone(unit):
    text = (REPOSITORY / "deploy" / "systemd" / unit).read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for needed in ("KillMode=process", "OOMPolicy=continue", "Delegate=yes"):
        assert needed in lines
    if unit == "danlu.service":
        assert any(line.startswith("Nice=-") for line in lines)
        assert any(line.startswith("IOSchedulingClass=") for line in lines)
