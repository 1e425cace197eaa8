"""Streams that outlive a broken connection and a restarted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from danlu.sdk.connecting.log_records import LogPart, LogReader
from danlu.sdk.connecting.patience import is_passing
from danlu.sdk.connecting.sse import EventReader, ServerEvent
from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ApiError, NotDanlu

if TYPE_CHECKING:
    from danlu.sdk.api import Api, Query

R = TypeVar("R")


def follow_events(api: Api, path: str, query: Query, last_id: str | None = None) -> Iterator[ServerEvent]:
    """Events without end. After a break it goes on behind the last id it saw. Raises ApiError, Unreachable,
    NotDanlu."""

    def resume_from() -> str | None:
        return last_id

    for reader, piece in _follow(api, path, query, EventReader, resume_from):
        for event in reader.feed(piece):
            last_id = event.id or last_id
            yield event


def _follow(
    api: Api, path: str, query: Query, make_reader: Callable[[], R], resume_from: Callable[[], str | None]
) -> Iterator[tuple[R, bytes]]:
    """The bytes of a stream without end, with a new reader for each connection."""
    patience = api.patience()
    while True:
        reason = "the stream ended"
        reader = make_reader()
        last_id = resume_from()
        try:
            with api.open(path, query, {"Last-Event-ID": last_id} if last_id else None) as stream:
                while piece := stream.read_some():
                    patience.reset()
                    yield reader, piece
        except Broken as broken:
            reason = broken.reason
        except (ApiError, NotDanlu) as refusal:
            if not is_passing(refusal):
                raise
            reason = str(refusal)
        api.wait(patience, reason)


@dataclass(frozen=True, slots=True)
class LogEnd:
    """How the attempt ended whose log was followed."""

    state: str
    end_reason: str | None
    exit_code: int | None
    signal: int | None


class LogFollowing:
    """The bytes of a growing log. Iterate over it; `offset` is how far it got, and `end` is known once the
    attempt is over and everything was read."""

    def __init__(self, api: Api, path: str, query: dict[str, Any], offset: int = 0) -> None:
        self._api = api
        self._path = path
        self._query = query
        self.offset = offset
        self.end: LogEnd | None = None

    def __iter__(self) -> Iterator[bytes]:
        query = {**self._query, "offset": self.offset, "format": "records"}
        for reader, piece in _follow(self._api, self._path, query, LogReader, lambda: str(self.offset)):
            for part in reader.feed(piece):
                if part.kind == "end":
                    self.end = LogEnd(
                        str(part.facts.get("state", "")),
                        part.facts.get("end_reason"),
                        part.facts.get("exit_code"),
                        part.facts.get("signal"),
                    )
                    return
                if part.kind == "chunk" and (data := self._unseen(part)):
                    self.offset = part.offset + len(part.data)
                    yield data

    def _unseen(self, part: LogPart) -> bytes:
        """What was not read before the connection broke."""
        return part.data[max(0, self.offset - part.offset) :]
