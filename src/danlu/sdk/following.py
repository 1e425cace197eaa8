"""Streams that outlive a broken connection and a restarted server."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from danlu.sdk.errors import ApiError
from danlu.sdk.sse import EventReader, ServerEvent
from danlu.sdk.transport import Broken

if TYPE_CHECKING:
    from danlu.sdk.api import Api, Query

_PASSING = frozenset({502, 503, 504})
"""Answers of a server, or of the proxy before it, that is on its way down or up."""


def follow_events(api: Api, path: str, query: Query, last_id: str | None = None) -> Iterator[ServerEvent]:
    """Events without end. After a break it goes on behind the last id it saw. Raises ApiError, Unreachable,
    NotDanlu."""
    patience = api.patience()
    while True:
        reason = "the stream ended"
        reader = EventReader()
        try:
            with api.open(path, query, {"Last-Event-ID": last_id} if last_id else None) as stream:
                while piece := stream.read_some():
                    patience.reset()
                    for event in reader.feed(piece):
                        last_id = event.id or last_id
                        yield event
        except Broken as broken:
            reason = broken.reason
        except ApiError as refusal:
            if refusal.status not in _PASSING:
                raise
            reason = refusal.problem.message
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
        query = {**self._query, "offset": self.offset}
        for event in follow_events(self._api, self._path, query, str(self.offset)):
            facts = json.loads(event.data)
            if event.kind == "end":
                self.end = LogEnd(
                    str(facts["state"]), facts.get("end_reason"), facts.get("exit_code"), facts.get("signal")
                )
                return
            if event.kind == "chunk" and (data := self._unseen(facts)):
                self.offset = int(facts["next"])
                yield data

    def _unseen(self, facts: dict[str, Any]) -> bytes:
        """What of a chunk was not read before the connection broke."""
        data = base64.b64decode(facts["base64"])
        return data[max(0, self.offset - int(facts["offset"])) :]
