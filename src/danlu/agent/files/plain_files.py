"""Opening a file at a path that others can change: only a plain one, and nothing is opened to see what it is.

Opening a device may set it off, and opening a FIFO waits for its other end.
"""

from __future__ import annotations

import os
import stat


class NotPlain(PermissionError):
    """Something else is at the path: a link, a FIFO, a device, a folder, another account's file."""


def open_plain(path: str, owner: int | None = None) -> int:
    """A plain file, open for reading; `owner` is the uid that it must belong to. Raises NotPlain, OSError."""
    found = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        facts = os.fstat(found)
        if not stat.S_ISREG(facts.st_mode):
            raise NotPlain(f"{path} is not a plain file")
        if owner is not None and facts.st_uid != owner:
            raise NotPlain(f"{path} belongs to another account")
        return os.open(f"/proc/self/fd/{found}", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    finally:
        os.close(found)


def read_plain(path: str, most: int) -> str:
    """What a small text file begins with. Raises NotPlain, OSError."""
    fd = open_plain(path)
    try:
        return os.read(fd, most).decode(errors="replace")
    finally:
        os.close(fd)
