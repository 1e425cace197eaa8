"""Server-Sent Events: framing, and keeping a quiet stream alive."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse

HEARTBEAT = b": still here\n\n"
HEARTBEAT_S = 15.0


def frame(event: str, data: Any, event_id: int | None = None) -> bytes:
    """One event. Its data is one line of JSON, so no line of the payload can be mistaken for framing."""
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def stream(frames: AsyncIterator[bytes]) -> StreamingResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(frames, media_type="text/event-stream", headers=headers)
