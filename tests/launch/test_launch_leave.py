"""`danlu leave` where systemd runs the agent: it must not start it again behind our back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from danlu.cluster.keys import make_seed
from danlu.cluster.node.node_identity import MEMBER_FILE, NodeIdentity
from danlu.launch.cluster import leave
from danlu.launch.cluster.leave import LeaveOptions, run_leave
from danlu.launch.door.certificate import OwnCertificate
from danlu.launch.install.agent_unit import SERVICE, Unit, find_unit

SYSTEMCTL = """#!/bin/sh
echo "$*" >> {log}
case "$*" in
    *--user*show*) exit 1 ;;
    *show*) cat {answer} ;;
    *disable*) [ -e {broken} ] && echo "Access denied" >&2 && exit 1; exit 0 ;;
esac
"""


class Systemd:
    """Answers `systemctl` as the test says, and writes down what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken = folder / "broken"
        script = folder / "systemctl"
        script.write_text(SYSTEMCTL.format(log=folder / "log", answer=folder / "answer", broken=self.broken))
        script.chmod(0o755)
        self.runs(folder / "nothing", active="inactive")

    def runs(self, data: Path, *, active: str = "active", main_pid: int = 0, enabled: str = "") -> None:
        command = f"{{ path=/opt/danlu ; argv[]=/opt/danlu join --data {data} ; ignore_errors=no }}"
        said = [
            f"ActiveState={active}",
            f"UnitFileState={enabled}",
            f"MainPID={main_pid}",
            f"ExecStart={command}",
        ]
        (self.folder / "answer").write_text("\n".join(said) + "\n")

    def orders(self) -> list[str]:
        log = self.folder / "log"
        return [line for line in log.read_text().splitlines() if " show " not in line] if log.exists() else []


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Systemd:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return Systemd(folder)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A member of a cluster that does not answer."""
    monkeypatch.setattr(leave, "ANSWER_S", 0.2)
    folder = tmp_path / "data"
    folder.mkdir()
    certificate = OwnCertificate(tmp_path / "tls", [], []).read(time.time()).chain.decode()
    NodeIdentity("id", "n1", ("tls://127.0.0.1:1",), certificate, make_seed()).save(folder)
    return folder


def leaving(data: Path, *, force: bool = True) -> int:
    return run_leave(LeaveOptions(data, force, "en"))


def test_the_unit_that_runs_the_agent_is_found_by_its_folder_or_its_process(
    systemd: Systemd, tmp_path: Path
) -> None:
    ours = Unit(SERVICE, of_user=False)
    assert find_unit(tmp_path, None) is None
    systemd.runs(tmp_path / "other")
    assert find_unit(tmp_path, None) is None
    systemd.runs(tmp_path, active="activating")
    assert find_unit(tmp_path, None) == ours
    systemd.runs(tmp_path, active="inactive")
    assert find_unit(tmp_path, None) is None
    systemd.runs(tmp_path, active="inactive", enabled="enabled")
    assert find_unit(tmp_path, None) == ours
    systemd.runs(tmp_path / "other", main_pid=os.getpid())
    assert find_unit(tmp_path, os.getpid()) is not None


def test_who_leaves_by_force_stops_the_unit_for_good_and_first(systemd: Systemd, data: Path) -> None:
    systemd.runs(data)
    assert leaving(data) == 0
    assert systemd.orders() == [f"--no-pager --no-ask-password disable --now {SERVICE}"]
    assert not (data / MEMBER_FILE).exists()


def test_nobody_leaves_by_force_whose_agent_would_come_back(
    systemd: Systemd, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systemd.runs(data)
    systemd.broken.touch()
    assert leaving(data) == 1
    said = capsys.readouterr().err
    assert "Access denied" in said
    assert f"systemctl disable --now {SERVICE}" in said
    assert (data / MEMBER_FILE).exists()


def test_a_refusal_leaves_the_unit_alone(systemd: Systemd, data: Path) -> None:
    systemd.runs(data)
    assert leaving(data, force=False) == 1
    assert systemd.orders() == []
    assert (data / MEMBER_FILE).exists()


def test_the_agent_of_no_cluster_ends_with_what_units_do_not_start_again(tmp_path: Path) -> None:
    units = [Path("deploy/systemd/danlu-agent.service").read_text()]
    joining = [sys.executable, "-m", "danlu.main", "join", "--data", str(tmp_path)]
    done = subprocess.run(joining, check=False, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert all("RestartPreventExitStatus=3\n" in unit for unit in units)
