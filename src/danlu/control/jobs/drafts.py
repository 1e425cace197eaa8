"""A job before it is written down: every rule that it has to keep, in one place for submissions and for
checks. Reads, and writes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlalchemy import Connection

from danlu.codec import decode
from danlu.control.calls.call_files import check_call
from danlu.control.identity.accounts import AccountBook
from danlu.control.jobs.auto_numbers import AutoNumbers, Readings
from danlu.control.jobs.default_gpus import fill_gpus, fit_gpus, says_gpus, take_defaults
from danlu.control.jobs.missing_paths import NOTHING, Missing, refuse_missing
from danlu.control.jobs.node_rules import find_too_long, keep_short
from danlu.control.jobs.specs import apply_edit, fields_of, make_spec, problems_of
from danlu.control.jobs.unsatisfiable import find_lacks
from danlu.control.running.hardware import Hardware
from danlu.core.errors import Conflict, DanluError, Invalid
from danlu.core.job import DependencyKind, Job, JobSpec
from danlu.core.job_id import label_of
from danlu.core.states import ENDED, IN_QUEUE, JobState
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.jobs.arrays import has_rows
from danlu.store.jobs.dependencies import (
    all_successors_of,
    dependencies_of,
    missing_jobs,
    services_among,
    waiting_for_success_of,
)
from danlu.store.settings import read_general
from danlu.store.users import defaults_of
from danlu.wire.jobs import JobEdit, JobFields

MOST_DEPENDENCIES = 10_000
"""Of all jobs of one request together: every pass has to look at each of them."""


@dataclass(frozen=True, slots=True)
class JobDraft:
    """The job that the fields describe; `problems` are all that it would be refused for. Where some of them
    spoil fields, `spec` is what is left without those."""

    spec: JobSpec
    hold: bool | None
    problems: tuple[DanluError, ...] = ()


class Drafting:
    """Drafts of one user's jobs. What many of them need is read once."""

    def __init__(
        self,
        connection: Connection,
        user: User,
        accounts: AccountBook,
        settings: Settings,
        hardware: Hardware,
        readings: Readings,
        closed: Collection[str],
        predecessors_seen: int = 0,
    ) -> None:
        self._connection = connection
        self._numbers = AutoNumbers(connection, hardware, readings, closed)
        self._hardware = hardware
        self._user = user
        self._accounts = accounts
        self._settings = settings
        self._check = SpecCheck(connection, hardware, predecessors_seen)

    @cached_property
    def defaults(self) -> JobFields:
        """What the user wants of every job that says nothing else."""
        return read_defaults(self._connection, self._user)

    @cached_property
    def beginning(self) -> JobFields:
        """What a new job of the user has where it says nothing."""
        if says_gpus(self.defaults):
            return self.defaults
        spec = fit_gpus(JobSpec(command="", gpus=self._lab_gpus), self._hardware)
        return replace(self.defaults, gpus=spec.gpus)

    @cached_property
    def _lab_gpus(self) -> int:
        return read_general(self._connection).default_gpus

    @cached_property
    def home(self) -> str:
        """Where the user's jobs begin. Raises Invalid when there is no account to run them as."""
        return self._accounts.home_for(self._user)

    def new(self, fields: JobFields, missing: Missing = NOTHING, *, with_defaults: bool = True) -> JobDraft:
        """A new job that may be written down as it is. Raises the first problem that there is."""
        wanted = take_defaults(fields, self.defaults) if with_defaults else fields
        spec = self._make(wanted, self.home, limit_said=fields.time_limit_s is not None)
        for problem in self._problems(spec, self._user.name, None):
            raise problem
        refuse_missing(self._connection, missing, spec, hold=bool(wanted.hold))
        return JobDraft(spec, bool(wanted.hold))

    def consider_new(self, fields: JobFields, *, with_defaults: bool = True) -> JobDraft:
        """A new job with all its problems."""
        home, problems = "/", list[DanluError]()
        try:
            home = self.home
        except Invalid as problem:
            problems.append(problem)
        wanted = take_defaults(fields, self.defaults) if with_defaults else fields
        limit_said = fields.time_limit_s is not None
        return self._consider(wanted, home, self._user.name, None, problems, limit_said=limit_said)

    def edited(self, job: Job, edit: JobEdit, missing: Missing = NOTHING) -> JobDraft:
        """A job as it would be after an edit that may be made. Raises the first problem that there is."""
        for conflict in self._conflicts(job):
            raise conflict
        wanted = apply_edit(self._fields_now(job), edit)
        spec = self._make(wanted, job.spec.directory, limit_said=wanted.time_limit_s is not None)
        for problem in self._problems(spec, job.owner, job):
            raise problem
        hold = job.state is JobState.HELD if wanted.hold is None else wanted.hold
        # In the queue one thing may be put right after the other.
        found = missing.among_changes(edit) if job.state in IN_QUEUE else missing
        refuse_missing(self._connection, found, spec, hold=hold)
        return JobDraft(spec, wanted.hold)

    def consider_edited(self, job: Job, edit: JobEdit) -> JobDraft:
        """A job as it would be after an edit, with all the problems of that. Raises Invalid when the edit
        sets back what is no field."""
        wanted = apply_edit(self._fields_now(job), edit)
        problems = list(self._conflicts(job))
        limit_said = wanted.time_limit_s is not None
        return self._consider(wanted, job.spec.directory, job.owner, job, problems, limit_said=limit_said)

    def _make(self, fields: JobFields, home: str, *, limit_said: bool) -> JobSpec:
        """A time limit that was not said for this very job gives way to the one of a debug node."""
        spec = make_spec(self._fill_gpus(fields), home)
        if not says_gpus(fields):
            spec = fit_gpus(spec, self._hardware)
        spec = self._numbers.fill(spec)
        return spec if limit_said else self._check.keep_short(spec)

    def _fill_gpus(self, fields: JobFields) -> JobFields:
        return fields if says_gpus(fields) else fill_gpus(fields, self._lab_gpus)

    def _consider(
        self,
        wanted: JobFields,
        home: str,
        owner: str,
        job: Job | None,
        problems: list[DanluError],
        *,
        limit_said: bool,
    ) -> JobDraft:
        broken = list(problems_of(self._fill_gpus(wanted), home))
        whole = without_spoilt(wanted, broken)
        try:
            spec = self._make(whole, home, limit_said=limit_said)
        except Invalid as problem:
            # Nothing could hold what it needs, and without that need there is nothing to refuse.
            broken.append(problem)
            spec = self._make(replace(whole, gpu_memory_mb=None), home, limit_said=limit_said)
        problems += [*broken, *self._problems(spec, owner, job)]
        return JobDraft(spec, wanted.hold, tuple(problems))

    def _fields_now(self, job: Job) -> JobFields:
        return fields_of(replace(job.spec, dependencies=dependencies_of(self._connection, job.id)))

    def _conflicts(self, job: Job) -> Iterator[DanluError]:
        if job.state not in IN_QUEUE | ENDED:
            yield wrong_state(job, job.state, IN_QUEUE | ENDED)
        elif job.is_array and (job.state in ENDED or has_rows(self._connection, job.id)):
            # What some elements of an array have run with is what the others run with.
            yield Conflict("array_begun", job=job.id)

    def _problems(self, spec: JobSpec, owner: str, job: Job | None) -> Iterator[DanluError]:
        try:
            check_call(self._settings.calls, owner, spec.call)
        except Invalid as problem:
            yield problem
        yield from self._check.problems_of(spec, job.id if job else None)
        if job is not None and job.state in ENDED and spec.array is not None:
            yield Invalid("array_has_run", field="array", job=job.id)


class SpecCheck:
    """What only the cluster can tell: predecessors exist and form no circle, some node can run it."""

    def __init__(self, connection: Connection, hardware: Hardware, predecessors_seen: int = 0) -> None:
        self._connection = connection
        self._hardware = hardware
        self._known: set[int] = set()
        self._services: set[int] = set()
        self._dependencies = predecessors_seen

    def keep_short(self, spec: JobSpec) -> JobSpec:
        return spec if spec.node is None else keep_short(spec, self._hardware.nodes)

    def problems_of(self, spec: JobSpec, job_id: int | None) -> Iterator[Invalid]:
        predecessors = [each.job_id for each in spec.dependencies]
        self._dependencies += len(predecessors)
        if self._dependencies > MOST_DEPENDENCIES:
            yield Invalid("too_many_predecessors", field="after", most=MOST_DEPENDENCIES)
            return
        yield from self._find_missing(spec, predecessors)
        if job_id is not None and predecessors:
            behind = {job_id, *all_successors_of(self._connection, job_id)}
            if behind & set(predecessors):
                yield Invalid("dependency_cycle", field="after", job=job_id)
        if job_id is not None and spec.service:
            for needy in waiting_for_success_of(self._connection, job_id):
                yield Invalid("service_awaited", field="service", job=needy)
        if spec.node is not None:
            yield from find_too_long(spec, self._hardware.nodes)
        if not spec.wait_for_hardware:
            yield from find_lacks(spec, self._hardware)

    def _find_missing(self, spec: JobSpec, predecessors: list[int]) -> Iterator[Invalid]:
        fresh = set(predecessors) - self._known
        missing = missing_jobs(self._connection, fresh)
        self._known |= fresh - set(missing)
        self._services |= services_among(self._connection, fresh)
        kinds = {each.job_id: each.kind for each in spec.dependencies}
        for each in missing:
            field = "after_ok" if kinds[each] is DependencyKind.OK else "after"
            yield Invalid("no_such_predecessor", field=field, job=each)
        for each in sorted(self._services & set(predecessors)):
            if kinds[each] is DependencyKind.OK:
                yield Invalid("after_ok_service", field="after_ok", job=each)


def read_defaults(connection: Connection, user: User) -> JobFields:
    return decode(JobFields, defaults_of(connection, user.name), trusted=True)


def wrong_state(job: Job, state: JobState, allowed: Iterable[JobState]) -> Conflict:
    states = sorted(each.value for each in allowed)
    return Conflict("wrong_state", job=label_of(job.id), state=state.value, allowed=states)


def without_spoilt(fields: JobFields, problems: Iterable[DanluError]) -> JobFields:
    """The fields without those that a problem names."""
    spoilt: dict[str, Any] = {each.field: None for each in problems if each.field is not None}
    if spoilt.keys() & {"command", "arguments", "variables"}:
        spoilt |= {"command": "true", "arguments": None, "variables": None}
    if "directory" in spoilt:
        spoilt["directory"] = "/"
    return replace(fields, **spoilt)
