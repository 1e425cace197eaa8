"""The calls of jobs that are functions, where another server may have to hand them out tomorrow.

They lie as files in the data folder of the server that took them in. Where others stand by for it, they are
in the database as well, and who begins to lead brings here what it does not have.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from danlu.store.engine.database import Database
from danlu.store.jobs.calls import calls_in_use, put_piece, read_piece, stored_calls

log = logging.getLogger(__name__)

PIECE = 1 << 16


class CallCopies:
    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    async def send(self, owner: str, digest: str) -> None:
        """Store a call of this server in the database; it is there for all when this returns."""
        path = self._folder / owner / digest
        of = max(1, -(-(await asyncio.to_thread(os.path.getsize, path)) // PIECE))
        pieces = _pieces(path)
        for number in range(of):
            content = await asyncio.to_thread(next, pieces, b"")
            put = partial(put_piece, owner=owner, digest=digest, number=number, of=of, content=content)
            await self._database.write(put)

    async def share(self) -> None:
        """Bring here what is stored; store what only this server has and a job still needs."""
        stored, needed = await self._database.read(
            lambda connection: (stored_calls(connection), calls_in_use(connection, float("inf")))
        )
        for (owner, digest), of in stored.items():
            if not (self._folder / owner / digest).exists():
                await self._bring(owner, digest, of)
        for owner, digest in needed - stored.keys():
            if (self._folder / owner / digest).exists():
                await self.send(owner, digest)

    async def _bring(self, owner: str, digest: str, of: int) -> None:
        draft = self._folder / owner / f".draft-{secrets.token_hex(8)}"
        await asyncio.to_thread(draft.parent.mkdir, mode=0o700, parents=True, exist_ok=True)
        found = hashlib.sha256()
        try:
            for number in range(of):
                piece = await self._database.read(
                    partial(read_piece, owner=owner, digest=digest, number=number)
                )
                found.update(piece)
                await asyncio.to_thread(_append, draft, piece)
            if found.hexdigest() != digest:
                log.error("call %s of %s is damaged in the database", digest, owner)
                return
            draft.replace(draft.with_name(digest))
        finally:
            draft.unlink(missing_ok=True)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _append(path: Path, piece: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "ab") as file:
        file.write(piece)
