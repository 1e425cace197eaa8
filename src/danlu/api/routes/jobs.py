"""Jobs: hand in, look at, change."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen, Predicate
from fastapi import APIRouter, Header, Path, Query, Request
from sqlalchemy import Connection

from danlu.api.auth import TheControl, TheUser
from danlu.api.cursor import pack_cursor, unpack_cursor
from danlu.api.errors import language_of
from danlu.api.views import show_detail, show_event, show_row, show_why
from danlu.control.control import Control
from danlu.control.jobs import is_theirs
from danlu.core.errors import NotFound
from danlu.core.job import Job
from danlu.core.states import IN_LINE, JobState
from danlu.core.user import User
from danlu.store.attempts import attempts_of
from danlu.store.dependencies import dependencies_of, successors_of
from danlu.store.events import events_of_job
from danlu.store.jobs import ListQuery, count_areas, get_job, list_jobs
from danlu.store.line import place_of
from danlu.wire.fields import Line, no_control_characters
from danlu.wire.jobs import (
    Area,
    Deleted,
    JobDetail,
    JobEdit,
    JobFields,
    JobPage,
    JobSubmitted,
    MoveRequest,
    WhyAnswer,
)
from danlu.wire.server import EventRow
from danlu.wording.catalogue import Language

router = APIRouter(prefix="/jobs", tags=["jobs"])

JobIdPath = Annotated[int, Path(ge=1, le=2**53)]
IdempotencyKey = Annotated[
    str | None, Header(alias="Idempotency-Key"), MaxLen(200), Predicate(no_control_characters)
]


@router.post("", status_code=201)
async def submit_job(
    fields: JobFields, user: TheUser, control: TheControl, key: IdempotencyKey = None
) -> JobSubmitted:
    """Submit a job. With an Idempotency-Key the same request can be repeated safely."""
    return JobSubmitted(id=await control.jobs.submit(user, fields, key or None))


@router.get("")
async def list_all_jobs(
    request: Request,
    user: TheUser,
    control: TheControl,
    area: Area | None = None,
    owner: Line | None = None,
    state: JobState | None = None,
    name: Line | None = None,
    mine: bool = False,
    limit: Annotated[int, Ge(1), Le(1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> JobPage:
    """One page of jobs: waiting in line order, history by latest end, everything else newest first."""
    query = ListQuery(
        area=area,
        owner=user.name if mine else owner,
        state=state,
        name=name,
        cursor=unpack_cursor(cursor),
        limit=limit,
    )
    (jobs, after), counts = await control.database.read(
        lambda connection: (list_jobs(connection, query), count_areas(connection, query))
    )
    language, now, blockers = language_of(request), control.clock(), control.loop.blockers
    rows = [show_row(job, show_why(language, job.id, job.state, blockers.get(job.id), now)) for job in jobs]
    return JobPage(jobs=rows, next=pack_cursor(after), counts=counts)  # type: ignore[arg-type]


@router.get("/{job_id}")
async def get_one_job(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> JobDetail:
    return await _detail(language_of(request), job_id, user, control)


@router.patch("/{job_id}")
async def edit_job(
    request: Request, job_id: JobIdPath, edit: JobEdit, user: TheUser, control: TheControl
) -> JobDetail:
    """Edit a job in line, or an ended one, which then goes back to the line as its next attempt."""
    await control.jobs.edit(user, job_id, edit)
    return await _detail(language_of(request), job_id, user, control)


@router.delete("/{job_id}")
async def delete_job(
    job_id: JobIdPath,
    user: TheUser,
    control: TheControl,
    with_successors: bool = False,
    running: Literal["refuse", "leave", "cancel"] = "refuse",
) -> Deleted:
    """Delete a job that does not run, and if asked every job that waits for it, however indirectly."""
    deleted, left, cancelled = await control.jobs.delete(
        user, job_id, with_successors=with_successors, running=running
    )
    return Deleted(deleted=deleted, left=left, cancelled=cancelled)


@router.post("/{job_id}/cancel")
async def cancel_job(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> JobDetail:
    """End it: TERM, its grace, then KILL, for its whole process tree."""
    await control.jobs.cancel(user, job_id)
    return await _detail(language_of(request), job_id, user, control)


@router.post("/{job_id}/hold")
async def hold_job(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> JobDetail:
    await control.jobs.hold(user, job_id)
    return await _detail(language_of(request), job_id, user, control)


@router.post("/{job_id}/release")
async def release_job(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> JobDetail:
    await control.jobs.release(user, job_id)
    return await _detail(language_of(request), job_id, user, control)


@router.post("/{job_id}/move")
async def move_one_job(
    request: Request, job_id: JobIdPath, move: MoveRequest, user: TheUser, control: TheControl
) -> JobDetail:
    """Move a waiting job to a place in line; 1 is the head. For administrators."""
    await control.jobs.move(user, job_id, move.position)
    return await _detail(language_of(request), job_id, user, control)


@router.post("/{job_id}/resubmit", status_code=201)
async def resubmit_job(job_id: JobIdPath, user: TheUser, control: TheControl) -> JobSubmitted:
    """A copy with a new id."""
    return JobSubmitted(id=await control.jobs.resubmit(user, job_id))


@router.get("/{job_id}/why")
async def why_job_waits(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> WhyAnswer:
    """Where the job stands and, while it waits, why: from the scheduler's own last pass."""
    detail = await _detail(language_of(request), job_id, user, control)
    return WhyAnswer(id=job_id, state=detail.job.state, why=detail.job.why, message=detail.message)


@router.get("/{job_id}/events")
async def list_job_events(job_id: JobIdPath, _user: TheUser, control: TheControl) -> list[EventRow]:
    def read(connection: Connection) -> list[EventRow]:
        find_visible_job(connection, job_id)
        return [show_event(event) for event in events_of_job(connection, job_id)]

    return await control.database.read(read)


def find_visible_job(connection: Connection, job_id: int) -> Job:
    """The job; everybody may see that it exists. Raises NotFound."""
    job = get_job(connection, job_id)
    if job is None:
        raise NotFound("no_such_job", job=job_id)
    return job


async def _detail(language: Language, job_id: int, user: User, control: Control) -> JobDetail:
    blockers, now = control.loop.blockers.get(job_id), control.clock()

    def read(connection: Connection) -> JobDetail:
        job = find_visible_job(connection, job_id)
        return show_detail(
            language,
            job,
            mine=is_theirs(connection, user, job),
            why=show_why(language, job.id, job.state, blockers, now),
            dependencies=dependencies_of(connection, job_id),
            successors=successors_of(connection, [job_id]),
            attempts=attempts_of(connection, job_id),
            place=place_of(connection, job) if job.state in IN_LINE else None,
            logs=control.settings.logs,
        )

    return await control.database.read(read)
