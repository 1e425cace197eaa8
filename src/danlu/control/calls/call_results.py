"""What came of a job that is a Python function: a file on the node where it ran."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents
from danlu.control.calls.call_files import result_path
from danlu.control.identity.rights import find_job
from danlu.core.errors import Conflict, NotFound
from danlu.core.job_id import label_of
from danlu.core.rights import JobAct
from danlu.core.task import LogChunk
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.jobs.attempts import attempts_of


@dataclass(frozen=True, slots=True)
class ResultFile:
    node: str
    path: str


@dataclass(frozen=True, slots=True)
class CallResults:
    database: Database
    agents: Agents
    settings: Settings

    async def find(self, user: User, job_id: int, number: int | None) -> ResultFile:
        """The result of an attempt, by default of the latest. Raises NotFound, Forbidden, Conflict."""

        def read(connection: Connection) -> ResultFile:
            job = find_job(connection, user, job_id, JobAct.READ)
            wanted = number or job.attempt
            attempt = next((each for each in attempts_of(connection, job_id) if each.number == wanted), None)
            if number is not None and attempt is None:
                raise NotFound("no_such_attempt", job=label_of(job_id), attempt=number)
            if job.spec.call is None or attempt is None:
                raise NotFound("no_result", job=label_of(job_id))
            if attempt.ended_at is None:
                raise Conflict("result_not_yet", job=label_of(job_id))
            task = attempt.tasks[0]
            path = result_path(self.settings.task_results, job_id, wanted, task.rank)
            return ResultFile(task.allocation.node, path)

        return await self.database.read(read)

    async def read(self, file: ResultFile, offset: int, limit: int) -> LogChunk:
        """A piece of it. Raises Conflict where it cannot be read."""
        try:
            return await self.agents.read_log(file.node, file.path, offset, limit, None)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise Conflict("result_unreadable", path=file.path, reason=reason) from None
