"""The server itself: version, status, scheduling, stopping."""

from __future__ import annotations

from collections import defaultdict
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict
from typing import Annotated, cast

from annotated_types import MaxLen, MinLen
from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from danlu import __version__
from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.control.identity.rights import check_admin
from danlu.control.system.backups import Backups
from danlu.control.system.status import read_status
from danlu.core.errors import NotFound, Unavailable
from danlu.core.events import EventKind
from danlu.wire.server import (
    BackupMade,
    BackupRequest,
    BackupRow,
    LeftOutReason,
    LeftOutRow,
    Passed,
    Scheduling,
    SchedulingEdit,
    ServerRow,
    Status,
    StopRequest,
    Version,
)

router = make_router("server")

MOST_BACKUPS = 50

ServerUrl = Annotated[str, MinLen(1), MaxLen(500)]


@router.get("/version")
async def get_version() -> Version:
    return Version(name="danlu", version=__version__, api="v1")


@router.get("/status", response_model=Status)
async def get_status(request: Request, user: TheUser, control: TheControl, answers: TheAnswers) -> Response:
    """The cluster in a few numbers."""

    async def make() -> Status:
        full = control.database.is_disk_full
        return Status(**asdict(await read_status(control.board, control.job_counts.areas(), disk_full=full)))

    return await answers.give(request, user, Status, make)


@router.get("/servers")
async def list_servers(
    request: Request, _user: TheUser, control: TheControl, lost: bool = False
) -> list[ServerRow]:
    """The servers of this installation that are there: first the one that leads. With `lost` also those that
    went away without a goodbye within a day."""
    if not control.settings.has_standbys:
        state = request.app.state
        base = state.front.link_base(str(request.base_url))
        # At any other address a proxy may answer, with a key of its own.
        fingerprint = state.fingerprint() if base == state.front.shared_url else None
        return [ServerRow(url=base, role="leader", since=state.since, fingerprint=fingerprint)]
    return await control.servers.list(with_lost=lost)


@router.delete("/servers", status_code=204)
async def forget_lost_server(url: ServerUrl, user: TheUser, control: TheControl) -> None:
    """Show a lost server no more. For administrators. One that is there after all comes back by itself."""
    await control.servers.forget(user, url)


@router.get("/scheduling")
async def get_scheduling(_user: TheUser, control: TheControl) -> Scheduling:
    return await control.lab_settings.read_scheduling()


@router.patch("/scheduling")
async def edit_scheduling(edit: SchedulingEdit, user: TheUser, control: TheControl) -> Scheduling:
    """Pause, resume, or change the policy, while everything runs. For administrators."""
    return await control.lab_settings.edit_scheduling(user, edit)


@router.post("/scheduling/pass")
async def run_pass(user: TheUser, control: TheControl) -> Passed:
    """Run a scheduling pass now. For administrators."""
    check_admin(user)
    passed = await control.scheduling_loop.pass_now()
    return Passed(started=passed.started, waiting=passed.waiting)


@router.post(
    "/backup",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/gzip": {}}, "description": "A compressed tar, as it is made."}},
)
async def make_backup(wanted: BackupRequest, user: TheUser, control: TheControl) -> StreamingResponse:
    """One archive of everything, as it is now, while the server goes on. For administrators."""
    check_admin(user)
    return await BackupResponse.begin(control.backups, with_logs=wanted.with_logs, actor=user.name)


@router.get("/backups")
async def list_backups(user: TheUser, control: TheControl) -> list[BackupMade]:
    """Who took a backup when, the latest first, as far back as events are kept. For administrators."""
    check_admin(user)
    taken = await control.event_history.latest(EventKind.BACKUP_MADE, MOST_BACKUPS)
    return [BackupMade(at=event.at, by=event.actor, **event.data) for event in taken]


@router.get("/backup")
async def get_last_backup(user: TheUser, control: TheControl) -> BackupRow:
    """What the last backup holds that this server made, and what is not in it. For administrators."""
    check_admin(user)
    if (last := control.backups.last) is None:
        raise NotFound("no_backup_yet")
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in last.left_out:
        groups[each.node, each.reason].append(each.name)
    return BackupRow(
        created_at=last.created_at,
        files=len(last.members),
        bytes=sum(member.size for member in last.members.values()),
        left_out=[
            LeftOutRow(node=node, reason=cast("LeftOutReason", reason), files=len(names), first=names[0])
            for (node, reason), names in groups.items()
        ],
    )


class BackupResponse(StreamingResponse):
    """Sends a backup, and lets go of it however the sending ends."""

    @classmethod
    async def begin(cls, backups: Backups, *, with_logs: bool, actor: str) -> BackupResponse:
        stack = AsyncExitStack()
        pieces = await stack.enter_async_context(backups.open(with_logs=with_logs, actor=actor))
        response = cls(pieces, media_type="application/gzip")
        response._stack = stack
        return response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._stack:
            await super().__call__(scope, receive, send)

    _stack: AsyncExitStack


@router.post("/server/stop", status_code=202)
async def stop_server(request: Request, stop: StopRequest, user: TheUser, control: TheControl) -> None:
    """Stop the server. Jobs run on, unless `stop_jobs` sends them back to the head of the queue."""
    check_admin(user)
    # A server whose disk is full, or whose database is away, is stopped all the same.
    with suppress(Unavailable):
        await control.servers.note_stop(user, stop_jobs=stop.stop_jobs)
    request.app.state.stop(stop.stop_jobs)
