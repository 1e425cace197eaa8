"""Another machine: a network namespace with a cable to this one."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import preloaded

REASON = "another machine needs root, ip and nsenter"
_numbers = itertools.count()


def can_make_machines() -> bool:
    return os.geteuid() == 0 and shutil.which("ip") is not None and shutil.which("nsenter") is not None


class OtherMachine:
    """`address` is its own, `here` is ours as it sees it; everything it sends goes to us."""

    def __init__(self) -> None:
        # Tests run side by side, and each has its own network: 10.128.0.0 to 10.191.255.0.
        number = (os.getpid() * 4 + next(_numbers)) % (64 << 8)
        network = f"10.{128 + (number >> 8)}.{number & 255}"
        self.name = f"danlu-other-{number}"
        self.address = f"{network}.2"
        self.here = f"{network}.1"
        self._cable = f"dlo{number}"

    def plug_in(self) -> None:
        _ip("netns", "add", self.name)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("address", "add", f"{self.here}/24", "dev", self._cable)
        _ip("link", "set", self._cable, "up")
        _ip("-n", self.name, "link", "set", "lo", "up")
        _ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        _ip("-n", self.name, "link", "set", "eth0", "up")
        _ip("-n", self.name, "route", "add", "default", "via", self.here)

    def unplug(self) -> None:
        subprocess.run(["ip", "netns", "delete", self.name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", self._cable], check=False, capture_output=True)

    def run(self, *words: str, home: Path, text_in: str = "") -> subprocess.CompletedProcess[str]:
        """A command there."""
        return subprocess.run(
            ["nsenter", f"--net={self._space}", *words],
            env=self._environment(home),
            input=text_in,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def danlu(self, *words: str, home: Path, text_in: str = "") -> subprocess.CompletedProcess[str]:
        return preloaded.run(words, self._environment(home), text_in=text_in, spaces=[self._space])

    def python(self, program: str, *words: str, home: Path) -> str:
        done = self.run(sys.executable, "-c", program, *words, home=home)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def _space(self) -> str:
        return f"/run/netns/{self.name}"

    def _environment(self, home: Path) -> dict[str, str]:
        given = {name: os.environ[name] for name in preloaded.READ_BY_EXEC if name in os.environ}
        return {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **given}


@contextmanager
def other_machine() -> Iterator[OtherMachine]:
    if not can_make_machines():
        if os.environ.get("CI") == "true":
            pytest.fail(REASON)
        pytest.skip(REASON)
    machine = OtherMachine()
    try:
        machine.plug_in()
        yield machine
    finally:
        machine.unplug()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
