"""Looking at jobs: a page of them, one with all that belongs to it, the elements of an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from sqlalchemy import Connection

from danlu.control.identity.rights import acts_on, find_job, find_visible_job
from danlu.control.search.job_search import JobSearch
from danlu.control.search.name_index import Matches
from danlu.core.errors import Conflict
from danlu.core.job import Attempt, Dependency, Job, JobSummary
from danlu.core.job_id import label_of
from danlu.core.resources import NOTHING, Used, add_up
from danlu.core.rights import JobAct
from danlu.core.states import ACTIVE, JobState
from danlu.core.user import User
from danlu.store.engine.database import Database
from danlu.store.jobs.arrays import list_array
from danlu.store.jobs.attempts import attempts_of, used_by_elements
from danlu.store.jobs.dependencies import dependencies_of, successors_of
from danlu.store.jobs.job_lists import Cursor, ListQuery, list_jobs
from danlu.store.nodes.node_rows import list_nodes

Held = Literal["cpus", "memory"]


@dataclass(frozen=True, slots=True)
class WholeJob:
    """A job and what belongs to it; `acts`: what the user who asks may do with it."""

    job: Job
    acts: frozenset[JobAct]
    dependencies: tuple[Dependency, ...]
    successors: list[int]
    attempts: list[Attempt]
    used: Used = NOTHING
    """By all of its attempts that have ended, and those of its elements."""
    not_held_to: tuple[Held, ...] = ()
    """What it asked for while a node that it runs on cannot hold it to that."""

    @property
    def mine(self) -> bool:
        """Its content is for the user who asks."""
        return JobAct.READ in self.acts


@dataclass(frozen=True, slots=True)
class JobLookup:
    database: Database
    search: JobSearch

    async def page(self, query: ListQuery) -> tuple[list[JobSummary], Cursor | None, Matches]:
        """One page of jobs, the cursor of the next (None at the end), and how many there are in all."""
        found = await self.search.find(query)
        narrowed = replace(query, ids=found.ids, owners=found.owners)
        jobs, after = await self.database.read(partial(list_jobs, query=narrowed))
        return jobs, after, found

    async def find_own(self, user: User, job_id: int) -> Job:
        """The job, if its content is for the user. Raises NotFound or Forbidden."""
        return await self.database.read(lambda connection: find_job(connection, user, job_id, JobAct.READ))

    async def find_whole(self, user: User, job_id: int) -> WholeJob:
        """Every user may see that it exists. Raises NotFound."""

        def read(connection: Connection) -> WholeJob:
            job = find_visible_job(connection, job_id)
            attempts = attempts_of(connection, job_id)
            return WholeJob(
                job,
                acts=acts_on(connection, user, job),
                dependencies=dependencies_of(connection, job_id),
                successors=successors_of(connection, [job_id]),
                attempts=attempts,
                used=used_by_elements(connection, job_id) if job.is_array else sum_of(attempts),
                not_held_to=_not_held_to(connection, job),
            )

        return await self.database.read(read)

    async def elements_of_array(
        self, job_id: int, start: int, limit: int, state: JobState | None
    ) -> tuple[list[Job], int | None]:
        """Elements of an array from the index `start` on, those that have not begun among them, and the index
        where the next page begins (None at the end). Raises NotFound, Conflict."""

        def read(connection: Connection) -> tuple[list[Job], int | None]:
            array = find_visible_job(connection, job_id)
            if not array.is_array:
                raise Conflict("no_array", job=label_of(job_id))
            return list_array(connection, array, start, limit, state)

        return await self.database.read(read)


def sum_of(attempts: Sequence[Attempt]) -> Used:
    return add_up(attempt.used for attempt in attempts)


def _not_held_to(connection: Connection, job: Job) -> tuple[Held, ...]:
    if job.state not in ACTIVE or job.placed is None or not (job.spec.cpus or job.spec.memory_mb):
        return ()
    names = {job.placed.node, *job.on_nodes}
    nodes = [node.facts for node in list_nodes(connection) if node.name in names]
    found: list[Held] = []
    if job.spec.cpus and not all(facts.cpu_guard for facts in nodes):
        found.append("cpus")
    if job.spec.memory_mb and not all(facts.memory_guard for facts in nodes):
        found.append("memory")
    return tuple(found)
