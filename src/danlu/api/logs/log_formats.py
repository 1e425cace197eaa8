"""The two ways in which a followed log goes over the wire: events for browsers, records for programs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Literal

from danlu.api.logs.log_following import LogFinished, LogNews
from danlu.api.streams import sse

FormatName = Literal["events", "records"]


@dataclass(frozen=True, slots=True)
class LogFormat:
    media_type: str
    chunk: Callable[[int, bytes], bytes]
    """Bytes of the log, and the offset at which they begin."""
    end: Callable[[dict[str, Any]], bytes]
    heartbeat: bytes

    async def frame(self, told: AsyncIterator[LogNews]) -> AsyncIterator[bytes]:
        async for news in told:
            if news is None:
                yield self.heartbeat
            elif isinstance(news, LogFinished):
                yield self.end(news.outcome)
            else:
                yield news.framed(self.chunk)


def _record(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, separators=(",", ":")).encode() + b"\n"


def _chunk_record(offset: int, data: bytes) -> bytes:
    return b'{"event":"chunk","offset":%d,"length":%d}\n%b' % (offset, len(data), data)


EVENTS = LogFormat(
    "text/event-stream", sse.frame_bytes, lambda outcome: sse.frame("end", outcome), sse.HEARTBEAT
)
RECORDS = LogFormat(
    "application/octet-stream",
    _chunk_record,
    lambda outcome: _record({"event": "end", **outcome}),
    _record({"event": "heartbeat"}),
)
"""Each record is a line of JSON. Behind that of a chunk come its bytes as they are, `length` of them."""

FORMATS: dict[FormatName, LogFormat] = {"events": EVENTS, "records": RECORDS}
