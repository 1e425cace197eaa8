"""Which log of a job is meant."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.wire.jobs import LogStream


@dataclass(frozen=True, slots=True)
class LogName:
    """One stream of one task of a job: of the latest attempt unless `attempt` names another. The job itself
    is named beside it: by its number at the server, as in an address at a client."""

    attempt: int | None = None
    stream: LogStream = "stdout"
    rank: int = 0
