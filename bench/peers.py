"""Getting the peers: Debian's packages as root, Python's in a virtual environment of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from harness import BENCH, CannotRun

PEERS = BENCH / ".peers"
PYTHON_PEERS = ("hyperqueue==0.27.0", "flask==3.1.3", "requests")


def need_programs(programs: tuple[str, ...], packages: tuple[str, ...]) -> None:
    """Have these programs, installing their Debian packages where that is possible. Raises CannotRun."""
    if all(map(find_program, programs)):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise CannotRun(f"not installed; as root: apt-get install {' '.join(packages)}")
    print(f"  installing {' '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", *words], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CannotRun(f"apt-get {words[0]} failed: {done.stderr.strip()[-200:]}")


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def peer_python() -> Path:
    """A Python that has the peers of PyPI. Raises CannotRun."""
    python, stamp = PEERS / "bin" / "python", PEERS / "installed"
    wanted = "\n".join(PYTHON_PEERS)
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"  installing {' '.join(PYTHON_PEERS)}", flush=True)
    for argv in (
        [sys.executable, "-m", "venv", str(PEERS)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON_PEERS],
    ):
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotRun(f"{' '.join(argv[1:4])} failed: {done.stderr.strip()[-300:]}")
    stamp.write_text(wanted)
    return python
