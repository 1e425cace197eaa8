"""The cluster that is one machine: agents in this very process, several of them when nodes are simulated."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from danlu.agent.gpus.simulation import SimulatedGpus
from danlu.agent.keeper_link import KeeperLink, KeeperRefused
from danlu.agent.node_agent import MOST_SEARCHES, NodeAgent
from danlu.cluster.server.agents import (
    NodeUnreachable,
    OnFact,
    OnMembership,
    OnSenseless,
    OrderRefused,
    Watch,
    tell_nobody,
)
from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, NodeFacts
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey, UnixAccount


class LocalCluster:
    """Implements `Agents`. All nodes share the machine's one keeper, which also knows the tasks of nodes
    that are no longer simulated."""

    is_one_machine = True
    is_connected = True

    def __init__(self, link: KeeperLink, agents: Sequence[NodeAgent]) -> None:
        self._link = link
        self._agents = {agent.name: agent for agent in agents}
        self._former: dict[str, NodeAgent] = {}
        # The nodes share one machine, so together they search no more than one of them may.
        self._searches = asyncio.Semaphore(MOST_SEARCHES)

    async def start(
        self,
        on_fact: OnFact,
        on_membership: OnMembership = tell_nobody,  # noqa: ARG002 - this machine is always there
        on_senseless: OnSenseless = tell_nobody,  # noqa: ARG002
    ) -> None:
        self._link.subscribe(on_fact)
        await self._link.start()

    async def close(self) -> None:
        await self._link.close()

    async def nodes(self) -> list[NodeFacts]:
        return [await agent.facts() for agent in self._agents.values()]

    async def readings(self) -> dict[str, NodeReading]:
        found = await asyncio.gather(*(agent.reading() for agent in self._agents.values()))
        return dict(zip(self._agents, found, strict=True))

    async def forget_gpu(self, node: str, index: int) -> bool:
        agent = self._agents.get(node)
        return agent is not None and await agent.forget_gpu(index)

    def senseless(self) -> Mapping[str, Mapping[str, str]]:
        return {}

    def last_grants(self) -> Mapping[str, float]:
        return {}

    async def prepare(self, node: str, key: TaskKey) -> Prepared:  # noqa: ARG002
        return await self._of(node).prepare()

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        if node not in self._agents:
            raise NodeUnreachable(node)
        return await self._agents[node].diagnose(question)

    async def launch(self, order: LaunchOrder) -> None:
        try:
            await self._of(order.node).launch(order)
        except KeeperRefused as problem:
            raise OrderRefused(str(problem)) from problem

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        await self._of(node).stop(key, grace_s)

    async def tasks(self) -> list[TaskFact]:
        return await self._link.list()

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        await self._of(node).forget(keys)

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        return await self._of(node).remove_jobs(job_ids)

    async def trim_logs(self, node: str, each: int, together: int) -> int:
        # All nodes here have their logs in one folder.
        is_first = node == next(iter(self._agents))
        return await self._of(node).trim_logs(each, together) if is_first else 0

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        return await self._of(node).read_log(path, offset, limit, account)

    async def search_log(
        self, node: str, path: str, account: UnixAccount | None, search: LogSearch
    ) -> LogSearched:
        async with self._searches:
            return await self._of(node).search_log(path, account, search)

    def watch_log(
        self, node: str, path: str, account: UnixAccount | None
    ) -> AbstractAsyncContextManager[Watch]:
        return self._of(node).watch_log(path, account)

    def _of(self, node: str) -> NodeAgent:
        """The agent of a node; of one that is no longer simulated, one that sees no GPUs."""
        if node not in self._agents and node not in self._former:
            self._former[node] = NodeAgent(node, self._link, SimulatedGpus(node, 0), simulated=True)
        return self._agents.get(node) or self._former[node]
