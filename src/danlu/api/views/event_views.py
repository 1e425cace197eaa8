"""Events as the wire shows them."""

from __future__ import annotations

from danlu.core.events import Event
from danlu.core.job_id import index_of, job_of
from danlu.wire.server import EventRow


def show_event(event: Event) -> EventRow:
    return EventRow(
        id=event.id,
        at=event.at,
        kind=event.kind,
        job=job_of(event.job_id) if event.job_id is not None else None,
        index=index_of(event.job_id) if event.job_id is not None else None,
        attempt=event.attempt,
        node=event.node,
        actor=event.actor,
        data=event.data,
    )
