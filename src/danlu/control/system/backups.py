"""Backups of a running installation: one at a time, sent while they are made, nothing left behind."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.exc import SQLAlchemyError

from danlu import __version__
from danlu.cluster.server.agents import Agents
from danlu.control.system.backup_of_nodes import pack_node_files
from danlu.core.errors import Conflict, DanluError, Unavailable
from danlu.core.events import EventKind
from danlu.settings import Settings
from danlu.store.archive.backup import Manifest, Packer, copy_database, describe_copy, pack
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import reason_of
from danlu.store.jobs.task_files import list_task_files

log = logging.getLogger(__name__)

DRAFT = "backup-"
FILES = ("node-name", "node/gpus.json")
FOLDERS = ("calls", "tls")
"""What waiting jobs and the people who log in depend on."""
LOG_FOLDERS = ("logs", "results")
ROOTS = frozenset({*FILES, *FOLDERS, *LOG_FOLDERS})


class Backups:
    """`last` is what is known of the backup that was made last by this process."""

    def __init__(
        self, database: Database, agents: Agents, settings: Settings, clock: Callable[[], float]
    ) -> None:
        self.last: Manifest | None = None
        self._database = database
        self._agents = agents
        self._settings = settings
        self._data = settings.data
        self._clock = clock
        self._busy = asyncio.Lock()

    @asynccontextmanager
    async def open(self, *, with_logs: bool, actor: str) -> AsyncIterator[AsyncIterator[bytes]]:
        """A backup of this moment, piece by piece. Raises Conflict, Unavailable before the first."""
        if self._busy.locked():
            raise Conflict("backup_running")
        async with self._busy:
            try:
                copy, manifest = await asyncio.to_thread(self._copy)
            except (SQLAlchemyError, sqlite3.Error, OSError) as problem:
                log.exception("a backup failed")
                raise Unavailable("backup_failed", reason=reason_of(problem)) from problem
            with copy:
                yield self._pack(copy, manifest, with_logs, actor)
            log.info("made a backup of %d members", len(manifest.members))

    async def _pack(
        self, copy: BinaryIO, manifest: Manifest, with_logs: bool, actor: str
    ) -> AsyncIterator[bytes]:
        """All pieces. The last of them has been taken when the backup is noted as made."""
        sent = 0
        async for piece in self._pieces(copy, manifest, with_logs):
            sent += len(piece)
            yield piece
        self.last = manifest
        await self._note(actor, manifest, sent, with_logs)

    async def _note(self, actor: str, manifest: Manifest, sent: int, with_logs: bool) -> None:
        def write(tx: Transaction) -> None:
            tx.record(
                EventKind.BACKUP_MADE,
                actor=actor,
                bytes=sent,
                files=len(manifest.members),
                with_logs=with_logs,
                left_out=len(manifest.left_out),
            )

        try:
            await self._database.write(write)
        except DanluError:
            # A client that has the whole archive must not be told that it failed.
            log.exception("a backup of %s was made and could not be noted", actor)

    async def _pieces(self, copy: BinaryIO, manifest: Manifest, with_logs: bool) -> AsyncIterator[bytes]:
        packer, names = Packer(manifest), names_below(self._data, with_logs)
        async for piece in _in_threads(pack(packer, copy, self._data, names, socket.gethostname())):
            yield piece
        if with_logs and self._settings.cluster is not None:
            tasks = await self._database.read(lambda connection: list(list_task_files(connection)))
            async for piece in pack_node_files(packer, self._agents, self._data, tasks):
                if piece:
                    yield piece
        yield packer.finish()

    def _copy(self) -> tuple[BinaryIO, Manifest]:
        """The database as a file that has no name any more: however this ends, it does not stay."""
        clear_drafts(self._data)
        folder = self._data / f"{DRAFT}{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
        try:
            path = folder / "danlu.db"
            created_at = self._clock()
            copy_database(self._database.location, path)
            manifest = describe_copy(path, __version__, created_at)
            return path.open("rb"), manifest
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def clear_drafts(data: Path) -> None:
    """What a server that was killed in the middle of a backup left."""
    for folder in data.glob(f"{DRAFT}*/"):
        shutil.rmtree(folder, ignore_errors=True)


def names_below(data: Path, with_logs: bool) -> Iterator[str]:
    """The files that belong into a backup, relative to the data folder; drafts begin with a dot."""
    yield from FILES
    for root in FOLDERS + (LOG_FOLDERS if with_logs else ()):
        for folder, _, files in os.walk(data / root):
            place = Path(folder).relative_to(data)
            yield from (str(place / name) for name in sorted(files) if not name.startswith("."))


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        # Most steps only fill the compressor.
        if piece:
            yield piece
