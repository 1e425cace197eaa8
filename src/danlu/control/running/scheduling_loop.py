"""The loop: look at the board, decide, apply, send the orders. Woken by events, never by a clock alone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from danlu.control.event_bus import SCHEDULING_KINDS, EventBus, Subscription
from danlu.control.running.apply import apply_plan
from danlu.control.running.elastic import Resizing
from danlu.control.running.launching import Launching
from danlu.control.running.live_board import LiveBoard, Look
from danlu.control.running.orders import Orders
from danlu.core.blockers import AvoidsNodes, Blocker, Held, NotYet, OwnerLocked
from danlu.core.errors import Unavailable
from danlu.core.events import Event, EventKind
from danlu.core.states import ACTIVE, IN_QUEUE, JobState
from danlu.scheduling.plan import Plan
from danlu.scheduling.schedule import schedule
from danlu.settings import Settings
from danlu.store.engine.database import Database

log = logging.getLogger(__name__)

LARGE_LINE = 1000
"""From this many waiting jobs on a pass leaves the event loop: requests must not wait for it."""

PAUSE_PER_PASS = 2.0
LONGEST_PAUSE_S = 0.1
"""After a pass the next one waits this many times as long as it took, so that a long queue which changes all
the time takes no more than a third of a processor. A first wake after a quiet moment waits for nothing."""


@dataclass(frozen=True, slots=True)
class PassResult:
    """What a pass did: how many began, how many wait on, and after how many seconds the next is due even if
    nothing happens."""

    started: int
    waiting: int
    pause_s: float


class SchedulingLoop:
    """Runs a pass whenever something happened. Keeps the blockers of the last pass for those who ask why.

    `may_schedule` turns false once this server has lost its say.
    """

    def __init__(
        self,
        database: Database,
        board: LiveBoard,
        news: Subscription,
        orders: Orders,
        launching: Launching,
        resizing: Resizing,
        settings: Settings,
        clock: Callable[[], float],
        may_schedule: Callable[[], bool],
    ) -> None:
        self._database = database
        self._board = board
        self._orders = orders
        self._launching = launching
        self._resizing = resizing
        self._settings = settings
        self._clock = clock
        self._may_schedule = may_schedule
        self._news = news
        self._one_at_a_time = asyncio.Lock()
        self._thought_s = 0.0
        self._stopped = False
        self.passes = 0
        self.blockers: Mapping[int, tuple[Blocker, ...]] = {}
        self.places: Mapping[int, int] = {}
        self.queue_version = 0
        """Grows whenever jobs have moved in the queue: that of a job may change with no event of its own."""

    def stop(self) -> None:
        """Start nothing any more."""
        self._stopped = True

    @property
    def _is_over(self) -> bool:
        return self._stopped or not self._may_schedule()

    def wake(self) -> None:
        """Something changed: look again soon. Many calls before the next pass make one pass."""
        self._news.nudge()

    def resync(self) -> None:
        """Look again, at everything: what was thought to be known may be wrong."""
        self._board.doubt()
        self.wake()

    async def run(self) -> None:
        self.wake()
        pause_s = self._settings.resync_s
        while True:
            # Not `wait_for`: before Python 3.12 it swallows a cancellation that comes together with a wake.
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._news.next()
            if self._is_over:
                continue
            try:
                async with self._one_at_a_time:
                    pause_s = (await self._pass()).pause_s
            except Exception:
                log.exception("a scheduling pass failed")
                self._board.doubt()
                pause_s = 1.0
            await asyncio.sleep(min(self._thought_s * PAUSE_PER_PASS, LONGEST_PAUSE_S))

    async def pass_now(self) -> PassResult:
        """Run a pass at once, for an admin. Raises Unavailable while the service stops."""
        async with self._one_at_a_time:
            if self._is_over:
                raise Unavailable("stopping")
            self._board.doubt()
            return await self._pass()

    async def _pass(self) -> PassResult:
        now = self._clock()
        look = await self._board.look(now)
        began = time.monotonic()
        plan = await _decide(look)
        self._thought_s = time.monotonic() - began
        self.queue_version += plan.places != self.places
        self.blockers, self.places = plan.blockers, plan.places
        self.passes += 1
        started = await self._start(look, plan) if plan.decisions and not self._is_over else 0
        retries = [
            b.until for each in plan.blockers.values() for b in each if isinstance(b, NotYet | AvoidsNodes)
        ]
        until_retry_s = min(retries, default=now + self._settings.resync_s) - now
        until_retry_s = min(until_retry_s, await self._resize(look, plan) - now)
        held = sum(any(isinstance(b, Held | OwnerLocked) for b in each) for each in plan.blockers.values())
        waiting = len(plan.blockers) - held
        return PassResult(started, waiting, max(0.01, min(until_retry_s, self._settings.resync_s)))

    async def _resize(self, look: Look, plan: Plan) -> float:
        """Give elastic jobs more nodes or fewer; when to think of that again at the latest."""
        later = look.snapshot.now + self._settings.resync_s
        held = self._board.held_by_elastic()
        if not held or self._is_over:
            return later
        return await self._resizing.consider(look.snapshot, plan, held) or later

    async def _start(self, look: Look, plan: Plan) -> int:
        """Begin what was decided; how many really began."""
        applied = await self._database.write(
            lambda tx: apply_plan(tx, plan, look.versions, look.boot_ids, self._orders, self._settings)
        )
        if len(applied) < len(plan.decisions):
            # Something was not as it seemed: look at everything again.
            self._board.doubt()
        if plan.more or len(applied) < len(plan.decisions):
            self.wake()
        for order in applied.orders:
            self._launching.send_soon(order)
        for job_id, attempt in applied.gangs:
            self._launching.launch_soon(job_id, attempt)
        return len(applied)


def listen_for_scheduling(bus: EventBus) -> Subscription:
    """What wakes the loop: all that may let a job start, or start elsewhere."""
    return bus.listen(SCHEDULING_KINDS, only=_concerns_scheduling)


def _concerns_scheduling(event: Event) -> bool:
    """A start changes nothing that waits: its resources were taken when it was placed. Nor does one of
    several tasks, which keep theirs until all have ended."""
    if event.kind is not EventKind.STATE:
        return True
    before, after = event.data.get("before"), event.data.get("after")
    return after not in ACTIVE or (before in IN_QUEUE and after != JobState.STARTING.value)


async def _decide(look: Look) -> Plan:
    if len(look.snapshot.waiting) < LARGE_LINE:
        return schedule(look.snapshot, look.policy)
    return await asyncio.to_thread(schedule, look.snapshot, look.policy)
