"""Take an archive apart, trusting nothing in it, and make its database fit for a new life."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import delete, select, update

from danlu.core.ending import Verdict
from danlu.core.events import EventKind
from danlu.core.job import CANCELLING, Job
from danlu.core.states import EndReason, JobState
from danlu.store.archive.backup import DATABASE, FORMAT, MANIFEST, PIECE, ArchiveMember, Manifest
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.migrate import knows_revision
from danlu.store.engine.out_of_use import put_in_use, read_out_of_use
from danlu.store.jobs.attempts import AttemptEnd, end_attempts
from danlu.store.jobs.job_rows import active_jobs
from danlu.store.jobs.transitions import StateChange, change_states
from danlu.store.leadership import raise_fence
from danlu.store.nodes.members import list_members

LARGEST_MANIFEST = 256 << 20
NUMBERS_APART = 100_000
"""More than users hand in between a backup and the day it is needed."""


class BadArchive(Exception):
    """No archive of ours, or a damaged one; `code` says how (`launch.archive.CODE`), `facts` where."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Settled:
    """How many jobs were under way when the backup was made: now on hold, or cancelled as was asked; and how
    many machines belong to the cluster, if it is one."""

    held: int
    cancelled: int
    members: int


def unpack(archive: Path, folder: Path, roots: frozenset[str]) -> Manifest:
    """Put the members below `folder` and compare them with the manifest. Raises BadArchive, OSError.

    `roots` are the files, and the folders of files, that may be there beside the database.
    """
    found: dict[str, ArchiveMember] = {}
    manifest: Manifest | None = None
    try:
        with tarfile.open(archive, "r|gz") as tar:
            for entry in tar:
                if manifest is not None:
                    raise BadArchive("behind_manifest", name=entry.name)
                if entry.name == MANIFEST:
                    manifest = _read_manifest(tar, entry)
                else:
                    _check_name(entry, roots | {DATABASE}, found)
                    found[entry.name] = _extract(tar, entry, folder)
    except (tarfile.TarError, zlib.error, EOFError) as problem:
        raise BadArchive("unreadable", reason=str(problem)) from problem
    if manifest is None:
        raise BadArchive("not_whole")
    _compare(manifest, found)
    return manifest


def settle(tx: Transaction, restored_by: str | None = None) -> Settled:
    """What was under way at the time of the backup may still be under way on its node, where this copy cannot
    see it: nothing of it is started again before an admin says so. Old sessions and links are void. The nodes
    follow who leads from this copy next, whomever they have followed."""
    raise_fence(tx, above=0)
    # Other servers say themselves that they are there; those of the time before may be another copy's by now.
    for table in (schema.sessions, schema.login_links, schema.servers):
        tx.connection.execute(delete(table))
    _begin_new_numbers(tx)
    if restored_by is not None:
        tx.record(EventKind.BACKUP_RESTORED, actor=restored_by)
    jobs = active_jobs(tx.connection)
    # Asked to be cancelled and not asked to run: no user will want to release it.
    cancelled = [job for job in jobs if job.stop_intent in CANCELLING]
    others = [job for job in jobs if job.stop_intent not in CANCELLING]
    end_attempts(tx, [_end(tx, job, JobState.CANCELLED, EndReason.CANCELLED) for job in cancelled])
    waiting = end_attempts(tx, [_end(tx, job, JobState.WAITING, EndReason.NODE_LOST) for job in others])
    change_states(tx, [StateChange(job, JobState.HELD, told={"restored": True}) for job in waiting])
    return Settled(len(others), len(cancelled), len(list_members(tx.connection)))


def reinstate(tx: Transaction, actor: str) -> Settled:
    """Take a database into use again that was out of it. Another copy may have gone on with its jobs and
    given out its numbers meanwhile."""
    mark = read_out_of_use(tx.connection)
    if mark is not None:
        raise_fence(tx, above=mark.fence)
    put_in_use(tx.connection)
    tx.record(EventKind.DATABASE_REINSTATED, actor=actor)
    return settle(tx)


def _begin_new_numbers(tx: Transaction) -> None:
    """Numbers that were given out after the backup are known on the nodes, with logs and results: none of
    them is given out again."""
    counters = schema.counters
    for name, value in tx.connection.execute(select(counters.c.name, counters.c.value)).all():
        begin = (value // NUMBERS_APART + 1) * NUMBERS_APART
        tx.connection.execute(update(counters).where(counters.c.name == name).values(value=begin))


def _end(tx: Transaction, job: Job, state: JobState, reason: EndReason) -> AttemptEnd:
    detail = "restored from a backup"
    verdict = Verdict(state, reason, detail=detail, retries_used=job.retries_used)
    return AttemptEnd(job, verdict, tx.now)


def _read_manifest(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> Manifest:
    content = tar.extractfile(entry) if entry.isreg() and entry.size <= LARGEST_MANIFEST else None
    if content is None:
        raise BadArchive("unreadable", reason=MANIFEST)
    try:
        manifest = Manifest.from_json(content.read())
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise BadArchive("unreadable", reason=f"{MANIFEST}: {problem}") from problem
    if manifest.format != FORMAT or not knows_revision(manifest.revision):
        raise BadArchive("newer", version=str(manifest.version))
    return manifest


def _check_name(entry: tarfile.TarInfo, roots: frozenset[str], found: dict[str, ArchiveMember]) -> None:
    """Plain files at the places we know; nothing that could lead elsewhere."""
    parts = entry.name.split("/")
    sound = all(part and not part.startswith(".") and part.isprintable() for part in parts)
    known = entry.name in roots or (len(parts) > 1 and parts[0] in roots)
    if not entry.isreg() or not sound or not known or entry.name in found:
        raise BadArchive("strange_member", name=entry.name)


def _extract(tar: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> ArchiveMember:
    path = folder / entry.name
    for parent in reversed(path.relative_to(folder).parents[:-1]):
        (folder / parent).mkdir(mode=0o711, exist_ok=True)
    content = tar.extractfile(entry)
    if content is None:
        raise BadArchive("strange_member", name=entry.name)
    size, digest = 0, hashlib.sha256()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while piece := content.read(PIECE):
            file.write(piece)
            digest.update(piece)
            size += len(piece)
        if os.geteuid() == 0 and entry.name != DATABASE:
            # The log of a job belongs to the account it ran as.
            os.fchown(file.fileno(), entry.uid, entry.gid)
        os.fchmod(file.fileno(), entry.mode & 0o700)
    return ArchiveMember(size, digest.hexdigest())


def _compare(manifest: Manifest, found: dict[str, ArchiveMember]) -> None:
    for name in sorted(manifest.members.keys() | found.keys()):
        if manifest.members.get(name) != found.get(name):
            raise BadArchive("differs", name=name)
    if DATABASE not in found:
        raise BadArchive("not_whole")
