"""What people do with jobs. Every act is one transaction: checked and written together, or not at all."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import shutil
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection

from danlu.control.accounts import AccountBook
from danlu.control.keeping import Keeping
from danlu.control.specs import apply_edit, fields_of, make_spec, merge_fields
from danlu.control.view import view_nodes
from danlu.core.errors import Conflict, Forbidden, Invalid, NotFound
from danlu.core.job import DependencyKind, Job, JobSpec, StopIntent, Task
from danlu.core.node import Node
from danlu.core.states import ACTIVE, ENDED, GONE, IN_LINE, JobState
from danlu.core.task import TaskKey
from danlu.core.user import Role, User, may_touch
from danlu.scheduling.capacity import can_ever_run
from danlu.settings import Settings
from danlu.store.attempts import current_tasks, request_stop
from danlu.store.database import Database, Transaction
from danlu.store.dependencies import (
    all_successors_of,
    dependencies_of,
    drop_predecessor,
    missing_jobs,
    set_dependencies,
)
from danlu.store.jobs import (
    active_jobs,
    find_submission,
    get_job,
    get_jobs,
    insert_job,
    spec_columns,
    update_spec,
)
from danlu.store.line import head_position, move_job, tail_position
from danlu.store.nodes import list_nodes
from danlu.store.transitions import change_state
from danlu.store.users import defaults_of, get_user
from danlu.wire.decode import decode, encode
from danlu.wire.jobs import JobEdit, JobFields

LONGEST_GRACE_AT_STOP_S = 30.0
"""When the service stops with its jobs, nobody's grace holds everybody up."""


class Jobs:
    """The desk where jobs are handed in and asked about. Waking the scheduler is the events' business."""

    def __init__(
        self, database: Database, keeping: Keeping, accounts: AccountBook, settings: Settings
    ) -> None:
        self._database = database
        self._keeping = keeping
        self._accounts = accounts
        self._settings = settings

    async def submit(self, user: User, fields: JobFields, key: str | None = None) -> int:
        """Accept a job; its id. The same key with the same fields gives the same job again."""
        _check_may_submit(user)

        def write(tx: Transaction) -> int:
            digest = _digest(fields) if key is not None else None
            if key is not None and (earlier := find_submission(tx.connection, user.name, key)):
                job_id, earlier_digest = earlier
                if earlier_digest != digest:
                    raise Conflict("key_reused", job=job_id)
                return job_id
            home = self._accounts.home_for(user)
            defaults = decode(JobFields, defaults_of(tx.connection, user.name))
            wanted = merge_fields(fields, defaults)
            spec = make_spec(wanted, home)
            _check_spec(tx.connection, spec, None)
            return insert_job(tx, user.name, spec, held=bool(wanted.hold), key=key, digest=digest)

        return await self._database.write(write)

    async def edit(self, user: User, job_id: int, edit: JobEdit) -> None:
        """Change a job in line; a job that has ended goes back to the line as its next attempt."""

        def write(tx: Transaction) -> None:
            job = find_job(tx.connection, user, job_id)
            _check_state(job, IN_LINE | ENDED)
            dependencies = dependencies_of(tx.connection, job_id)
            now = fields_of(replace(job.spec, dependencies=dependencies))
            spec = make_spec(apply_edit(now, edit), job.spec.directory)
            _check_spec(tx.connection, spec, job_id)
            if job.state in IN_LINE:
                _check_unchanged(job, update_spec(tx, job, spec, user.name))
                self._edit_hold(tx, user, job_id, edit.set.hold)
                return
            again = change_state(
                tx,
                job,
                JobState.WAITING,
                actor=user.name,
                told={"edited": True},
                ended_at=None,
                retries_used=0,
                not_before=None,
                placed=None,
                position=tail_position(tx.connection, job.id),
                **spec_columns(spec),
            )
            _check_unchanged(job, again)
            set_dependencies(tx, job_id, spec.dependencies)
            self._edit_hold(tx, user, job_id, edit.set.hold)

        await self._database.write(write)

    def _edit_hold(self, tx: Transaction, user: User, job_id: int, hold: bool | None) -> None:
        job = get_job(tx.connection, job_id)
        if job is None or hold is None or hold == (job.state is JobState.HELD):
            return
        change_state(tx, job, JobState.HELD if hold else JobState.WAITING, actor=user.name)

    async def resubmit(self, user: User, job_id: int) -> int:
        """A copy with a new id, in line. Predecessors that have ended count as ended."""
        _check_may_submit(user)

        def write(tx: Transaction) -> int:
            job = find_job(tx.connection, user, job_id)
            dependencies = dependencies_of(tx.connection, job_id)
            states = {
                each.id: each.state for each in get_jobs(tx.connection, [d.job_id for d in dependencies])
            }
            open_ones = tuple(each for each in dependencies if states[each.job_id] not in GONE)
            spec = replace(job.spec, dependencies=open_ones)
            return insert_job(tx, job.owner, spec, held=False, actor=user.name)

        return await self._database.write(write)

    async def hold(self, user: User, job_id: int) -> None:
        await self._change_line(user, job_id, JobState.WAITING, JobState.HELD)

    async def release(self, user: User, job_id: int) -> None:
        await self._change_line(user, job_id, JobState.HELD, JobState.WAITING)

    async def _change_line(self, user: User, job_id: int, before: JobState, after: JobState) -> None:
        """Doing it twice is no mistake: what is asked for is already so."""

        def write(tx: Transaction) -> None:
            job = find_job(tx.connection, user, job_id)
            if job.state is not after:
                _check_state(job, {before})
                _check_unchanged(job, change_state(tx, job, after, actor=user.name))

        await self._database.write(write)

    async def move(self, user: User, job_id: int, place: int) -> None:
        """Let a job in line stand at `place`. For administrators: it decides over everybody's turn."""
        check_admin(user)

        def write(tx: Transaction) -> None:
            job = find_job(tx.connection, user, job_id)
            _check_state(job, IN_LINE)
            move_job(tx, job, place, user.name)

        await self._database.write(write)

    async def cancel(self, user: User, job_id: int) -> None:
        """End a job that waits or runs. Resources are free once its last process is gone."""

        def write(tx: Transaction) -> tuple[Job, Task | None]:
            job = find_job(tx.connection, user, job_id)
            _check_state(job, IN_LINE | ACTIVE)
            return job, _cancel(tx, job, user.name)

        await self._stop_tasks([await self._database.write(write)])

    async def delete(
        self, user: User, job_id: int, *, with_successors: bool, running: str
    ) -> tuple[list[int], list[int], list[int]]:
        """Delete a job that does not run, and if asked all that wait for it.

        `running` says what becomes of running successors: `refuse`, `leave` or `cancel`.
        Returns the ids deleted, left alone, and being cancelled.
        """

        def write(tx: Transaction) -> tuple[list[int], list[int], list[tuple[Job, Task | None]]]:
            job = find_job(tx.connection, user, job_id)
            _check_state(job, IN_LINE | ENDED)
            successors = all_successors_of(tx.connection, job_id) if with_successors else []
            others = [find_job(tx.connection, user, each) for each in successors]
            active = [each for each in others if each.state in ACTIVE]
            if active and running == "refuse":
                names = ", ".join(str(each.id) for each in active)
                raise Conflict("successors_running", job=job_id, jobs=names)
            doomed = [job, *(each for each in others if each.state not in ACTIVE)]
            for each in doomed:
                _check_unchanged(each, _delete(tx, each, user.name))
            stops = [(each, _cancel(tx, each, user.name)) for each in active if running == "cancel"]
            left = [each.id for each in active if running == "leave"]
            return [each.id for each in doomed], left, stops

        deleted, left, stops = await self._database.write(write)
        await self._stop_tasks(stops)
        await asyncio.to_thread(self._remove_logs, deleted)
        return deleted, left, [job.id for job, _ in stops]

    async def stop_all(self) -> None:
        """Send every active job back to the head of the line, in the order in which they stood there."""

        def write(tx: Transaction) -> list[tuple[Job, Task | None]]:
            jobs = sorted(active_jobs(tx.connection), key=lambda job: (job.position, job.id), reverse=True)
            tasks = current_tasks(tx.connection, jobs)
            stops: list[tuple[Job, Task | None]] = []
            position = head_position(tx.connection)
            for job in jobs:
                if request_stop(tx, job, StopIntent.REQUEUE, None, position=position):
                    stops.append((job, tasks[job.id][0]))
                    position -= 1.0
            return stops

        await self._stop_tasks(await self._database.write(write), LONGEST_GRACE_AT_STOP_S)

    async def _stop_tasks(
        self, stops: Iterable[tuple[Job, Task | None]], longest_grace_s: float = math.inf
    ) -> None:
        for job, task in stops:
            if task is not None:
                key = TaskKey(job.id, job.attempt, task.rank)
                grace_s = min(job.spec.grace_s, longest_grace_s)
                await self._keeping.stop_task(task.allocation.node, key, grace_s)

    def _remove_logs(self, job_ids: list[int]) -> None:
        """Danlu's own logs go with the job; files the user named stay."""
        for job_id in job_ids:
            shutil.rmtree(self._settings.logs / str(job_id), ignore_errors=True)


def find_job(connection: Connection, user: User, job_id: int) -> Job:
    """The job, if the user may do something with it. Raises NotFound or Forbidden."""
    job = get_job(connection, job_id)
    if job is None:
        raise NotFound("no_such_job", job=job_id)
    if user.role is Role.VIEWER or not is_theirs(connection, user, job):
        raise Forbidden("not_yours", job=job_id, owner=job.owner)
    return job


def is_theirs(connection: Connection, user: User, job: Job) -> bool:
    """Whether the content of a job is this user's to see: its owner, the owner's mentor, an admin."""
    owner = get_user(connection, job.owner)
    return may_touch(user, job.owner, owner.mentor if owner else None)


def check_admin(user: User) -> None:
    if not user.is_admin:
        raise Forbidden("admin_only")


def _check_may_submit(user: User) -> None:
    if user.role is Role.VIEWER:
        raise Forbidden("viewers_only_look")


def _check_state(job: Job, allowed: Iterable[JobState]) -> None:
    if job.state not in allowed:
        states = sorted(state.value for state in allowed)
        raise Conflict("wrong_state", job=job.id, state=job.state.value, allowed=states)


def _check_unchanged(job: Job, outcome: object) -> None:
    """A guarded write that found no row: somebody was faster."""
    if not outcome:
        raise Conflict("changed_meanwhile", job=job.id)


def _check_spec(connection: Connection, spec: JobSpec, job_id: int | None) -> None:
    """What only the cluster can tell: predecessors exist and form no circle, some node can run it."""
    predecessors = [each.job_id for each in spec.dependencies]
    if missing := missing_jobs(connection, predecessors):
        kinds = {each.job_id: each.kind for each in spec.dependencies}
        field = "after_ok" if kinds[missing[0]] is DependencyKind.OK else "after"
        raise Invalid("no_such_predecessor", field=field, job=missing[0])
    if job_id is not None and predecessors:
        behind = {job_id, *all_successors_of(connection, job_id)}
        if behind & set(predecessors):
            raise Invalid("dependency_cycle", field="after", job=job_id)
    if not spec.wait_for_hardware:
        _check_hardware(spec, list_nodes(connection))


def _check_hardware(spec: JobSpec, nodes: list[Node]) -> None:
    names = [node.name for node in nodes]
    if spec.node is not None and spec.node not in names:
        raise Invalid("no_such_node", field="node", node=spec.node, nodes=", ".join(names))
    if can_ever_run(spec.ask, view_nodes(nodes, [])) is None:
        return
    allowed = [node for node in nodes if spec.node in (None, node.name)]
    raise Invalid("no_such_hardware", field=_field_to_blame(spec, allowed), ask=spec.ask, nodes=allowed)


def _field_to_blame(spec: JobSpec, nodes: list[Node]) -> str:
    ask = spec.ask
    if nodes and all(node.facts.cpus < ask.cpus for node in nodes):
        return "cpus"
    if nodes and all(node.facts.memory_mb < ask.memory_mb for node in nodes):
        return "memory_mb"
    return "gpu_ids" if len(ask.gpu_ids) >= max(spec.gpus, 1) else "gpus"


def _cancel(tx: Transaction, job: Job, actor: str) -> Task | None:
    """Cancel a job; the task to stop when one is under way."""
    if job.state in IN_LINE:
        done = change_state(
            tx,
            job,
            JobState.CANCELLED,
            actor=actor,
            ended_at=tx.now,
            end_reason="cancelled",
            not_before=None,
            exit_code=None,
            signal=None,
            detail="",
        )
        _check_unchanged(job, done)
        return None
    _check_unchanged(job, request_stop(tx, job, StopIntent.CANCEL, actor))
    return current_tasks(tx.connection, [job])[job.id][0]


def _delete(tx: Transaction, job: Job, actor: str) -> Job | None:
    drop_predecessor(tx, job.id)
    set_dependencies(tx, job.id, ())
    return change_state(tx, job, JobState.DELETED, actor=actor, ended_at=None)


def _digest(fields: JobFields) -> str:
    return hashlib.sha256(json.dumps(encode(fields), sort_keys=True).encode()).hexdigest()
