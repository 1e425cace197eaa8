"""Sees to it that logs stay within the limits that administrators set.

A task takes the limit of its own log along: its keeper keeps to it, also without a server. What was started
before a limit was set, and all logs of a node together, the nodes look at when they are asked, now and then.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.event_bus import EventBus
from danlu.core.events import EventKind
from danlu.core.lab_settings import General
from danlu.core.task import LaunchOrder
from danlu.store.engine.database import Database
from danlu.store.settings import read_general

log = logging.getLogger(__name__)

PAUSE_S = 60.0
MB = 1 << 20


class LogLimits:
    def __init__(self, database: Database, bus: EventBus, agents: Agents) -> None:
        self._database = database
        self._agents = agents
        self._general = General()
        self._news = bus.listen({EventKind.SETTINGS_CHANGED})
        self._over: set[str] = set()

    async def start(self) -> None:
        self._general = await self._database.read(read_general)

    def equip(self, order: LaunchOrder) -> LaunchOrder:
        """The order with what it has to know of this."""
        return replace(order, log_limit=self._general.job_log_limit_mb * MB)

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE_S if self._is_limited else None):
                    await self._news.next()
            try:
                self._general = await self._database.read(read_general)
                if self._is_limited:
                    await asyncio.gather(*(self._trim(node.name) for node in await self._agents.nodes()))
            except Exception:
                log.exception("could not look at the logs of the nodes")
                await asyncio.sleep(1.0)

    @property
    def _is_limited(self) -> bool:
        return bool(self._general.job_log_limit_mb or self._general.all_logs_limit_mb)

    async def _trim(self, node: str) -> None:
        each, together = self._general.job_log_limit_mb * MB, self._general.all_logs_limit_mb * MB
        try:
            held = await self._agents.trim_logs(node, each, together)
        except NodeUnreachable:
            return
        except Exception as problem:
            # An agent of the version before knows nothing of this; the limit of each task it keeps.
            log.warning("node %s could not look at its logs: %s", node, problem)
            return
        is_over = bool(together) and held > together
        if is_over and node not in self._over:
            facts = held // MB, node, together // MB
            log.warning("%d MB of logs on node %s are more than the %d MB allowed: they are many", *facts)
        (self._over.add if is_over else self._over.discard)(node)
