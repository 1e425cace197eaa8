"""What users do with jobs that are there. Every act is one transaction: checked and written together, or not
at all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from danlu.control.calls.call_files import Calls, check_call
from danlu.control.identity.rights import check_admin, concerns_array, find_job
from danlu.control.jobs.auto_numbers import AutoNumbers
from danlu.control.jobs.drafts import wrong_state
from danlu.control.jobs.missing_paths import Missing, refuse_missing
from danlu.control.jobs.start_check import StartCheck
from danlu.control.jobs.submissions import Submissions
from danlu.control.recovery.removals import Removals
from danlu.control.running.live_board import LiveBoard
from danlu.control.running.order_sending import OrderSending
from danlu.control.running.stopping import Stop, cancel_job, cancel_waiting_elements, stop_attempt
from danlu.core.errors import Conflict, Unavailable
from danlu.core.job import Job, StopIntent
from danlu.core.job_id import is_element, label_of
from danlu.core.rights import JobAct
from danlu.core.states import ACTIVE, ENDED, GONE, IN_QUEUE, JobState
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.records import spec_columns
from danlu.store.jobs.arrays import open_elements, replace_array
from danlu.store.jobs.attempts import current_tasks
from danlu.store.jobs.dependencies import (
    all_successors_of,
    dependencies_of,
    drop_predecessor,
    set_dependencies,
)
from danlu.store.jobs.job_rows import (
    NewJob,
    active_jobs,
    get_job,
    get_jobs,
    insert_jobs,
    update_spec,
)
from danlu.store.jobs.job_tags import set_tags
from danlu.store.jobs.queue_order import head_position, move_job, tail_position
from danlu.store.jobs.removals import note_removals
from danlu.store.jobs.transitions import change_state
from danlu.wire.jobs import JobEdit

log = logging.getLogger(__name__)

LONGEST_GRACE_AT_STOP_S = 30.0
"""When the service stops with its jobs, no job's grace holds up the others."""


class JobService:
    """Changes of jobs that were handed in. Waking the scheduler is the events' business."""

    def __init__(
        self,
        database: Database,
        board: LiveBoard,
        sending: OrderSending,
        removals: Removals,
        calls: Calls,
        submissions: Submissions,
        settings: Settings,
        start_check: StartCheck,
    ) -> None:
        self._database = database
        self._board = board
        self._sending = sending
        self._removals = removals
        self._calls = calls
        self._submissions = submissions
        self._settings = settings
        self._start_check = start_check

    async def edit(self, user: User, job_id: int, edit: JobEdit) -> None:
        """Change a job in the queue; a job that has ended goes back to the queue as its next attempt."""
        hardware = await self._board.hardware()
        missing = await self._start_check.look_for_existing(job_id, edit)

        def write(tx: Transaction) -> None:
            job = find_job(tx.connection, user, job_id, JobAct.CHANGE, whole=True)
            spec = self._submissions.drafting(tx.connection, user, hardware).edited(job, edit, missing).spec
            if job.state in IN_QUEUE:
                _check_unchanged(job, update_spec(tx, job, spec, user.name))
                if spec.array != job.spec.array:
                    replace_array(tx, job_id, spec)
                self._edit_hold(tx, user, job_id, edit.set.hold)
                return
            again = change_state(
                tx,
                job,
                JobState.WAITING,
                actor=user.name,
                told={"edited": True, "name": spec.name},
                ended_at=None,
                retries_used=0,
                not_before=None,
                placed=None,
                position=tail_position(tx.connection, job.id),
                **spec_columns(spec),
            )
            _check_unchanged(job, again)
            set_dependencies(tx, job_id, spec.dependencies)
            set_tags(tx, job_id, spec.tags)
            self._edit_hold(tx, user, job_id, edit.set.hold)

        await self._database.write(write)

    def _edit_hold(self, tx: Transaction, user: User, job_id: int, hold: bool | None) -> None:
        job = get_job(tx.connection, job_id)
        if job is None or hold is None or hold == (job.state is JobState.HELD):
            return
        change_state(tx, job, JobState.HELD if hold else JobState.WAITING, actor=user.name)

    async def look_for_copies(self, job_ids: Iterable[int]) -> list[Missing]:
        """What copies of these jobs would need to begin and is not there."""
        looks = (self._start_check.look_for_existing(job_id, JobEdit()) for job_id in job_ids)
        return await asyncio.gather(*looks)

    async def resubmit(self, user: User, job_id: int, missing: Missing | None = None) -> int:
        """A copy with a new id, in the queue. Predecessors that have ended count as ended; numbers that were
        left to Danlu are found anew, if there is still something that can hold it. `missing`: what was looked
        for already."""
        self._submissions.check_may_submit_now(user)
        hardware = await self._board.hardware()
        if missing is None:
            [missing] = await self.look_for_copies([job_id])
        looked = missing

        def write(tx: Transaction) -> int:
            job = find_job(tx.connection, user, job_id, JobAct.CHANGE, whole=True)
            dependencies = dependencies_of(tx.connection, job_id)
            states = {
                each.id: each.state for each in get_jobs(tx.connection, [d.job_id for d in dependencies])
            }
            open_ones = tuple(each for each in dependencies if states[each.job_id] not in GONE)
            numbers = AutoNumbers(tx.connection, hardware, self._board.readings, self._board.closed)
            spec = numbers.fill_again(replace(job.spec, dependencies=open_ones))
            check_call(self._settings.calls, job.owner, spec.call)
            refuse_missing(tx.connection, looked, spec, hold=False)
            return insert_jobs(tx, [NewJob(job.owner, spec, actor=user.name)])[0]

        return await self._database.write(write)

    async def hold(self, user: User, job_id: int) -> None:
        await self._change_hold(user, job_id, JobState.WAITING, JobState.HELD)

    async def release(self, user: User, job_id: int) -> None:
        await self._change_hold(user, job_id, JobState.HELD, JobState.WAITING)

    async def _change_hold(self, user: User, job_id: int, before: JobState, after: JobState) -> None:
        """Doing it twice is no mistake: what is asked for is already so."""

        def write(tx: Transaction) -> None:
            job = find_job(tx.connection, user, job_id, JobAct.STOP)
            # A task that was put on hold by itself, as a restored one is, is released by itself.
            if is_element(job_id) and not (job.version and after is JobState.WAITING):
                raise concerns_array(job_id)
            if job.state is not after:
                _check_state(job, {before})
                _check_unchanged(job, change_state(tx, job, after, actor=user.name))

        await self._database.write(write)

    async def move(self, user: User, job_id: int, place: int) -> int:
        """Let a job in the queue stand at `place`, and return the one that it got. For administrators: it
        decides over every user's turn."""
        check_admin(user)

        def write(tx: Transaction) -> int:
            job = find_job(tx.connection, user, job_id, JobAct.CHANGE, whole=True)
            _check_state(job, IN_QUEUE)
            return move_job(tx, job, place, user.name)

        return await self._database.write(write)

    async def cancel(self, user: User, job_id: int, *, now: bool = False) -> None:
        """End a job that waits or runs. Resources are free once its last process is gone. `now`: without its
        grace, or what is left of that."""
        intent = StopIntent.KILL if now else StopIntent.CANCEL

        def write(tx: Transaction) -> list[Stop]:
            job = find_job(tx.connection, user, job_id, JobAct.STOP)
            _check_state(job, IN_QUEUE | ACTIVE)
            return cancel_job(tx, job, user.name, intent)

        try:
            stops = await self._database.write(write)
        except Unavailable as problem:
            if problem.code != "disk_full":
                raise
            # What fills the disk must end, whether that can be written down or not.
            await self._sending.stop(await self._database.read(lambda c: _find_stops(c, user, job_id)))
            raise Unavailable("stopped_not_stored", job=label_of(job_id)) from problem
        await self._sending.stop(stops)

    async def delete(
        self, user: User, job_id: int, *, with_successors: bool, running: str
    ) -> tuple[list[int], list[int], list[int]]:
        """Delete a job that does not run, and if asked all that wait for it.

        `running` says what becomes of running successors: `refuse`, `leave` or `cancel`.
        Returns the ids deleted, left alone, and being cancelled.
        """

        def write(tx: Transaction) -> tuple[list[Job], list[int], list[int], list[Stop]]:
            job = find_job(tx.connection, user, job_id, JobAct.CHANGE, whole=True)
            _check_state(job, IN_QUEUE | ENDED)
            if job.counts is not None and job.counts.active:
                raise wrong_state(job, JobState.RUNNING, IN_QUEUE | ENDED)
            successors = all_successors_of(tx.connection, job_id) if with_successors else []
            others = [find_job(tx.connection, user, each, JobAct.CHANGE) for each in successors]
            active = [each for each in others if each.state in ACTIVE or (each.counts and each.counts.active)]
            if active and running == "refuse":
                names = ", ".join(str(each.id) for each in active)
                raise Conflict("successors_running", job=job_id, jobs=names)
            doomed = [job, *(each for each in others if each not in active)]
            for each in doomed:
                _check_unchanged(each, _delete(tx, each, user.name))
            ended = active if running == "cancel" else []
            stops = [stop for each in ended for stop in cancel_job(tx, each, user.name)]
            left = [each.id for each in active if running == "leave"]
            return doomed, left, [each.id for each in ended], stops

        deleted, left, cancelled, stops = await self._database.write(write)
        await self._sending.stop(stops)
        await self._removals.settle()
        await self._calls.drop({(each.owner, each.spec.call) for each in deleted if each.spec.call})
        return [each.id for each in deleted], left, cancelled

    async def stop_all(self) -> None:
        """Send every active job back to the head of the queue, in the order in which they stood there."""

        def write(tx: Transaction) -> list[Stop]:
            jobs = sorted(active_jobs(tx.connection), key=lambda job: (job.position, job.id), reverse=True)
            tasks = current_tasks(tx.connection, jobs)
            stops: list[Stop] = []
            position = head_position(tx.connection)
            for job in jobs:
                of_job = stop_attempt(tx, job, StopIntent.REQUEUE, None, tasks[job.id], position=position)
                if of_job is not None:
                    stops += of_job
                    position -= 1.0
            return stops

        try:
            stops = await self._database.write(write)
        except Unavailable as problem:
            stops = await self._database.read(_find_all_stops)
            log.error("%d tasks are stopped, but that cannot be stored: %s", len(stops), problem.facts)
        await self._sending.stop(stops, LONGEST_GRACE_AT_STOP_S)


def _find_stops(connection: Connection, user: User, job_id: int) -> list[Stop]:
    """What a cancellation would stop. Raises what that would."""
    job = find_job(connection, user, job_id, JobAct.STOP)
    _check_state(job, IN_QUEUE | ACTIVE)
    jobs = open_elements(connection, job_id) if job.is_array else [job]
    return _stops_of(connection, [each for each in jobs if each.state in ACTIVE])


def _find_all_stops(connection: Connection) -> list[Stop]:
    return _stops_of(connection, active_jobs(connection))


def _stops_of(connection: Connection, jobs: Sequence[Job]) -> list[Stop]:
    tasks = current_tasks(connection, jobs)
    return [(job, task) for job in jobs for task in tasks[job.id] if task.end is None]


def _check_state(job: Job, allowed: Iterable[JobState]) -> None:
    if job.state not in allowed:
        raise wrong_state(job, job.state, allowed)


def _check_unchanged(job: Job, outcome: object) -> None:
    """A guarded write that found no row: another request was faster."""
    if not outcome:
        raise Conflict("changed_meanwhile", job=job.id)


def _delete(tx: Transaction, job: Job, actor: str) -> Job | None:
    # Danlu's own logs go with the job, wherever they are; files that the user named stay.
    note_removals(tx, job.id)
    drop_predecessor(tx, job.id)
    set_dependencies(tx, job.id, ())
    if job.is_array:
        cancel_waiting_elements(tx, job, actor)
    return change_state(tx, job, JobState.DELETED, actor=actor, ended_at=None)
