"""Many jobs in one request, all or none: made ready piece by piece beside other requests, then written down
in one short turn of the writer. No user waits for ten thousand jobs of another."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection

from danlu.codec import encode_said
from danlu.control.calls.call_files import check_call
from danlu.control.jobs.drafts import Drafting
from danlu.control.jobs.missing_paths import Missing
from danlu.core.errors import DanluError, Invalid
from danlu.core.job import DependencyKind
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.engine.database import Database, in_parts
from danlu.store.jobs.dependencies import missing_jobs, services_among
from danlu.store.jobs.job_rows import NewJob, PreparedJob, prepare_job
from danlu.wire.jobs import JobFields

PIECE = 50
"""So many jobs are made ready at a time: some milliseconds of work."""
PAUSE_S = 0.002
"""Between two pieces, for those who have less to do."""

Draft = Callable[[Connection, int], Drafting]
"""A drafting that has seen so many predecessors already."""


@dataclass
class Batch:
    """The jobs of one user's request. `digest` is of what was asked for, where there is a key."""

    user: User
    many: Sequence[JobFields]
    with_defaults: bool
    missing: Sequence[Missing]
    """What each of them needs to begin and is not there."""
    digest: str | None = None
    ready: list[PreparedJob] = field(default_factory=list)
    _predecessors: int = 0

    def draft(self, drafting: Drafting, start: int = 0, end: int | None = None) -> list[NewJob]:
        """Some of its jobs as they are to be written down. Raises what is wrong with the first bad one."""
        jobs = []
        for number, fields in enumerate(self.many[start:end], start):
            try:
                draft = drafting.new(fields, self.missing[number], with_defaults=self.with_defaults)
            except DanluError as problem:
                if len(self.many) > 1 and problem.field is not None:
                    problem.field = f"jobs.{number}.{problem.field}"
                raise
            jobs.append(NewJob(self.user.name, draft.spec, bool(draft.hold)))
        return jobs

    async def prepare(self, database: Database, draft: Draft) -> None:
        """Make all of them ready. Raises what is wrong with the first bad one."""
        while len(self.ready) < len(self.many):
            self.ready += await database.read(partial(self._prepare_next, draft))
            await asyncio.sleep(PAUSE_S)

    def still_holds(self, connection: Connection, settings: Settings) -> bool:
        """Whether what was looked up while they were made ready is still so."""
        specs = [each.job.spec for each in self.ready]
        all_of = {each.job_id for spec in specs for each in spec.dependencies}
        needed = {
            each.job_id for spec in specs for each in spec.dependencies if each.kind is DependencyKind.OK
        }
        if any(missing_jobs(connection, part) for part in in_parts(all_of)):
            return False
        if services_among(connection, needed):
            return False
        try:
            for call in {spec.call for spec in specs}:
                check_call(settings.calls, self.user.name, call)
        except Invalid:
            return False
        return True

    def _prepare_next(self, draft: Draft, connection: Connection) -> list[PreparedJob]:
        start = len(self.ready)
        jobs = self.draft(draft(connection, self._predecessors), start, start + PIECE)
        self._predecessors += sum(len(job.spec.dependencies) for job in jobs)
        return [prepare_job(job) for job in jobs]


async def digest_in_pieces(many: Sequence[JobFields]) -> str:
    """As `digest_of`, a piece at a time."""
    if len(many) == 1:
        return digest_of(many)
    digest = hashlib.sha256(b"[")
    for start in range(0, len(many), PIECE):
        texts = [_text_of(fields) for fields in many[start : start + PIECE]]
        digest.update((", " if start else "").encode() + ", ".join(texts).encode())
        await asyncio.sleep(0)
    digest.update(b"]")
    return digest.hexdigest()


def digest_of(many: Sequence[JobFields]) -> str:
    """Of what was asked for; that of a single job is what it has always been."""
    texts = [_text_of(fields) for fields in many]
    whole = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    return hashlib.sha256(whole.encode()).hexdigest()


def _text_of(fields: JobFields) -> str:
    return json.dumps(encode_said(fields), sort_keys=True)
