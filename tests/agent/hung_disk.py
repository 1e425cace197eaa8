"""A file system that never answers: FUSE, with no server at the other end."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

_MNT_DETACH = 2


@contextlib.contextmanager
def hung_disk(place: Path) -> Iterator[Path]:
    """Mounted at `place`. A process that hangs there gets an error when the block is left."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        line = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        pytest.skip("there is no FUSE here")
    options = f"fd={line},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
    if libc.mount(b"hung", os.fsencode(place), b"fuse", 0, options.encode()) != 0:
        os.close(line)
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        os.close(line)
        libc.umount2(os.fsencode(place), _MNT_DETACH)
