"""The unit of systemd that runs the agent of a data folder, if one does: it would start the agent again."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SERVICE = "danlu-agent.service"
PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    of_user: bool
    """Of the systemd of one user, not of the machine's."""

    @property
    def stop_command(self) -> str:
        return " ".join(["systemctl", *self._scope, "disable", "--now", self.name])

    def stop(self) -> str | None:
        """Stop it for good: neither now nor after a restart of the machine it starts the agent. What went
        wrong, if anything. Blocks."""
        done = _systemctl(*self._scope, "disable", "--now", self.name)
        return None if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"

    @property
    def _scope(self) -> tuple[str, ...]:
        return ("--user",) if self.of_user else ()


def find_unit(data: Path, agent: int | None) -> Unit | None:
    """The unit that runs the agent of `data`, whose process is `agent` if it lives at this moment."""
    if shutil.which("systemctl") is None:
        return None
    candidates = [Unit(SERVICE, of_user=False), Unit(SERVICE, of_user=True)]
    if agent is not None and (around := _unit_around(agent)) is not None:
        candidates.insert(0, around)
    return next((unit for unit in candidates if _runs(unit, data, agent)), None)


def _unit_around(pid: int) -> Unit | None:
    """The service that a process belongs to. It may be another's, which has merely started it."""
    try:
        parts = Path(f"/proc/{pid}/cgroup").read_text().strip().split("/")
    except OSError:
        return None
    services = [part for part in parts if part.endswith(".service")]
    if not services:
        return None
    return Unit(services[-1], of_user=services[0] != services[-1] and services[0].startswith("user@"))


def _runs(unit: Unit, data: Path, agent: int | None) -> bool:
    """Whether this unit has, or will have, the agent of this very folder."""
    done = _systemctl(
        *unit._scope,
        "show",
        unit.name,
        "--property=ActiveState",
        "--property=UnitFileState",
        "--property=MainPID",
        "--property=ExecStart",
    )
    said = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    if agent is not None and said.get("MainPID") == str(agent):
        return True
    words = said.get("ExecStart", "").split()
    is_ours = any(pair == ("--data", str(data)) for pair in itertools.pairwise(words))
    is_idle = said.get("ActiveState") in (None, "inactive", "failed")
    return is_ours and not (is_idle and said.get("UnitFileState") != "enabled")


def _systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["systemctl", "--no-pager", "--no-ask-password", *words],
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return subprocess.CompletedProcess(words, 1, "", str(problem))
