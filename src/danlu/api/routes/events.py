"""The stream of everything that happens, resumable from any event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheAccess, TheControl, TheIdentity, TheUser
from danlu.api.sse import HEARTBEAT, HEARTBEAT_S, frame, stream
from danlu.api.views import show_event
from danlu.control.access import Access, Identity
from danlu.control.control import Control
from danlu.core.events import Event, EventKind
from danlu.store.events import events_after, last_event_id

router = APIRouter(tags=["events"])

PAGE = 500


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def follow_events(
    _user: TheUser,
    identity: TheIdentity,
    control: TheControl,
    access: TheAccess,
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    last_seen: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**62)] = None,
) -> StreamingResponse:
    """Every event from now on, or from the one behind `after` (or Last-Event-ID)."""
    return stream(_follow(control, access, identity, last_seen if last_seen is not None else after))


async def _follow(
    control: Control, access: Access, identity: Identity, seen: int | None
) -> AsyncIterator[bytes]:
    with control.hub.subscribe() as news:
        if seen is None:
            seen = await control.database.read(last_event_id)
        yield frame("hello", {"after": seen}, seen)
        behind = True
        while not news.closed:
            if behind:
                # Before reading: what overruns us while we read must not go unnoticed.
                behind = news.overrun = False
                async for event in _read_missed(control, seen):
                    seen = event.id
                    yield _frame_of(event)
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    events = await news.next()
            except TimeoutError:
                if not await access.is_still_valid(identity):
                    return
                yield HEARTBEAT
                continue
            rights_changed = any(event.kind is EventKind.USER_CHANGED for event in events)
            if rights_changed and not await access.is_still_valid(identity):
                return
            behind = news.overrun
            for event in events:
                if event.id > seen:
                    seen = event.id
                    yield _frame_of(event)


async def _read_missed(control: Control, seen: int) -> AsyncIterator[Event]:
    while page := await control.database.read(partial(events_after, event_id=seen, limit=PAGE)):
        for event in page:
            yield event
        seen = page[-1].id


def _frame_of(event: Event) -> bytes:
    return frame(event.kind.value, asdict(show_event(event)), event.id)
