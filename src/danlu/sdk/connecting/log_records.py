"""The parts of a followed log out of bytes as they arrive."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from danlu.sdk.connecting.sse import EventReader


@dataclass(frozen=True, slots=True)
class LogPart:
    """`chunk`: bytes and where they begin. `end`: how it ended. Others may be passed over."""

    kind: str
    offset: int = 0
    data: bytes = b""
    facts: dict[str, Any] = field(default_factory=dict)


class RecordReader:
    """Lines of JSON; behind that of a chunk come so many bytes as it says, handed on as they arrive."""

    def __init__(self) -> None:
        self._line = b""
        self._offset = 0
        self._missing = 0

    def feed(self, data: bytes) -> Iterator[LogPart]:
        at = 0
        while at < len(data):
            if self._missing:
                part = data[at : at + self._missing]
                yield LogPart("chunk", self._offset, part)
                self._offset += len(part)
                self._missing -= len(part)
                at += len(part)
                continue
            end = data.find(b"\n", at)
            if end < 0:
                self._line += data[at:]
                return
            facts = json.loads(self._line + data[at:end])
            self._line, at = b"", end + 1
            if facts["event"] == "chunk":
                self._offset, self._missing = int(facts["offset"]), int(facts["length"])
            else:
                yield LogPart(facts["event"], facts=facts)


class LogReader:
    """Records, or the events that a server sends that knows of no records: the first byte tells."""

    def __init__(self) -> None:
        self._records: RecordReader | None = None
        self._events = EventReader()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[LogPart]:
        if data and not self._begun:
            self._begun = True
            self._records = RecordReader() if data.startswith(b"{") else None
        if self._records is not None:
            yield from self._records.feed(data)
            return
        for event in self._events.feed(data):
            facts = json.loads(event.data)
            if event.kind == "chunk":
                yield LogPart("chunk", int(facts["offset"]), base64.b64decode(facts["base64"]))
            else:
                yield LogPart(event.kind, facts=facts)
