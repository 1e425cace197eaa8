"""The server itself: version, status, scheduling, stopping."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request

from danlu import __version__
from danlu.api.auth import TheControl, TheUser
from danlu.control.jobs import check_admin
from danlu.control.status import read_status
from danlu.store.settings import change_scheduling, read_scheduling
from danlu.wire.server import Scheduling, SchedulingEdit, Status, StopRequest, Version

router = APIRouter(tags=["server"])


@router.get("/version")
async def get_version() -> Version:
    return Version(name="danlu", version=__version__, api="v1")


@router.get("/status")
async def get_status(_user: TheUser, control: TheControl) -> Status:
    """The cluster in a few numbers."""
    return Status(**asdict(await control.database.read(read_status)))


@router.get("/scheduling")
async def get_scheduling(_user: TheUser, control: TheControl) -> Scheduling:
    current = await control.database.read(read_scheduling)
    return Scheduling(policy=current.policy, paused=current.paused)  # type: ignore[arg-type]


@router.patch("/scheduling")
async def edit_scheduling(edit: SchedulingEdit, user: TheUser, control: TheControl) -> Scheduling:
    """Pause, resume, or change the policy, while everything runs. For administrators."""
    check_admin(user)
    after = await control.database.write(
        lambda tx: change_scheduling(tx, user.name, policy=edit.policy, paused=edit.paused)
    )
    return Scheduling(policy=after.policy, paused=after.paused)  # type: ignore[arg-type]


@router.post("/server/stop", status_code=202)
async def stop_server(request: Request, stop: StopRequest, user: TheUser) -> None:
    """Stop the server. Jobs run on, unless `stop_jobs` sends them back to the head of the line."""
    check_admin(user)
    request.app.state.stop(stop.stop_jobs)
