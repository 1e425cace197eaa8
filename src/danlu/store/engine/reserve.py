"""Room on the disk of the data folder that is set aside for the day on which there is no other.

On a full disk nothing can be written down, not even that a job shall be cancelled, so that the job that fills
it could not be stopped. So the database's log of changes has room of its own behind its end, and when that is
used up a part of the reserve is given up. It is set aside anew when there is room again.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from danlu.sparse_files import set_aside

PARTS = 4
PART = 4 << 20
SMALLEST_PART = 1 << 17
"""A part is at most a hundredth of its disk, unless that is less than this."""
LEAST_FREE = 1 << 17
"""With less than that, a server cannot even say that it is there."""


class Reserve:
    """Files in a folder of their own, for the sake of `database`. Several, so that one is left for the next
    start."""

    def __init__(self, folder: Path, database: Path) -> None:
        self._folder = folder
        self._database = database
        self._log = database.with_name(f"{database.name}-wal")

    @property
    def free_bytes(self) -> int:
        """What is left on the disk for us."""
        facts = os.statvfs(self._folder.parent)
        return facts.f_frsize * (facts.f_bfree if os.geteuid() == 0 else facts.f_bavail)

    @property
    def is_needed(self) -> bool:
        """The disk is as good as full, or some of the reserve is given up already."""
        return self.free_bytes < self._part_size() or not self._is_whole()

    def keep(self) -> bool:
        """Set aside what is missing; whether all is there, and more room besides."""
        if self.free_bytes < 2 * PARTS * self._part_size():
            return self._is_whole() and not self.is_needed
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            for path in self._parts():
                if not path.exists():
                    self._make(path)
            _let_grow(self._log, self._part_size())
        return self._is_whole()

    def give_up(self, *, to_start: bool = False) -> bool:
        """Give a part up, most of it to the database; False when none is left. The last one is for a server
        that is about `to_start`."""
        for path in reversed(self._parts()[0 if to_start else 1 :]):
            try:
                size = path.stat().st_size
                path.unlink()
            except FileNotFoundError:
                continue
            for file in (self._log, self._database):
                _let_grow(file, size * 2 // 5)
            return True
        return False

    def _is_whole(self) -> bool:
        return all(path.exists() for path in self._parts())

    def _parts(self) -> list[Path]:
        return [self._folder / str(number) for number in range(PARTS)]

    def _part_size(self) -> int:
        facts = os.statvfs(self._folder.parent)
        return max(SMALLEST_PART, min(PART, facts.f_blocks * facts.f_frsize // 100))

    def _make(self, path: Path) -> None:
        draft = path.with_suffix(".new")
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(fd, 0, self._part_size())
            draft.rename(path)
        finally:
            os.close(fd)
            draft.unlink(missing_ok=True)


def _let_grow(file: Path, length: int) -> None:
    # Where it is not there, or its file system cannot do this, it grows as any other file.
    with contextlib.suppress(OSError):
        fd = os.open(file, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            facts = os.fstat(fd)
            if facts.st_blocks * 512 - facts.st_size < length // 2:
                set_aside(fd, length)
        finally:
            os.close(fd)
