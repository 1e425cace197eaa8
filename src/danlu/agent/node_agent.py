"""One node: reports facts, carries out orders, decides nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace

from danlu.agent import machine
from danlu.agent.gpus import GpuProbe
from danlu.agent.keeper_link import FactListener, KeeperLink
from danlu.agent.logs import LogWatch, read_log_aside
from danlu.core.node import NodeFacts
from danlu.core.task import LaunchOrder, LogChunk, TaskFact, TaskKey


class NodeAgent:
    """The agent of the node `name`. Several simulated nodes may share one link.

    `on_fact` is called with every start and end on this node, at least once each.
    """

    def __init__(
        self,
        name: str,
        link: KeeperLink,
        probe: GpuProbe,
        *,
        simulated: bool = False,
        on_fact: FactListener | None = None,
    ) -> None:
        self.name = name
        self.on_fact = on_fact
        self._link = link
        self._probe = probe
        self._simulated = simulated
        link.subscribe(self._hear)

    async def facts(self) -> NodeFacts:
        return NodeFacts(
            name=self.name,
            cpus=machine.cpu_count(),
            memory_mb=machine.memory_mb(),
            gpus=await asyncio.to_thread(self._probe.read),
            boot_id=machine.boot_id(),
            simulated=self._simulated,
            runs_as_root=os.geteuid() == 0,
        )

    async def launch(self, order: LaunchOrder) -> None:
        """Start a task. Launching the same key again changes nothing."""
        await self._link.launch(replace(order, node=self.name))

    async def stop(self, key: TaskKey, grace_s: float) -> None:
        """Stop a task; one that has not begun never will. Its end is reported as a fact."""
        await self._link.stop(key, self.name, grace_s)

    async def tasks(self) -> list[TaskFact]:
        """All tasks of this node that have not been forgotten."""
        return [fact for fact in await self._link.list() if fact.node == self.name]

    async def forget(self, keys: Iterable[TaskKey]) -> None:
        """The ends of these tasks are safe elsewhere; drop what is kept of them here."""
        await self._link.forget(keys)

    async def read_log(self, path: str, offset: int, limit: int, uid: int | None) -> LogChunk:
        return await read_log_aside(path, offset, limit, uid)

    def watch_log(self, path: str) -> LogWatch:
        return LogWatch(path)

    def _hear(self, fact: TaskFact) -> None:
        if fact.node == self.name and self.on_fact is not None:
            self.on_fact(fact)
