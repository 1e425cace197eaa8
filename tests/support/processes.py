"""Processes that a test started, found by the folder they were given."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.support.installation import wait_until


def processes_of(folder: Path) -> dict[int, str]:
    """Who was started with this folder, or something in it, in their words: keepers, wrappers, servers."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            except OSError:
                continue
            if str(folder) in words:
                found[int(entry.name)] = words
    return found


def remove_when_left(folder: Path) -> None:
    """Remove a test's folder once the last process that works in it has gone: one on its way out would still
    remove its own files, or make one, while the folder goes."""
    wait_until(lambda: not processes_of(folder), 60, f"{processes_of(folder)} ending")
    shutil.rmtree(folder)
