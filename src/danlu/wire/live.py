"""The one stream that carries everything a browser follows, on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen

from danlu.wire.fields import STRICT, ShortText
from danlu.wire.logs import LogStream
from danlu.wire.server_log import LogLevel

MOST_CHANNELS = 64
"""Open at once in one stream."""

ChannelId = Annotated[int, Ge(1), Le(2**53)]
LiveKind = Literal["events", "readings", "log", "server_log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChannel:
    """Something to follow, under a number larger than those of all channels before it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    id: ChannelId
    kind: LiveKind
    after: Annotated[int, Ge(0), Le(2**62)] | None = None
    """Of events and the server's log: what comes behind this id. Left out: what comes from now on."""
    job: Annotated[str, MaxLen(40)] | None = None
    """Of a log: `12`, or `12[3]`."""
    attempt: Annotated[int, Ge(1), Le(2**31)] | None = None
    rank: Annotated[int, Ge(0), Le(1023)] = 0
    stream: LogStream = "stdout"
    offset: Annotated[int, Ge(-(2**62)), Le(2**62)] = 0
    """Of a log: where to begin; a negative one counts from the end."""
    level: LogLevel = "info"
    text: ShortText = ""
    """Of the server's log: what an entry must have in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveStart:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    channels: Annotated[list[LiveChannel], MaxLen(MOST_CHANNELS)] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChange:
    """First `close`, then `open`. What is closed already may be closed again."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    open: Annotated[list[LiveChannel], MaxLen(MOST_CHANNELS)] = field(default_factory=list)
    close: Annotated[list[ChannelId], MaxLen(1000)] = field(default_factory=list)
