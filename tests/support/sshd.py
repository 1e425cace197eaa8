"""A real sshd on a host of the tests, with keys of its own, that lets one key in.

with sshd(host, folder) as door:      # as root of that host, on port 22 of it
    door.identity                     # the key file that is let in
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.hosts import Host
from tests.support.installation import wait_until

REASON = "needs root and sshd (Debian: openssh-server)"
PORT = 22


@dataclass(frozen=True)
class Door:
    """`stranger` is a key that is not let in; `log` what sshd says."""

    identity: Path
    stranger: Path
    log: Path


def make_key(path: Path) -> Path:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(words, check=True, capture_output=True)
    return path


@contextlib.contextmanager
def sshd(host: Host, folder: Path, *settings: str) -> Iterator[Door]:
    """Serve ssh on a host. Homes are the folder's, so that no developer's own keys are used or changed."""
    program = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin")
    if program is None or os.geteuid() != 0:
        if os.environ.get("CI") == "true":
            pytest.fail(REASON)
        pytest.skip(REASON)
    folder.mkdir()
    Path("/run/sshd").mkdir(exist_ok=True)
    door = Door(make_key(folder / "key"), make_key(folder / "stranger"), folder / "log")
    make_key(folder / "host_key")
    (folder / "authorized").write_text((folder / "key.pub").read_text())
    lines = [
        f"HostKey {folder / 'host_key'}",
        f"AuthorizedKeysFile {folder / 'authorized'}",
        f"PidFile {folder / 'pid'}",
        f"ListenAddress {host.address}:{PORT}",
        # The folders of tests belong to others too.
        "StrictModes no",
        "UsePAM no",
        "PermitRootLogin yes",
        "PasswordAuthentication no",
        *settings,
    ]
    (folder / "config").write_text("\n".join(lines) + "\n")
    process = host.popen(program, "-D", "-f", str(folder / "config"), "-E", str(door.log))
    try:
        wait_until(lambda: _listens(host, process), 10, f"sshd on {host.name}")
        yield door
    finally:
        process.terminate()
        process.wait(10)


def _listens(host: Host, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "sshd ended"
    return (
        host.run(
            "python3",
            "-c",
            f"import socket; socket.create_connection(('{host.address}', {PORT}), 2)",
            check=False,
        ).returncode
        == 0
    )
