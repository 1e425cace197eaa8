"""A job looked at before it is handed in: what it would be refused for, and when it would start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.rights import check_may_submit, find_job
from danlu.control.jobs.command_lines import command_line
from danlu.control.jobs.drafts import Drafting, JobDraft, read_defaults
from danlu.control.jobs.forecast import Forecast, enqueue, foresee
from danlu.control.jobs.missing_paths import NOTHING, Missing
from danlu.control.jobs.specs import fields_of
from danlu.control.jobs.start_check import StartCheck
from danlu.control.jobs.start_needs import start_of_spec
from danlu.control.running.hardware import Hardware
from danlu.control.running.live_board import LiveBoard
from danlu.control.running.scheduling_loop import LARGE_LINE
from danlu.core.array import parse_array
from danlu.core.errors import DanluError, Invalid
from danlu.core.job import Job, JobSpec
from danlu.core.job_id import index_of, job_of
from danlu.core.rights import JobAct
from danlu.core.states import IN_QUEUE, JobState
from danlu.core.user import User
from danlu.core.waiting_job import WaitingJob
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.jobs.dependencies import dependencies_of
from danlu.store.jobs.job_rows import get_jobs
from danlu.store.users import get_user
from danlu.wire.jobs import JobEdit, JobFields

ELSEWHERE = frozenset(
    {"no_command", "start_too_large", "relative_directory", "reserved_variable", "reason_not_retryable"}
)
"""Problems that have nothing to do with when a job would start: that can be told all the same."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`foresight` is there unless a problem makes it impossible to tell."""

    draft: JobDraft
    command_line: str
    foresight: Forecast | None
    now: float
    warnings: tuple[DanluError, ...] = ()
    """What might keep it from beginning, and is nothing to be refused for."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    draft: JobDraft
    waiting: WaitingJob
    defaults: JobFields
    owner: User
    job: Job | None = None


class Checking:
    """Asks the rules that submitting asks, and the scheduler. Nothing is written."""

    def __init__(
        self,
        database: Database,
        board: LiveBoard,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
        start_check: StartCheck,
    ) -> None:
        self._start_check = start_check
        self._database = database
        self._board = board
        self._accounts = accounts
        self._settings = settings
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()

    async def check(
        self,
        user: User,
        fields: JobFields,
        clear: list[str],
        job_id: int | None,
        *,
        with_defaults: bool = True,
    ) -> Checked:
        """A new job, or with `job_id` the edit of one. Raises what is no matter of its fields: Forbidden,
        NotFound, and Invalid for a name in `clear` that is no field."""
        hardware = await self._board.hardware()
        candidate = await self._database.read(
            lambda connection: self._draft(
                connection, hardware, user, JobEdit(set=fields, clear=clear), job_id, with_defaults
            )
        )
        missing = await self._look_for(candidate, JobEdit(set=fields, clear=clear))
        problems, warnings = _sort_out(candidate, missing)
        draft, now = replace(candidate.draft, problems=(*candidate.draft.problems, *problems)), self._clock()
        said = ""
        if not draft.problems and draft.spec.call is None:
            said = command_line(fields_of(draft.spec), candidate.defaults, hold=candidate.waiting.held)
        if any(problem.code not in ELSEWHERE for problem in draft.problems):
            return Checked(draft, said, None, now, warnings)
        return Checked(draft, said, await self._foresee(candidate, now), now, warnings)

    async def _look_for(self, candidate: _Candidate, edit: JobEdit) -> Missing:
        """What it needs to begin and is not there; nothing where its fields are not even good."""
        spoilt = {problem.field for problem in candidate.draft.problems}
        if spoilt & {"directory", "environment", "command", "arguments", "variables"}:
            return NOTHING
        found = await self._start_check.look(candidate.owner, [start_of_spec(candidate.draft.spec)])
        in_queue = candidate.job is not None and candidate.job.state in IN_QUEUE
        return found[0].among_changes(edit) if in_queue else found[0]

    async def command_of(self, user: User, job_id: int) -> str:
        """The command line that repeats a job. Raises NotFound, Forbidden."""

        def read(connection: Connection) -> str:
            job = find_job(connection, user, job_id, JobAct.READ)
            if job.spec.call is not None:
                return f"danlu resubmit {job_of(job_id)}"
            spec = replace(job.spec, dependencies=dependencies_of(connection, job_of(job_id)))
            if (index := index_of(job_id)) is not None:
                spec = replace(spec, array=str(index))
            return command_line(fields_of(spec), read_defaults(connection, user), hold=False)

        return await self._database.read(read)

    def _draft(
        self,
        connection: Connection,
        hardware: Hardware,
        user: User,
        edit: JobEdit,
        job_id: int | None,
        with_defaults: bool,
    ) -> _Candidate:
        readings, closed = self._board.readings, self._board.closed
        drafting = Drafting(connection, user, self._accounts, self._settings, hardware, readings, closed)
        if job_id is None:
            check_may_submit(user)
            job, owner, draft = None, user, drafting.consider_new(edit.set, with_defaults=with_defaults)
        else:
            job = find_job(connection, user, job_id, JobAct.CHANGE, whole=True)
            owner, draft = get_user(connection, job.owner) or user, drafting.consider_edited(job, edit)
        was_held = job is not None and job.state is JobState.HELD
        held = was_held if draft.hold is None else draft.hold
        states = _states_of(connection, draft.spec)
        waiting = enqueue(draft.spec, owner.name, states, held=held, job=job)
        return _Candidate(draft, waiting, drafting.defaults, owner, job)

    async def _foresee(self, candidate: _Candidate, now: float) -> Forecast:
        array = candidate.draft.spec.array
        at_most = parse_array(array).at_most if array else None
        # One pass at a time, however many forms are being filled in: requests must not wait for them.
        async with self._one_at_a_time:
            look = await self._board.look(now)
            asked = look.snapshot, look.policy, candidate.waiting, at_most
            if len(look.snapshot.waiting) < LARGE_LINE:
                return foresee(*asked)
            return await asyncio.to_thread(foresee, *asked)


def _sort_out(candidate: _Candidate, missing: Missing) -> tuple[Sequence[DanluError], tuple[DanluError, ...]]:
    """What it would be refused for, and what is only said: there is time to make what is not there while it
    is on hold or waits for others."""
    unchecked = [Invalid("start_unchecked", what=missing.unchecked)] if missing.unchecked else []
    waiting = candidate.waiting
    if waiting.held or waiting.waits_for or candidate.draft.spec.wait_for_hardware:
        return (), (*missing.problems, *unchecked)
    return missing.problems, tuple(unchecked)


def _states_of(connection: Connection, spec: JobSpec) -> Mapping[int, JobState]:
    wanted = [each.job_id for each in spec.dependencies]
    return {each.id: each.state for each in get_jobs(connection, wanted)} if wanted else {}
