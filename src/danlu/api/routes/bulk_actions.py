"""One wish for all jobs that a filter means, and how far it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import language_of, problem_of
from danlu.api.query_models import from_query
from danlu.api.router import make_router
from danlu.control.jobs.bulk_actions import BulkAction, RefusedJobs
from danlu.control.jobs.job_actions import SUITABLE, Wish
from danlu.core.errors import Invalid
from danlu.wire.bulk_actions import (
    LONGEST_WAIT_S,
    BulkRefusal,
    BulkRequest,
    BulkRow,
    JobFilter,
    JobsMatching,
)
from danlu.wire.jobs import JobAction
from danlu.wording.catalogue import Language

router = make_router("jobs", "/bulk-actions")

BulkId = Annotated[int, Path(ge=1, le=2**31 - 1)]
WaitSeconds = Annotated[float, Query(ge=0, le=LONGEST_WAIT_S, allow_inf_nan=False)]
TheFilter = Annotated[JobFilter, Depends(from_query(JobFilter))]


@router.get("")
async def list_bulk_actions(request: Request, user: TheUser, control: TheControl) -> list[BulkRow]:
    """Your own since the server was started, the newest first."""
    return [show_bulk_action(each, language_of(request)) for each in control.bulk_actions.list(user)]


@router.get("/matching")
async def count_matching_jobs(
    wanted: TheFilter, user: TheUser, control: TheControl, action: JobAction | None = None
) -> JobsMatching:
    """How many jobs a filter means, and how many of them you may act on. With an action, how many it means
    something to: those that have ended cannot be cancelled."""
    found = await control.bulk_actions.match(user, wanted, action)
    states = {
        state: count for state, count in found.states.items() if action is None or state in SUITABLE[action]
    }
    return JobsMatching(total=found.total, yours=states, up_to=found.up_to)


@router.post("", status_code=202)
async def act_on_all_jobs(
    request: Request, wanted: BulkRequest, user: TheUser, control: TheControl
) -> BulkRow:
    """Begin to cancel, hold, release, delete or resubmit all jobs that a filter means and that you may
    act on. The server carries it out piece by piece; look at it now and then. The same wish while it is under
    way is not begun a second time, and each user has one at a time."""
    if wanted.now and wanted.action != "cancel":
        raise Invalid("only_for_cancel", field="now")
    wish = Wish(wanted.action, wanted.with_successors, wanted.running, wanted.now)
    made = control.bulk_actions.begin(user, wish, wanted.filter, wanted.up_to)
    return show_bulk_action(made, language_of(request))


@router.get("/{number}")
async def get_bulk_action(
    request: Request, number: BulkId, user: TheUser, control: TheControl, wait_s: WaitSeconds = 0
) -> BulkRow:
    """How far it is. With `wait_s`, the answer comes as soon as it has got on or is over, or after so many
    seconds."""
    return show_bulk_action(await control.bulk_actions.wait(user, number, wait_s), language_of(request))


@router.post("/{number}/stop")
async def stop_bulk_action(request: Request, number: BulkId, user: TheUser, control: TheControl) -> BulkRow:
    """Do nothing more of it. What was done stays done."""
    return show_bulk_action(control.bulk_actions.stop(user, number), language_of(request))


@router.post("/{number}/undo", status_code=202)
async def undo_bulk_action(request: Request, number: BulkId, user: TheUser, control: TheControl) -> BulkRow:
    """Release again what was held, or hold again what was released: those jobs alone."""
    return show_bulk_action(control.bulk_actions.undo(user, number), language_of(request))


def show_bulk_action(bulk: BulkAction, language: Language) -> BulkRow:
    return BulkRow(
        id=bulk.id,
        action=bulk.wish.action,
        filter=bulk.filter,
        state=bulk.state,
        total=bulk.total,
        done=len(bulk.done),
        skipped=bulk.skipped,
        refused=sum(each.count for each in bulk.refused.values()),
        refusals=[_show_refusal(code, each, language) for code, each in bulk.refused.items()],
        began_at=bulk.began_at,
        ended_at=bulk.ended_at,
        undoable=bulk.undoable,
        undoes=bulk.undoes,
        problem=problem_of(language, bulk.error) if bulk.error else None,
    )


def _show_refusal(code: str, refused: RefusedJobs, language: Language) -> BulkRefusal:
    message = problem_of(language, refused.first).message
    return BulkRefusal(code=code, count=refused.count, refs=refused.refs, message=message)
