"""What tests as root can reach: their own folders."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sandbox import REPOSITORY, is_entered

REASON = "needs root that may make mount namespaces"

REMOVE = """
import shutil, sys
from pathlib import Path
from tests.support import sandbox

mine, outside = map(Path, sys.argv[1:])
sandbox.enter([mine])
shutil.rmtree(mine / "folder")
try:
    shutil.rmtree(outside)
except OSError as error:
    sys.exit(error.errno)
"""

DETACH = """
import os, subprocess, sys
from pathlib import Path
from tests.support import sandbox

assert sandbox.processes_inside() == set()
sandbox.end_processes()
sandbox.enter([Path(sys.argv[1])])
subprocess.run(["sh", "-c", "setsid sleep 1000 &"], check=True)
(pid,) = sandbox.processes_inside()
assert Path(f"/proc/{pid}/stat").read_text().split()[3] != str(os.getpid())
sandbox.end_processes()
assert sandbox.processes_inside() == set()
"""


@pytest.fixture(autouse=True)
def inside() -> None:
    if not is_entered():
        if os.environ.get("CI") == "true":
            pytest.fail(REASON)
        pytest.skip(REASON)


def test_what_is_outside_cannot_be_removed(tmp_path: Path) -> None:
    mine, outside = tmp_path / "mine", tmp_path / "outside"
    for folder in (mine / "folder", outside):
        folder.mkdir(parents=True)
        (folder / "sentinel").touch()
    done = subprocess.run(
        [sys.executable, "-c", REMOVE, str(mine), str(outside)], cwd=REPOSITORY, check=False
    )
    assert done.returncode == errno.EROFS
    assert list(outside.iterdir()) == [outside / "sentinel"]
    assert list(mine.iterdir()) == []


@pytest.mark.parametrize("folder", ["/", "/etc", "/root", "/usr", "/var", REPOSITORY, REPOSITORY / "src"])
def test_these_tests_run_inside(folder: str | Path) -> None:
    assert is_entered()
    with pytest.raises(OSError, match="Read-only file system"):
        (Path(folder) / "of-a-test").touch()


def test_what_is_started_runs_inside_too() -> None:
    done = subprocess.run(
        ["touch", str(REPOSITORY / "of-a-test")], capture_output=True, text=True, check=False
    )
    assert "Read-only file system" in done.stderr


def test_what_was_started_inside_is_found_and_ended_whoever_its_parent_is(tmp_path: Path) -> None:
    bystander = subprocess.Popen(["sleep", "1000"])
    try:
        subprocess.run([sys.executable, "-c", DETACH, str(tmp_path)], cwd=REPOSITORY, check=True)
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
