"""Server-Sent Events: framing, and keeping a quiet stream alive."""

from __future__ import annotations

import json
from binascii import b2a_base64
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse

HEARTBEAT = b": still here\n\n"
HEARTBEAT_S = 15.0


def frame(event: str, data: Any, event_id: int | None = None) -> bytes:
    """One event. Its data is one line of JSON, so no line of the payload can be mistaken for framing."""
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def frame_bytes(offset: int, data: bytes) -> bytes:
    """A `chunk` event: bytes, where they begin, and in its id where to resume. Base64 needs no escaping, so
    megabytes of it do not go through JSON."""
    following = offset + len(data)
    head = b'id: %d\nevent: chunk\ndata: {"offset": %d, "next": %d, "base64": "' % (
        following,
        offset,
        following,
    )
    return b"".join((head, b2a_base64(data, newline=False), b'"}\n\n'))


def stream(frames: AsyncIterator[bytes], media_type: str = "text/event-stream") -> StreamingResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(frames, media_type=media_type, headers=headers)
