"""Where a file has data, and where nothing but holes that cost no disk: a log that was cut has one, and who
owns a file can make one of any size in a moment. Standard library only: the keeper may use it."""

from __future__ import annotations

import ctypes
import errno
import os

MOST_PARTS = 1 << 16
"""What lies behind so many parts is not looked at: no log has them, but its owner could make millions."""


_KEEP_SIZE, _PUNCH_HOLE = 1, 2

_libc = ctypes.CDLL(None, use_errno=True)
_libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]


def punch_hole(fd: int, offset: int, length: int) -> None:
    """Give back what a file holds there on its disk. It stays as long as it was."""
    _fallocate(fd, _PUNCH_HOLE | _KEEP_SIZE, offset, length)


def set_aside(fd: int, length: int) -> None:
    """Have a file hold so much of its disk behind its end, to grow into. It stays as long as it was."""
    _fallocate(fd, _KEEP_SIZE, os.fstat(fd).st_size, length)


def _fallocate(fd: int, mode: int, offset: int, length: int) -> None:
    if _libc.fallocate(fd, mode, offset, length) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"fallocate: {os.strerror(code)}")


def next_data(fd: int, offset: int, size: int) -> int | None:
    """Where data begin at `offset` or behind it; None where there is none before `size`."""
    if offset >= size:
        return None
    try:
        found = os.lseek(fd, offset, os.SEEK_DATA)
    except OSError as problem:
        # ENXIO: a hole to the end. Anything else: this file system does not tell, so all of it are data.
        return None if problem.errno == errno.ENXIO else offset
    return found if found < size else None


def end_of_data(fd: int, offset: int, size: int) -> int:
    """Where the data that begin at `offset` end."""
    try:
        return min(os.lseek(fd, offset, os.SEEK_HOLE), size)
    except OSError:
        return size


def first_hole(fd: int, size: int) -> tuple[int, int] | None:
    """The first hole, from where to where; None in a file that has none."""
    begin = end_of_data(fd, 0, size)
    if begin >= size:
        return None
    end = next_data(fd, begin, size)
    return begin, size if end is None else end


def data_parts(fd: int, size: int) -> list[tuple[int, int]]:
    """Where the data are, in order, each from where to where."""
    parts: list[tuple[int, int]] = []
    at = next_data(fd, 0, size)
    while at is not None and len(parts) < MOST_PARTS:
        end = end_of_data(fd, at, size)
        parts.append((at, end))
        at = next_data(fd, end, size)
    return parts
