"""Which log is meant."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.wire.jobs import LogStream


@dataclass(frozen=True, slots=True)
class LogName:
    """One stream of one task of a job: of the latest attempt unless `attempt` names another."""

    job_id: int
    attempt: int | None = None
    stream: LogStream = "stdout"
    rank: int = 0
