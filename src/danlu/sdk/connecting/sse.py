"""Server-Sent Events out of bytes as they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    kind: str
    data: str
    id: str | None = None


class EventReader:
    """Feed it bytes, get whole events; what is not whole yet waits for the next bytes."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._kind = ""
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, data: bytes) -> Iterator[ServerEvent]:
        head, newline, tail = data.partition(b"\n")
        if not newline:
            self._rest.append(data)
            return
        lines = [b"".join((*self._rest, head)), *tail.split(b"\n")]
        self._rest = [lines.pop()]
        for line in lines:
            event = self._take(line.rstrip(b"\r").decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _take(self, line: str) -> ServerEvent | None:
        if not line:
            return self._finish()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._kind = value
        elif name == "id":
            self._id = value
        return None

    def _finish(self) -> ServerEvent | None:
        event = ServerEvent(self._kind or "message", "\n".join(self._data), self._id) if self._data else None
        self._kind, self._data, self._id = "", [], None
        return event
