"""`danlu restore`: a data folder, and its database, out of a backup."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from danlu.control.system.backups import ROOTS
from danlu.launch.database.choice import parse_location, remember_location, sqlite_of, sync_folder
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.launch.database.row_copy import carry_over, finish_carrying
from danlu.launch.locations import AlreadyRunning, lock_data
from danlu.launch.starter import starter_name
from danlu.store.archive.backup import DATABASE, Manifest
from danlu.store.archive.restoring import BadArchive, Settled, settle, unpack
from danlu.store.engine.database import Database
from danlu.store.engine.engines import BadLocation, is_postgresql
from danlu.store.engine.migrate import migrate
from danlu.wording.catalogue import Language, say

DRAFT = ".restoring"


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    archive: Path
    data: Path
    database: str | None
    language: Language


def run_restore(options: RestoreOptions) -> int:
    """Restore into an empty folder; the exit code. What fails leaves it empty."""
    os.umask(0o077)
    language, data = options.language, options.data
    made = not data.exists()
    try:
        if not _is_free(data):
            return _fail(say(language, "launch.restore.not_empty", data=data), 1)
        data.mkdir(parents=True, exist_ok=True)
        lock = lock_data(data)
    except AlreadyRunning:
        return _fail(say(language, "launch.already_running", data=data), 1)
    except OSError as problem:
        return _fail(say(language, "launch.no_folder", data=data, reason=problem), 1)
    try:
        manifest, settled = _restore(options, data / DRAFT)
    except BaseException as problem:
        _clear(data, made)
        codes: dict[type[BaseException], int] = {BadLocation: 2, KeyboardInterrupt: 130}
        return _fail(_describe(language, options, problem), codes.get(type(problem), 1))
    finally:
        os.close(lock)
    _report(language, options, manifest, settled)
    return 0


def _restore(options: RestoreOptions, draft: Path) -> tuple[Manifest, Settled]:
    data = options.data
    target = parse_location(data, options.database) if options.database else sqlite_of(data)
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    manifest = unpack(options.archive, draft, ROOTS)
    copy = draft / DATABASE
    try:
        migrate(copy)
        settled = asyncio.run(_settle(copy))
    except FAULTS as fault:
        raise DatabaseFault(copy, fault) from fault
    if is_postgresql(target):
        carry_over(copy, target, lambda *_: None)
        copy.unlink()
    for path in sorted(draft.iterdir(), key=lambda path: path.name == DATABASE):
        # The database last: without it, a folder that was restored by half is no installation.
        path.replace(data / path.name)
    remember_location(data, target)
    if is_postgresql(target):
        finish_carrying(target)
    draft.rmdir()
    sync_folder(data)
    return manifest, settled


async def _settle(copy: Path) -> Settled:
    database = Database(copy, time.time)
    database.start()
    try:
        return await database.write(lambda tx: settle(tx, restored_by=starter_name()))
    finally:
        await database.close()


def _is_free(data: Path) -> bool:
    """Nothing is there but what a restore that was killed left."""
    return not data.exists() or {path.name for path in data.iterdir()} <= {DRAFT, "lock"}


def _clear(data: Path, made: bool) -> None:
    for path in data.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    if made:
        data.rmdir()


def _describe(language: Language, options: RestoreOptions, problem: BaseException) -> str:
    match problem:
        case BadArchive():
            reason = say(language, f"launch.archive.{problem.code}", **problem.facts)
            return say(language, "launch.restore.bad_archive", archive=options.archive, reason=reason)
        case BadLocation():
            return say(language, "launch.database.bad_url")
        case DatabaseFault():
            return problem.describe(language)
        case OSError():
            return say(language, "launch.restore.failed", reason=problem)
        case KeyboardInterrupt():
            return say(language, "launch.restore.interrupted")
        case _:
            raise problem


def _report(language: Language, options: RestoreOptions, manifest: Manifest, settled: Settled) -> None:
    facts = {
        "data": options.data,
        "when": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(manifest.created_at)),
        "jobs": manifest.rows.get("jobs", 0),
        "users": manifest.rows.get("users", 0),
    }
    lines = [say(language, "launch.restore.done", **facts)]
    if settled.held or settled.cancelled:
        counts = {"held": settled.held, "cancelled": settled.cancelled}
        lines.append(say(language, "launch.restore.settled", **counts))
    lines.append(say(language, "launch.restore.next", data=options.data))
    if settled.members:
        lines.append(say(language, "launch.restore.cluster", members=settled.members))
    sys.stdout.write("\n".join(lines) + "\n")


def _fail(text: str, code: int) -> int:
    sys.stderr.write(text + "\n")
    return code
