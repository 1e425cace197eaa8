"""Which file a log is, whose it is, and reading a piece of it."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents, NodeUnreachable, Watch
from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.rights import find_job
from danlu.control.logs.log_parts import into_file, out_of_file, read_part
from danlu.control.running.outputs import DISCARD, task_outputs
from danlu.core.errors import Conflict, NotFound
from danlu.core.job import Attempt
from danlu.core.job_id import label_of
from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.logs.output_part import OutputPart
from danlu.core.rights import JobAct
from danlu.core.states import ENDED
from danlu.core.task import LogChunk, UnixAccount
from danlu.core.user import User
from danlu.store.engine.database import Database
from danlu.store.jobs.attempts import attempts_of
from danlu.store.jobs.output_parts import find_part
from danlu.store.users import get_user
from danlu.wire.logs import LogName, LogStream


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where one stream of one attempt is. No `path` yet: the job has not been placed."""

    job_id: int
    attempt: Attempt | None
    job_over: bool
    stream: LogStream
    node: str
    path: str | None
    merged: bool
    owner: User | None
    own: bool
    """It is Danlu's own log, in Danlu's own area, where no user can put another file in its place."""
    rank: int = 0
    part: OutputPart | None = None
    """Which part of a file that the user named is this attempt's; None: all of it, as far as is known."""
    is_ahead: bool = False
    """What is in a file that the user named is of other runs: this attempt has not begun to write."""

    @property
    def discarded(self) -> bool:
        return self.path == DISCARD

    @property
    def ended(self) -> bool:
        return self.attempt.ended_at is not None if self.attempt else self.job_over

    @property
    def reading(self) -> Hashable:
        """The same for two who read the same file with the same rights."""
        begin = self.part.begin if self.part is not None else 0
        return self.node, self.path, begin, None if self.own else self.owner


@dataclass(frozen=True, slots=True)
class JobLogs:
    """The logs of jobs, wherever their nodes keep them."""

    database: Database
    agents: Agents
    accounts: AccountBook
    folder: Path

    async def find(self, user: User, job_id: int, wanted: LogName) -> LogFile:
        """The log of the job that is meant, if the user may read it. Raises NotFound, Forbidden, Conflict."""
        rank, name = wanted.rank, wanted.stream

        def read(connection: Connection) -> LogFile:
            job = find_job(connection, user, job_id, JobAct.READ)
            if job.is_array:
                raise Conflict("array_has_no_log", job=job_id)
            attempts = attempts_of(connection, job_id)
            number = wanted.attempt or job.attempt
            attempt = next((each for each in attempts if each.number == number), None)
            if wanted.attempt is not None and attempt is None:
                raise NotFound("no_such_attempt", job=label_of(job_id), attempt=number)
            over = job.state in ENDED
            owner = get_user(connection, job.owner)
            if attempt is None:
                return LogFile(job_id, None, over, name, "", None, True, owner, True)
            if rank >= len(attempt.tasks):
                raise NotFound("no_such_rank", job=label_of(job_id), rank=rank, last=len(attempt.tasks) - 1)
            task = attempt.tasks[rank]
            stdout, stderr = task_outputs(self.folder, job_id, attempt.number, task)
            path = stdout if name == "stdout" else stderr
            own = not (task.stdout_path if name == "stdout" else task.stderr_path)
            part = None if own else find_part(connection, job_id, attempt, rank, path)
            has_begun = task.started_at or attempt.started_at or attempt.ended_at
            return LogFile(
                job_id,
                attempt,
                over,
                name,
                task.allocation.node,
                path,
                stdout == stderr,
                owner,
                own,
                rank,
                part,
                is_ahead=not own and not has_begun,
            )

        return await self.database.read(read)

    async def read(self, file: LogFile, offset: int, limit: int) -> LogChunk:
        """A piece of a log. Raises Conflict where it cannot be read."""
        path = file.path
        if path is None or file.discarded or file.is_ahead:
            return LogChunk(b"", 0, 0)

        async def read(offset: int, limit: int) -> LogChunk:
            return await self.agents.read_log(file.node, path, offset, limit, self._owner_of(file))

        with _refusing(file.node, path):
            if file.part is None:
                return await read(offset, limit)
            return await read_part(file.part, offset, limit, read)

    async def read_beside(self, file: LogFile, suffix: str, limit: int) -> bytes:
        """What the node keeps beside a log of Danlu's own; empty where there is nothing. Raises Conflict."""
        if not file.own or file.path is None:
            return b""
        path = file.path + suffix
        with _refusing(file.node, path):
            return (await self.agents.read_log(file.node, path, 0, limit, None)).data

    async def search(self, file: LogFile, search: LogSearch) -> LogSearched:
        """Look for something in a log. Raises Conflict where it cannot be read."""
        path, part = file.path, file.part
        if path is None or file.discarded or file.is_ahead:
            return LogSearched((), None, 0)
        if part is not None and (await self.read(file, 0, 1)).replaced:
            part = None
        with _refusing(file.node, path):
            wanted = search if part is None else into_file(part, search)
            found = await self.agents.search_log(file.node, path, self._owner_of(file), wanted)
            return found if part is None else out_of_file(part, found, search.backward)

    def watch(self, file: LogFile) -> AbstractAsyncContextManager[Watch]:
        """Whether a log changes; nothing is heard of one that cannot be read any more."""
        account = None if file.own else self.accounts.owner_of_files(file.owner)
        if file.path is None or (account is None and not file.own):
            return nullcontext(_Unwatched())
        return self.agents.watch_log(file.node, file.path, account)

    def _owner_of(self, file: LogFile) -> UnixAccount | None:
        """Whose the file must be; None for Danlu's own. Raises Conflict."""
        if file.own:
            return None
        account = self.accounts.owner_of_files(file.owner)
        if account is None:
            # Whose file it may be cannot be told any more, and the server may be able to read every file.
            raise Conflict("log_without_account", path=file.path)
        return account


class _Unwatched:
    async def changed(self) -> None:
        await asyncio.Event().wait()


@contextmanager
def _refusing(node: str, path: str) -> Iterator[None]:
    try:
        yield
    except NodeUnreachable:
        raise Conflict("log_out_of_reach", path=path, node=node) from None
    except OSError as problem:
        raise Conflict("log_unreadable", path=path, reason=problem.strerror or str(problem)) from None
