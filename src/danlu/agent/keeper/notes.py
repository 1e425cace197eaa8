"""How wrappers tell the keeper when a task has started: short lines through a FIFO in its folder.

A FIFO has a name, so a wrapper finds the next keeper too; and with no keeper, a note is simply not sent.
What is on disk stays the truth: a lost note delays a fact, it never loses one.
"""

from __future__ import annotations

import contextlib
import os


def open_notes(path: str) -> int:
    """The keeper's end. Opened for writing too, or every leaving wrapper would read as an end of file."""
    with contextlib.suppress(FileExistsError):
        os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)


def send_note(path: str, key: str, started_at: float) -> None:
    """Never waits and never fails."""
    with contextlib.suppress(OSError):
        fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.write(fd, f"{key} {started_at!r}\n".encode())
        finally:
            os.close(fd)
