"""An agent that does not get its lease as another version is ended, and the old one put back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from danlu.launch.install import upgrade
from danlu.launch.install.runtime import current_name, runtime_of


def test_one_that_hangs_before_it_takes_the_lock_does_not_go_on_beside_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "GONE_S", 0.2)
    monkeypatch.setattr(upgrade, "END_S", 0.5)
    for name in ("old", "new"):
        (runtime_of(tmp_path) / name).mkdir(parents=True)
    upgrade.switch(tmp_path, "new")
    # It does not even listen to TERM.
    hung = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(15, signal.SIG_IGN); print(); signal.pause()"],
        stdout=subprocess.PIPE,
    )
    assert hung.stdout is not None
    try:
        hung.stdout.readline()
        process = os.pidfd_open(hung.pid)
        assert not upgrade.guard(tmp_path, "old", "/bin/true", time.time_ns(), process)
        assert hung.wait(10) == -signal.SIGKILL
        os.close(process)
    finally:
        hung.kill()
        hung.wait()
        hung.stdout.close()
    assert current_name(tmp_path) == "old"
