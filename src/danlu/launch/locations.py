"""Where things are: the data folder and what says that a server runs there."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path

from danlu.settings import Settings

_FIELD = 32
"""The lock file says in so many bytes who holds it, and in as many how many jobs were left at the end."""


class AlreadyRunning(Exception):
    """Another server has this data folder."""


def prepare_folders(settings: Settings) -> None:
    """Make the data folder. Other accounts may pass through it (to their logs) but not look around."""
    settings.data.mkdir(parents=True, exist_ok=True)
    settings.data.chmod(0o711)
    for folder, mode in (
        (settings.logs, 0o711),
        (settings.calls, 0o700),
        (settings.results, 0o700),
        (settings.node_folder, 0o711),
        (settings.environments, 0o755),
    ):
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)


def lock_data(data: Path) -> int:
    """Hold the data folder for this process. Raises AlreadyRunning."""
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise AlreadyRunning(str(data)) from None
    # Who holds the lock can be asked to stop, also before it has announced itself. Nothing is truncated: on a
    # full disk the room would be gone.
    os.pwrite(descriptor, f"{os.getpid():<{_FIELD - 1}}\n{'':<{_FIELD - 1}}\n".encode(), 0)
    return descriptor


def holder_of(data: Path) -> int | None:
    """The process of the server that runs on this data folder; None when none does."""
    try:
        descriptor = os.open(data / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(os.pread(descriptor, _FIELD, 0) or 0) or None
    else:
        return None
    finally:
        os.close(descriptor)


def note_jobs_left(data: Path, left: int) -> None:
    """Let the command that waits for the end of this server know how many jobs it could not stop."""
    descriptor = os.open(data / "lock", os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.pwrite(descriptor, f"{left:<{_FIELD - 1}}\n".encode(), _FIELD)
    finally:
        os.close(descriptor)


def jobs_left(data: Path) -> int | None:
    """How many jobs the last server could not stop; None when it did not say."""
    descriptor = os.open(data / "lock", os.O_RDONLY | os.O_CLOEXEC)
    try:
        said = os.pread(descriptor, _FIELD, _FIELD).strip()
    finally:
        os.close(descriptor)
    return int(said) if said.isdigit() else None


def wait_until_unlocked(data: Path) -> None:
    """Return once no server holds the data folder."""
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    finally:
        os.close(descriptor)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    fresh.replace(path)


def announce(settings: Settings, url: str, fingerprint: str | None) -> None:
    """Let the command line on this machine find the server, and know it by its key."""
    facts = {"url": url, "pid": os.getpid(), "started_at": time.time(), "fingerprint": fingerprint}
    write_private(settings.server_file, json.dumps(facts) + "\n")


def withdraw(settings: Settings) -> None:
    settings.server_file.unlink(missing_ok=True)
    settings.token_file.unlink(missing_ok=True)
