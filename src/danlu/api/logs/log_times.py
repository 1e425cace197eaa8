"""When a log was written: what its node has seen, between the start and the end of its attempt."""

from __future__ import annotations

from danlu.control.logs.job_logs import JobLogs, LogFile
from danlu.core.logs.log_times import MOST_BYTES, SUFFIX, LogMoment, between, parse_times
from danlu.wire import logs as wire

SHORT_S = 10.0
"""Of an attempt that was no longer, its start and its end say enough."""


async def read_times(logs: JobLogs, file: LogFile, begin: int, end: int, most: int) -> wire.LogTimes:
    """Raises Conflict where it cannot be read."""
    if not file.own or file.path is None or file.attempt is None:
        return wire.LogTimes(known=False, times=[])
    seen = parse_times(await logs.read_beside(file, SUFFIX, MOST_BYTES))
    started_at, ended_at = file.attempt.started_at, file.attempt.ended_at
    # While it runs, its node may yet look: what was written a moment ago, or will be, is seen then.
    if not seen and (started_at is None or (ended_at is not None and ended_at - started_at > SHORT_S)):
        return wire.LogTimes(known=False, times=[])
    size = (await logs.read(file, 0, 1)).size if ended_at is not None else 0
    times = between(_enclosed(seen, started_at, ended_at, size), begin, end, most)
    return wire.LogTimes(known=True, times=[wire.LogTime(offset=at.offset, at=at.at) for at in times])


def _enclosed(
    seen: list[LogMoment], started_at: float | None, ended_at: float | None, size: int
) -> list[LogMoment]:
    """With what is known anyway: it was empty at the start of its attempt, and nothing came after the end."""
    times = list(seen)
    if started_at is not None and (not times or times[0].offset > 0):
        # The two clocks are not the same to the millisecond.
        times.insert(0, LogMoment(0, min(started_at, times[0].at) if times else started_at))
    if ended_at is not None and (not times or size > times[-1].offset):
        times.append(LogMoment(size, max(ended_at, times[-1].at if times else 0.0)))
    return times
