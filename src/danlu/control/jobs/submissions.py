"""Handing in jobs: one, many at once, or several that name each other. All or none, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.rights import check_may_submit
from danlu.control.jobs.batches import Batch, digest_in_pieces, digest_of
from danlu.control.jobs.drafts import Drafting
from danlu.control.jobs.start_check import StartCheck
from danlu.control.running.hardware import Hardware
from danlu.control.running.live_board import LiveBoard
from danlu.core.errors import Conflict, Unavailable
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.job_rows import (
    NewJob,
    find_submission,
    get_jobs,
    insert_jobs,
    insert_prepared,
    prepare_job,
)
from danlu.wire.jobs import JobFields

FEW = 100
"""So many jobs are made ready while they are written down: it takes a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Jobs that were handed in, and how many GPUs each asks for on each of its nodes."""

    ids: list[int]
    gpus: list[int]


@dataclass(frozen=True, slots=True)
class Submissions:
    database: Database
    board: LiveBoard
    accounts: AccountBook
    settings: Settings
    start_check: StartCheck

    async def beginning(self, user: User) -> JobFields:
        """What a new job of the user has where it says nothing: their defaults, and the lab's GPUs."""
        hardware = await self.board.hardware()
        return await self.database.read(
            lambda connection: self.drafting(connection, user, hardware).beginning
        )

    async def submit_many(
        self, user: User, many: Sequence[JobFields], key: str | None = None, *, with_defaults: bool = True
    ) -> Accepted:
        """Accept jobs, all or none, in the same order. The key is for all of them together."""
        self.check_may_submit_now(user)
        hardware = await self.board.hardware()
        digest = await digest_in_pieces(many) if key is not None else None
        missing = await self.start_check.look_for_new(user, many, with_defaults=with_defaults)
        batch = Batch(user, many, with_defaults, missing, digest)

        def draft(connection: Connection, seen: int = 0) -> Drafting:
            return self.drafting(connection, user, hardware, seen)

        def find_earlier(connection: Connection) -> Accepted | None:
            ids = _find_earlier(connection, user, key, digest, len(many))
            return _accepted_before(connection, ids) if ids else None

        if len(many) > FEW:
            if earlier := await self.database.read(find_earlier):
                return earlier
            await batch.prepare(self.database, draft)

        def write(tx: Transaction) -> Accepted:
            if earlier := find_earlier(tx.connection):
                return earlier
            if batch.ready and batch.still_holds(tx.connection, self.settings):
                jobs = batch.ready
            else:
                jobs = [prepare_job(job) for job in batch.draft(draft(tx.connection))]
            # The ids of one submission follow each other, so the first one's key is enough for all.
            first = replace(jobs[0], job=replace(jobs[0].job, key=key, digest=digest))
            ids = insert_prepared(tx, [first, *jobs[1:]])
            return Accepted(ids, [each.job.spec.ask.gpus for each in jobs])

        return await self.database.write(write)

    async def submit_steps(self, user: User, steps: Sequence[JobFields], key: str | None = None) -> Accepted:
        """Accept jobs that name each other, all or none: in `after` and `after_ok` stand earlier steps,
        counted from 1. They are taken as they are, without the user's defaults."""
        self.check_may_submit_now(user)
        hardware = await self.board.hardware()

        def write(tx: Transaction) -> Accepted:
            digest = digest_of(steps) if key is not None else None
            if earlier := _find_earlier(tx.connection, user, key, digest, len(steps)):
                return _accepted_before(tx.connection, earlier)
            drafting = self.drafting(tx.connection, user, hardware)
            ids, gpus = list[int](), list[int]()
            for step in steps:
                after, after_ok = _name_steps(step.after, ids), _name_steps(step.after_ok, ids)
                draft = drafting.new(replace(step, after=after, after_ok=after_ok), with_defaults=False)
                first = {} if ids else {"key": key, "digest": digest}
                ids += insert_jobs(tx, [NewJob(user.name, draft.spec, bool(draft.hold), **first)])
                gpus.append(draft.spec.ask.gpus)
            return Accepted(ids, gpus)

        return await self.database.write(write)

    def check_may_submit_now(self, user: User) -> None:
        """Also not on a full disk, whose last room is for what makes more of it."""
        check_may_submit(user)
        if self.database.is_disk_full:
            raise Unavailable("disk_full", reason=str(self.settings.data))

    def drafting(self, connection: Connection, user: User, hardware: Hardware, seen: int = 0) -> Drafting:
        """`seen` predecessors were named by earlier jobs of the same request."""
        readings, closed = self.board.readings, self.board.closed
        return Drafting(connection, user, self.accounts, self.settings, hardware, readings, closed, seen)


def _find_earlier(
    connection: Connection, user: User, key: str | None, digest: str | None, count: int
) -> list[int] | None:
    """The jobs that the same request has made before. Raises Conflict when it was another request."""
    earlier = find_submission(connection, user.name, key) if key is not None else None
    if earlier is None:
        return None
    job_id, earlier_digest = earlier
    if earlier_digest != digest:
        raise Conflict("key_reused", job=job_id)
    return list(range(job_id, job_id + count))


def _accepted_before(connection: Connection, ids: list[int]) -> Accepted:
    """Jobs of an earlier request; one whose row is gone asks for nothing any more."""
    asked = {job.id: job.spec.ask.gpus for job in get_jobs(connection, ids)}
    return Accepted(ids, [asked.get(each, 0) for each in ids])


def _name_steps(steps: list[int] | None, ids: list[int]) -> list[int] | None:
    return None if steps is None else [ids[number - 1] for number in steps]
