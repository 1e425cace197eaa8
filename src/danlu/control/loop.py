"""The loop: look at the board, decide, apply, send the orders. Woken by events, never by a clock alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from danlu.cluster.agents import Agents, OnFact, OrderRefused
from danlu.control.accounts import AccountBook
from danlu.control.apply import apply_plan
from danlu.control.view import make_policy, make_snapshot
from danlu.core.blockers import Blocker, NotYet
from danlu.core.task import Ending, LaunchOrder, TaskEnd, TaskFact
from danlu.scheduling.plan import Plan
from danlu.scheduling.schedule import schedule
from danlu.settings import Settings
from danlu.store.board import Board, read_board
from danlu.store.database import Database

log = logging.getLogger(__name__)

LARGE_LINE = 200
"""From this many waiting jobs on a pass leaves the event loop: requests must not wait for it."""


class SchedulingLoop:
    """Runs a pass whenever something happened. Keeps the blockers of the last pass for whoever asks why."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
        on_refused: OnFact,
    ) -> None:
        self._database = database
        self._agents = agents
        self._accounts = accounts
        self._settings = settings
        self._clock = clock
        self._on_refused = on_refused
        self._wake = asyncio.Event()
        self._sending: set[asyncio.Task[None]] = set()
        self.stopped = False
        self.blockers: Mapping[int, tuple[Blocker, ...]] = {}

    def wake(self) -> None:
        """Something changed: look again soon. Many calls before the next pass make one pass."""
        self._wake.set()

    async def run(self) -> None:
        self._wake.set()
        pause_s = self._settings.resync_s
        while True:
            # Not `wait_for`: before Python 3.12 it swallows a cancellation that comes together with a wake.
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._wake.wait()
            self._wake.clear()
            if self.stopped:
                continue
            try:
                pause_s = await self._pass()
            except Exception:
                log.exception("a scheduling pass failed")
                pause_s = 1.0

    async def _pass(self) -> float:
        """One pass; the seconds after which the next is due even if nothing happens."""
        board = await self._database.read(read_board)
        now = self._clock()
        plan = await _decide(board, now)
        self.blockers = plan.blockers
        if plan.decisions and not self.stopped:
            await self._start(board, plan)
        retries = [b.until for each in plan.blockers.values() for b in each if isinstance(b, NotYet)]
        until_retry_s = min(retries, default=now + self._settings.resync_s) - now
        return max(0.01, min(until_retry_s, self._settings.resync_s))

    async def _start(self, board: Board, plan: Plan) -> None:
        versions = {job.id: job.version for job in board.line}
        boot_ids = {node.name: node.facts.boot_id for node in board.nodes}
        orders = await self._database.write(
            lambda tx: apply_plan(tx, plan, versions, boot_ids, self._accounts, self._settings)
        )
        for order in orders:
            self.send(order)

    def send(self, order: LaunchOrder) -> None:
        """Send an order without waiting for its node. What fails here, reconciling sends again."""
        sending = asyncio.create_task(self.launch(order))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def launch(self, order: LaunchOrder) -> None:
        """Send an order and wait for its node. An order refused for good is the end of its attempt."""
        try:
            await self._agents.launch(order)
        except OrderRefused as problem:
            end = TaskEnd(Ending.SETUP_FAILED, self._clock(), detail=str(problem))
            self._on_refused(TaskFact(order.key, order.node, end=end))
        except Exception:
            log.exception("could not send task %s to node %s", order.key, order.node)


async def _decide(board: Board, now: float) -> Plan:
    snapshot, policy = make_snapshot(board, now), make_policy(board)
    if len(snapshot.waiting) < LARGE_LINE:
        return schedule(snapshot, policy)
    return await asyncio.to_thread(schedule, snapshot, policy)
