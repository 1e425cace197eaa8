"""Machines that are made nodes over ssh, and nodes that are upgraded, with their progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import Annotated

from fastapi import Path, Request
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import language_of, problem_of
from danlu.api.router import make_router
from danlu.api.streams.sse import HEARTBEAT, frame, stream
from danlu.codec import encode
from danlu.control.control import Control
from danlu.control.event_bus import NO_KINDS, Subscription
from danlu.control.identity.rights import check_admin
from danlu.control.nodes.installations import NodeInstallation, Target
from danlu.wire.nodes.installations import (
    InstallationRequest,
    InstallationRow,
    NodeFileRow,
    StepRow,
    UpgradeRequest,
)
from danlu.wording.catalogue import Language

router = make_router("nodes", "/nodes")

InstallationId = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/installations")
async def list_all_installations(
    request: Request, user: TheUser, control: TheControl
) -> list[InstallationRow]:
    """What was begun since the server was started, the newest first."""
    check_admin(user)
    language = language_of(request)
    return [show_installation(each, language) for each in control.installations.list()]


@router.post("/installations", status_code=202)
async def install_node(
    request: Request, wanted: InstallationRequest, user: TheUser, control: TheControl
) -> InstallationRow:
    """Begin to make a machine a node, over ssh from the server; follow it, or look at it now and then."""
    check_admin(user)
    made = control.installations.add(Target(**asdict(wanted)), user.name)
    return show_installation(made, language_of(request))


@router.get("/installations/file")
async def read_node_file(request: Request, user: TheUser, control: TheControl) -> NodeFileRow | None:
    """The node file as the server last read it; null where there is none."""
    check_admin(user)
    read = control.installations.node_file
    if read is None:
        return None
    language = language_of(request)
    return NodeFileRow(
        path=read.path, nodes=read.nodes, problems=[problem_of(language, each) for each in read.problems]
    )


@router.get("/installations/{installation_id}")
async def get_one_installation(
    request: Request, installation_id: InstallationId, user: TheUser, control: TheControl
) -> InstallationRow:
    check_admin(user)
    return show_installation(control.installations.get(installation_id), language_of(request))


@router.get(
    "/installations/{installation_id}/follow",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def follow_installation(
    request: Request,
    installation_id: InstallationId,
    user: TheUser,
    control: TheControl,
) -> StreamingResponse:
    """An `installation` event, whole, at each change; the last one has `ended_at`."""
    check_admin(user)
    followed = control.installations.get(installation_id)
    return stream(_Follower(control, language_of(request)).follow(followed))


@router.post("/upgrades", status_code=202)
async def upgrade_nodes(
    request: Request, wanted: UpgradeRequest, user: TheUser, control: TheControl
) -> InstallationRow:
    """Begin to bring nodes to the version of the server, one by one; jobs go on."""
    check_admin(user)
    made = await control.installations.upgrade(wanted.nodes, user.name)
    return show_installation(made, language_of(request))


def show_installation(each: NodeInstallation, language: Language) -> InstallationRow:
    return InstallationRow(
        id=each.id,
        kind=each.kind.value,
        target=each.target,
        node=each.node,
        actor=each.actor,
        from_file=each.from_file,
        state="running" if each.ended_at is None else "done" if each.error is None else "failed",
        began_at=each.began_at,
        ended_at=each.ended_at,
        steps=[
            StepRow(name=step.name, node=step.node, state=step.state.value, percent=step.percent)
            for step in each.steps
        ],
        problem=None if each.error is None else problem_of(language, each.error),
    )


@dataclass(frozen=True, slots=True)
class _Follower:
    control: Control
    language: Language

    async def follow(self, followed: NodeInstallation) -> AsyncIterator[bytes]:
        seen = -1
        # A server that stops must not wait for an installation that takes long: its news end everything.
        with self.control.bus.subscribe(NO_KINDS) as news, followed.watch(news.nudge):
            while not news.closed:
                if followed.changes > seen:
                    seen = followed.changes
                    yield frame("installation", encode(show_installation(followed, self.language)))
                    if followed.ended_at is not None:
                        return
                elif await self._is_quiet(news):
                    yield HEARTBEAT

    async def _is_quiet(self, news: Subscription) -> bool:
        try:
            async with asyncio.timeout(self.control.settings.heartbeat_s):
                await news.next()
        except TimeoutError:
            return True
        return False
