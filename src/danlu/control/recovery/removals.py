"""Has nodes remove what they keep of deleted jobs: at once, or when they are back.

What is to be removed stands in the database from the deletion on and until its node has said that it is gone,
so that neither a restart nor another server forgets it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.event_bus import EventBus
from danlu.core.events import Event, EventKind
from danlu.core.states import JobState
from danlu.store.engine.database import Database
from danlu.store.jobs.removals import (
    drop_removals,
    drop_removals_of_strangers,
    nodes_with_removals,
    removals_of,
)
from danlu.store.nodes.node_rows import get_nodes

log = logging.getLogger(__name__)

AT_A_TIME = 16
JOBS_PER_CALL = 200
FIRST_PAUSE_S = 30.0
LONGEST_PAUSE_S = 3600.0
"""How long to wait for a node that is there and did not do it; twice as long each time."""


class Removals:
    """`lost` names the nodes that are away: what only their return can bring about is not tried again."""

    def __init__(
        self, database: Database, bus: EventBus, agents: Agents, lost: Callable[[], Collection[str]]
    ) -> None:
        self._database = database
        self._agents = agents
        self._lost = lost
        kinds = {EventKind.STATE, EventKind.NODE_UP, EventKind.NODE_REMOVED}
        self._news = bus.listen(kinds, only=_is_news)
        self._sweeping = asyncio.Lock()
        self._pause_s: float | None = None
        self._complained: set[str] = set()

    async def run(self) -> None:
        self._news.nudge()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s):
                    await self._news.next()
                    # It may go better than before.
                    self._pause_s = None
            await self._sweep()

    async def settle(self) -> None:
        """Where this machine is all there is, what was deleted is gone when this returns. Other nodes are
        told beside: no request waits for them."""
        if self._agents.is_one_machine:
            await self._sweep()

    async def _sweep(self) -> None:
        """Tell every node that has something to remove. What fails stays to be done."""
        try:
            async with self._sweeping:
                failed = await self._clear_all()
        except Exception:
            log.exception("could not see what is left of deleted jobs")
            failed = True
        if not failed:
            self._pause_s = None
        else:
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S) if self._pause_s else FIRST_PAUSE_S

    async def _clear_all(self) -> bool:
        """Whether a node that is there has not done all of it."""
        nodes = await self._database.read(nodes_with_removals)
        if not nodes:
            return False
        turns = asyncio.Semaphore(AT_A_TIME)

        async def take_turn(node: str) -> bool:
            async with turns:
                return await self._clear(node)

        done = await asyncio.gather(*(take_turn(node) for node in nodes))
        left = {node for node, is_clear in zip(nodes, done, strict=True) if not is_clear}
        known = await self._database.read(lambda connection: get_nodes(connection, left))
        if left - known.keys():
            await self._database.write(drop_removals_of_strangers)
        return bool(left & known.keys() - set(self._lost()))

    async def _clear(self, node: str) -> bool:
        """Whether nothing is left to be done there."""
        is_clear, last = True, 0
        try:
            while jobs := await self._database.read(
                partial(removals_of, node=node, after=last, limit=JOBS_PER_CALL)
            ):
                gone = await self._agents.remove_jobs(node, jobs)
                await self._database.write(partial(drop_removals, node=node, job_ids=gone))
                is_clear = is_clear and set(jobs) <= set(gone)
                last = jobs[-1]
        except NodeUnreachable:
            log.info("node %s does not answer; what was deleted is removed there when it does", node)
            return False
        except Exception:
            if node not in self._complained:
                log.exception("node %s could not remove what was deleted; it is asked again", node)
            self._complained.add(node)
            return False
        if is_clear:
            self._complained.discard(node)
        elif node not in self._complained:
            log.warning("node %s has not removed all that was deleted yet; it is asked again", node)
            self._complained.add(node)
        return is_clear


def _is_news(event: Event) -> bool:
    """A job was deleted, a node has come, or is gone for good."""
    if event.kind in (EventKind.NODE_UP, EventKind.NODE_REMOVED):
        return True
    return event.kind is EventKind.STATE and event.data.get("after") == JobState.DELETED.value
