"""Brings files of the server to a node, in pieces, each asked for when the last one is on disk."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import BinaryIO

from danlu.cluster.own_files import FETCHED, below

PIECE = 1 << 20

Ask = Callable[[str, int], Awaitable[tuple[bytes, int]]]
"""(path, offset) -> a piece, and the size of the whole. Raises FetchRefused, NoConnection."""


class FetchRefused(Exception):
    """The server does not give the file, or what came is not the file."""


class Fetching:
    """The files that orders name. Several orders of the same file wait for one fetch."""

    def __init__(self, folder: Path, ask: Ask) -> None:
        self._folder = folder
        self._ask = ask
        self._under_way: dict[str, asyncio.Task[Path]] = {}

    async def find(self, path: str) -> Path:
        """The file on this machine, brought here if need be. Raises FetchRefused, NoConnection, OSError."""
        own, fetched = below(self._folder, path), below(self._folder / FETCHED, path)
        for place in (own, fetched):
            if await asyncio.to_thread(_use, place):
                return place
        doing = self._under_way.get(path)
        if doing is None:
            doing = asyncio.create_task(self._fetch(path, fetched), name=f"fetch {path}")
            self._under_way[path] = doing
            doing.add_done_callback(lambda _: self._under_way.pop(path, None))
        # Who asked may leave; others may wait for the same file.
        return await asyncio.shield(doing)

    async def _fetch(self, path: str, place: Path) -> Path:
        draft = place.with_name(f".draft-{secrets.token_hex(8)}")
        file = await asyncio.to_thread(_open, draft)
        try:
            digest = hashlib.sha256()
            offset, size = 0, 1
            while offset < size:
                piece, size = await self._ask(path, offset)
                if not piece and offset < size:
                    raise FetchRefused(f"{path} ended early, at {offset} of {size} bytes")
                await asyncio.to_thread(file.write, piece)
                digest.update(piece)
                offset += len(piece)
            _check(path, digest.hexdigest())
            await asyncio.to_thread(_keep, file, draft, place)
            return place
        finally:
            file.close()
            with contextlib.suppress(FileNotFoundError):
                draft.unlink()


def _check(path: str, digest: str) -> None:
    """A file that is named by its digest must have it."""
    name = path.rpartition("/")[2]
    if re.fullmatch("[0-9a-f]{64}", name) and name != digest:
        raise FetchRefused(f"{path} arrived damaged")


def _use(place: Path) -> bool:
    try:
        # As new: cleaning up passes over what is in use.
        os.utime(place)
    except FileNotFoundError:
        return False
    return True


def _open(draft: Path) -> BinaryIO:
    draft.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


def _keep(file: BinaryIO, draft: Path, place: Path) -> None:
    file.flush()
    os.fsync(file.fileno())
    draft.replace(place)
