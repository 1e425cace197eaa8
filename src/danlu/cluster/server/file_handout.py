"""Gives nodes the files that their orders name, and no others."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from danlu.cluster.fetching import PIECE
from danlu.cluster.own_files import below

ALLOWED_S = 600.0
"""So long after the order, or after the last piece, a file may still be fetched."""


class FileHandout:
    """Paths begin with a folder's own name, as orders have them; all folders lie side by side."""

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        self._allowed: dict[tuple[str, str], float] = {}

    def allow(self, member_id: str, path: str) -> None:
        now = time.monotonic()
        self._allowed = {each: until for each, until in self._allowed.items() if until > now}
        self._allowed[member_id, path] = now + ALLOWED_S

    async def read(self, member_id: str, path: str, offset: int) -> tuple[bytes, int]:
        """A piece, and the size of the whole. Raises OSError."""
        if self._allowed.get((member_id, path), 0.0) < time.monotonic():
            raise PermissionError(f"no order of this node names {path}")
        place = below(self._folders[0].parent, path)
        if not any(place.is_relative_to(folder) for folder in self._folders):
            raise PermissionError(f"{path} is not handed out")
        self.allow(member_id, path)
        return await asyncio.to_thread(_read_piece, place, offset)


def _read_piece(place: Path, offset: int) -> tuple[bytes, int]:
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return os.pread(descriptor, PIECE, max(0, offset)), os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
