"""Starting a keeper, detached from this process."""

from __future__ import annotations

import hashlib
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import IO, cast

import danlu
from danlu.agent.keeper.wrapper.setup import may_inherit
from danlu.agent.open_files import as_before

_CODE = """\
import sys
sys.path.append(sys.argv.pop(1))
from danlu.agent.keeper.main import main
main()
"""
_START_S = 30.0
_LONGEST_LOG = 1 << 20


class KeeperUnavailable(Exception):
    """No keeper answers for this folder, and none could be started."""


def keeper_argv(folder: Path, cgroup_mode: str) -> list[str]:
    """The command that starts the keeper of `folder`: our package and the standard library, nothing else."""
    source = Path(danlu.__file__).parents[1]
    return [sys.executable, "-I", "-S", "-c", _CODE, str(source), str(folder), label_of(folder), cgroup_mode]


def label_of(folder: Path) -> str:
    """What the groups of this folder's tasks are called by."""
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]


def start_keeper(argv: list[str], folder: Path) -> bool:
    """Start a keeper; True when it listens, False when another one holds the folder. Blocks."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = _open_log(folder / "keeper.log")
    try:
        process = subprocess.Popen(
            # What tasks may have open is what the person who started us may.
            as_before(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd="/",
            # Tasks may run with the keeper's own uid and could read its environment: no secrets in it.
            env={name: value for name, value in os.environ.items() if may_inherit(name)},
            start_new_session=True,
        )
    finally:
        os.close(log)
    said = _first_line(process)
    if said not in ("ready", "busy"):
        raise KeeperUnavailable(f"the keeper said {said or 'nothing'!r}; see {folder / 'keeper.log'}")
    return said == "ready"


def _first_line(process: subprocess.Popen[bytes]) -> str:
    """What the keeper says once it is detached; the process that we started has ended by then."""
    with process, cast("IO[bytes]", process.stdout) as stdout:
        # Not `select`: its sets end at the descriptor 1023.
        said = select.poll()
        said.register(stdout, select.POLLIN)
        if not said.poll(_START_S * 1000):
            process.kill()
            return f"nothing within {_START_S:.0f} s"
        return stdout.readline().decode().strip()


def _open_log(path: Path) -> int:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    if os.fstat(fd).st_size > _LONGEST_LOG:
        os.ftruncate(fd, 0)
    return fd
