"""Writes down what the GPUs of jobs did, and what the nodes were doing lately: both outlive the server.

The history in memory has the last hour of all nodes. What it gained is written every few seconds, one row for
the whole cluster. From it the curve of a job is made once the job has ended, and twice an hour while it runs,
so that nothing has to be written for each reading, and a server that is killed loses only what came after its
last row. Nothing here is worth failing for: what could not be written is written the next time, as long as
the history still has it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from danlu.control.event_bus import EventBus
from danlu.control.telemetry.job_curves import (
    Curve,
    fresh_curve,
    pack,
    summarise_curves,
    thin,
    whole_curve,
)
from danlu.control.telemetry.readings_history import ReadingsHistory
from danlu.core.errors import Unavailable
from danlu.core.events import Event, EventKind
from danlu.core.resources import Used
from danlu.core.states import ACTIVE
from danlu.store.engine.database import Database
from danlu.store.nodes.usage import (
    AttemptKey,
    Span,
    StoredUsage,
    UsageKey,
    attempts_ended_after,
    holders_of_gpus,
    keep_readings,
    keep_usage,
    read_readings,
    read_usage,
    spans_of,
)

log = logging.getLogger(__name__)

PAUSE_S = 10.0
LONG_S = 600.0
"""So much is written once more as one row, in place of many: the next server has few to read."""
RUNNING_S = 1800.0
"""How often the curves of running jobs are written: well before the history forgets their beginning."""
TOGETHER = 50
"""So many attempts are written in one transaction; others write in between."""
LATE_S = 300.0
"""An end is told late, on its node's clock: the next server looks so far back for those not written."""
LAST_S = 2.0
"""How long a server that stops tries to write what it has."""


class UsageRecorder:
    def __init__(
        self, database: Database, bus: EventBus, history: ReadingsHistory, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._history = history
        self._clock = clock
        self._written_until = self._folded_until = -math.inf
        self._running_written_at = -math.inf
        self._ended: set[AttemptKey] = set()
        self._ends = bus.listen({EventKind.STATE}, only=_ends_attempt)
        self._is_failing = False

    async def start(self) -> None:
        """Take over what the last server knew."""
        stretches = await self._database.read(read_readings)
        try:
            await asyncio.to_thread(self._history.unpack, [stretch.data for stretch in stretches])
        except (ValueError, LookupError, TypeError, zlib.error):
            log.exception("what the nodes were doing before the start cannot be read, and is left out")
            self._history.clear()
        if stretches:
            self._written_until = self._folded_until = stretches[-1].until
            await self._look_for_ended()

    async def _look_for_ended(self) -> None:
        """Find in the database which attempts have ended since something was last written."""
        since = partial(attempts_ended_after, at=max(0.0, self._written_until - LATE_S))
        self._ended |= await self._database.read(since)

    async def _hear_of_ended(self) -> None:
        self._ended.update(
            (event.job_id, event.attempt)
            for event in self._ends.take()
            if event.job_id is not None and event.attempt is not None
        )
        if self._ends.take_overrun():
            await self._look_for_ended()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_S)
            await self.try_write()

    async def close(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                await self.try_write()

    async def try_write(self) -> None:
        if self._database.is_disk_full:
            return
        try:
            await self.write()
            self._is_failing = False
        except Unavailable as problem:
            if not self._is_failing:
                log.warning("could not write down what the GPUs did, and will try again: %s", problem)
            self._is_failing = True
        except Exception:
            log.exception("could not write down what the GPUs did")

    async def write(self) -> None:
        """Whatever is known and not written yet."""
        await self._write_ended()
        now = self._clock()
        if not 0 <= now - self._running_written_at < RUNNING_S:
            await self._write_usage(await self._database.read(holders_of_gpus))
            self._running_written_at = now
        # Last: who takes over looks for attempts that ended about then or later.
        await self._write_readings()

    async def _write_ended(self) -> None:
        await self._hear_of_ended()
        ended = set(self._ended)
        await self._write_usage(ended)
        self._ended -= ended

    async def _write_readings(self) -> None:
        newest = self._history.newest
        if newest < self._written_until:
            # The clock was set back: the history has begun anew.
            self._written_until = self._folded_until = -math.inf
        folds = newest - self._folded_until >= LONG_S
        after = self._folded_until if folds else self._written_until
        packed = self._history.pack(after)
        if packed is None:
            return
        stretch = StoredUsage(newest, packed)
        oldest = self._history.oldest
        await self._database.write(partial(keep_readings, stretch=stretch, after=after, oldest=oldest))
        self._written_until = newest
        if folds:
            self._folded_until = newest

    async def _write_usage(self, attempts: set[AttemptKey]) -> None:
        waiting = sorted(attempts)
        for start in range(0, len(waiting), TOGETHER):
            some = waiting[start : start + TOGETHER]
            spans = await self._database.read(partial(spans_of, attempts=some))
            stored = await self._database.read(partial(read_usage, keys=[span.key for span in spans]))
            fresh = [(span, fresh_curve(self._history, span, stored.get(span.key))) for span in spans]
            usage, used = await asyncio.to_thread(_pack_all, fresh, stored)
            if usage:
                await self._database.write(partial(keep_usage, usage=usage, used=used))


def _ends_attempt(event: Event) -> bool:
    return event.data.get("before") in ACTIVE and event.data.get("after") not in ACTIVE


def _pack_all(
    fresh: Sequence[tuple[Span, Curve]], stored: dict[UsageKey, StoredUsage]
) -> tuple[dict[UsageKey, StoredUsage], dict[AttemptKey, Used]]:
    """The curves as they are stored, and what they come to for each attempt."""
    packed: dict[UsageKey, StoredUsage] = {}
    of_attempt: dict[AttemptKey, list[Curve]] = defaultdict(list)
    for span, curve in fresh:
        whole = whole_curve(curve, stored.get(span.key))
        of_attempt[span.key[:2]].append(whole)
        if curve:
            packed[span.key] = StoredUsage(curve[-1].at, pack(thin(whole)))
    return packed, {key: summarise_curves(curves) for key, curves in of_attempt.items()}
