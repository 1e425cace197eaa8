"""Until when a node may run what may be run elsewhere: on disk, so that each task's wrapper can see to it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

LEASE_FILE = "lease"


def now_s() -> float:
    """A clock that no admin sets, and that goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def read_lease(folder: Path, boot_id: str) -> float:
    """Until when the last lease is or was; 0 where there was none since the machine was started."""
    try:
        until, boot = (folder / LEASE_FILE).read_text().split()
        return float(until) if boot == boot_id else 0.0
    except (OSError, ValueError):
        return 0.0


def write_lease(folder: Path, until_s: float, boot_id: str) -> None:
    """`until_s` by the clock above, of this boot alone. No fsync: after a power cut it is void anyway."""
    draft = folder / f".{LEASE_FILE}.{os.getpid()}.{threading.get_ident()}"
    draft.write_text(f"{until_s:.3f} {boot_id}\n")
    draft.replace(folder / LEASE_FILE)
