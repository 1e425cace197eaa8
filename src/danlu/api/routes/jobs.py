"""Jobs: hand in, look at, change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, TypeVar

from annotated_types import Ge, Le
from fastapi import Depends, Header, Path, Query, Request, Response

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.batches import JobBatch, check_in_pieces
from danlu.api.cursor import pack_cursor, unpack_cursor
from danlu.api.errors import language_of, problem_of
from danlu.api.router import make_router
from danlu.api.routes.bulk_actions import TheFilter
from danlu.api.views.event_views import show_event
from danlu.api.views.job_views import show_detail, show_row, show_why, summarise
from danlu.control.control import Control
from danlu.control.jobs.bulk_actions import query_of
from danlu.control.jobs.job_actions import Outcome, Wish, act_on_jobs
from danlu.control.jobs.job_lookup import sum_of
from danlu.core.errors import DanluError, Invalid
from danlu.core.job_id import LARGEST_INDEX, PATTERN, job_of, parse_label
from danlu.core.states import JobState
from danlu.core.user import User
from danlu.wire.fields import Name
from danlu.wire.jobs import (
    BatchSubmitted,
    Deleted,
    ElementPage,
    JobActionResult,
    JobActions,
    JobActionsDone,
    JobDetail,
    JobEdit,
    JobFields,
    JobPage,
    JobSort,
    JobSubmitted,
    MoveRequest,
    WhyAnswer,
)
from danlu.wire.server import EventRow
from danlu.wording.catalogue import Language

router = make_router("jobs", "/jobs")

T = TypeVar("T")


async def _read_ref(job_id: Annotated[str, Path(json_schema_extra={"pattern": PATTERN})]) -> int:
    return _parse_ref(job_id, "job_id")


def _parse_ref(ref: str, field: str) -> int:
    """The job that `12`, or the element of an array that `12[3]` means."""
    try:
        return parse_label(ref)
    except ValueError:
        raise Invalid("bad_job_id", field=field, job=ref) from None


JobIdPath = Annotated[int, Depends(_read_ref)]
IdempotencyKey = Annotated[Name | None, Header(alias="Idempotency-Key")]


@router.post("", status_code=201)
async def submit_job(
    fields: JobFields,
    user: TheUser,
    control: TheControl,
    key: IdempotencyKey = None,
    defaults: bool = True,
) -> JobSubmitted:
    """Submit a job. With an Idempotency-Key the same request can be repeated safely. With `defaults=false`
    what is left out is empty, instead of your default. Where nothing is said of GPUs it gets as many as the
    lab's setting `default_gpus` says, as far as there are nodes that could give them."""
    accepted = await control.submissions.submit_many(user, [fields], key or None, with_defaults=defaults)
    return JobSubmitted(id=accepted.ids[0], gpus=accepted.gpus[0])


@router.post("/batch", status_code=201)
async def submit_many_jobs(
    batch: JobBatch, user: TheUser, control: TheControl, key: IdempotencyKey = None
) -> BatchSubmitted:
    """Submit many jobs at once: all or none. The Idempotency-Key is for the request as a whole."""
    many = await check_in_pieces(batch)
    accepted = await control.submissions.submit_many(user, many, key or None)
    return BatchSubmitted(ids=accepted.ids, gpus=accepted.gpus)


@router.post("/actions")
async def act_on_many_jobs(
    request: Request, wanted: JobActions, user: TheUser, control: TheControl
) -> JobActionsDone:
    """Cancel, hold, release, delete or resubmit many jobs, each on its own: `results` says what became of
    each, in the order of the request."""
    refs: dict[str, int | DanluError] = {}
    for ref in wanted.jobs:
        try:
            refs[ref] = _parse_ref(ref, "jobs")
        except Invalid as problem:
            refs[ref] = problem
    if wanted.now and wanted.action != "cancel":
        raise Invalid("only_for_cancel", field="now")
    wish = Wish(wanted.action, wanted.with_successors, wanted.running, wanted.now)
    ids = [found for found in refs.values() if isinstance(found, int)]
    outcomes = await act_on_jobs(control.jobs, user, wish, ids)
    language = language_of(request)

    def show(ref: str) -> JobActionResult:
        found = refs[ref]
        outcome = outcomes[found] if isinstance(found, int) else Outcome(refusal=found)
        problem = problem_of(language, outcome.refusal) if outcome.refusal else None
        return JobActionResult(ref=ref, ok=problem is None, id=outcome.copy, problem=problem)

    return JobActionsDone(results=[show(ref) for ref in wanted.jobs])


@router.get("", response_model=JobPage)
async def list_all_jobs(
    request: Request,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    wanted: TheFilter,
    limit: Annotated[int, Ge(1), Le(1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=2000)] = None,
    sort: JobSort | None = None,
) -> Response:
    """One page of jobs. Unless `sort` says otherwise: waiting in queue order, history by latest end,
    everything else newest first.

    `search` is a number of a job, a part of its name or of its owner's; `name` the same without the owner.
    The counts are of the same owner and texts.
    """
    order = f"{wanted.area or ''} {sort or ''}"
    query = replace(
        query_of(user, wanted, control.group_book),
        sort=sort,
        cursor=unpack_cursor(order, cursor),
        limit=limit,
    )

    async def make() -> JobPage:
        jobs, after, found = await control.job_lookup.page(query)
        language, now, blockers = language_of(request), control.clock(), control.scheduling_loop.blockers
        rows = [
            show_row(
                job,
                show_why(language, job.id, job.state, blockers.get(job.id), now),
                control.scheduling_loop.places.get(job.id),
                control.reconciler.lost,
            )
            for job in jobs
        ]
        return JobPage(
            jobs=rows,
            next=pack_cursor(order, after),
            counts=found.counts,  # type: ignore[arg-type]
            counts_exact=found.exact,
        )

    return await answers.give(request, user, JobPage, make)


@router.get("/{job_id}", response_model=JobDetail)
async def get_one_job(
    request: Request, job_id: JobIdPath, user: TheUser, control: TheControl, answers: TheAnswers
) -> Response:
    return await answers.give(
        request, user, JobDetail, lambda: _detail(language_of(request), job_id, user, control)
    )


@router.patch("/{job_id}")
async def edit_job(
    request: Request, job_id: JobIdPath, edit: JobEdit, user: TheUser, control: TheControl
) -> JobDetail:
    """Edit a job in the queue, or an ended one, which then goes back to the queue as its next attempt."""
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
async def cancel_job(
    request: Request, job_id: JobIdPath, user: TheUser, control: TheControl, now: bool = False
) -> JobDetail:
    """End it: TERM, its grace, then KILL, for its whole process tree. With `now` it is KILL at once, also for
    one that is being stopped and has grace left."""
    await control.jobs.cancel(user, job_id, now=now)
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
    """Move a waiting job within the list of all that wait, held ones among them; position 1 is its top.
    Urgent jobs lead the list, and stay before the others. For administrators."""
    position = await control.jobs.move(user, job_id, move.position)
    detail = await _detail(language_of(request), job_id, user, control)
    return replace(detail, position=position)


@router.post("/{job_id}/resubmit", status_code=201)
async def resubmit_job(job_id: JobIdPath, user: TheUser, control: TheControl) -> JobSubmitted:
    """A copy with a new id."""
    return JobSubmitted(id=await control.jobs.resubmit(user, job_id))


@router.get("/{job_id}/why")
async def why_job_waits(request: Request, job_id: JobIdPath, user: TheUser, control: TheControl) -> WhyAnswer:
    """Where the job stands and, while it waits, why: from the scheduler's own last pass."""
    detail = await _detail(language_of(request), job_id, user, control)
    job = detail.job
    return WhyAnswer(id=job.id, ref=job.ref, state=job.state, why=job.why, message=detail.message)


@router.get("/{job_id}/elements")
async def list_elements(
    request: Request,
    job_id: JobIdPath,
    _user: TheUser,
    control: TheControl,
    state: JobState | None = None,
    limit: Annotated[int, Ge(1), Le(1000)] = 100,
    start: Annotated[int, Ge(0), Le(LARGEST_INDEX)] = 0,
) -> ElementPage:
    """The elements of an array from index `start` on; those that have not begun among them."""
    language, now, blockers = language_of(request), control.clock(), control.scheduling_loop.blockers

    elements, following = await control.job_lookup.elements_of_array(job_id, start, limit, state)
    rows = [
        show_row(
            summarise(element),
            show_why(language, element.id, element.state, _of_job(blockers, element.id), now),
            _of_job(control.scheduling_loop.places, element.id),
            control.reconciler.lost,
        )
        for element in elements
    ]
    return ElementPage(elements=rows, next=following)


@router.get("/{job_id}/events", response_model=list[EventRow])
async def list_job_events(
    request: Request, job_id: JobIdPath, user: TheUser, control: TheControl, answers: TheAnswers
) -> Response:
    async def make() -> list[EventRow]:
        return [show_event(event) for event in await control.event_history.of_job(job_id)]

    return await answers.give(request, user, list[EventRow], make)


def _of_job(said: Mapping[int, T], job_id: int) -> T | None:
    """What the scheduler says of a job; an element that has not begun waits as its array does."""
    return said.get(job_id) or said.get(job_of(job_id))


async def _detail(language: Language, job_id: int, user: User, control: Control) -> JobDetail:
    blockers, now = _of_job(control.scheduling_loop.blockers, job_id), control.clock()
    whole = await control.job_lookup.find_whole(user, job_id)
    if not whole.job.is_array:
        attempts = await control.usage_reader.with_gpus(whole.attempts)
        whole = replace(whole, attempts=attempts, used=sum_of(attempts))
    return show_detail(
        language,
        whole,
        why=show_why(language, job_id, whole.job.state, blockers, now),
        place=_of_job(control.scheduling_loop.places, job_id),
        logs=control.settings.task_logs,
        lost=control.reconciler.lost,
    )
