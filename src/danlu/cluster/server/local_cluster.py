"""The cluster that is one machine: agents in this very process, several of them when nodes are simulated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from danlu.agent.doctor import diagnose
from danlu.agent.files.job_files import remove_jobs
from danlu.agent.keeper_link import KeeperLink, KeeperRefused
from danlu.agent.logs.log_files import LogWatch, read_log_aside
from danlu.agent.logs.log_search import search_log_aside
from danlu.agent.logs.log_trimming import trim_logs_aside
from danlu.agent.node_agent import NodeAgent
from danlu.agent.ports import LOOPBACK, prepare
from danlu.cluster.server.agents import NodeUnreachable, OnFact, OrderRefused, Watch
from danlu.core.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, NodeFacts, NodeState
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey, UnixAccount

MOST_SEARCHES = 2


class LocalCluster:
    """Implements `Agents`. All nodes share the machine's one keeper, which also knows the tasks of nodes
    that are no longer simulated."""

    is_one_machine = True
    is_connected = True

    def __init__(self, link: KeeperLink, agents: Sequence[NodeAgent]) -> None:
        self.on_membership: Callable[[str, NodeState], None] | None = None
        self.on_senseless: Callable[[str], None] | None = None
        self._link = link
        self._agents = {agent.name: agent for agent in agents}
        # Each takes a core for a while: a crowd that searches must not take the machine.
        self._searches = asyncio.Semaphore(MOST_SEARCHES)

    async def start(self, on_fact: OnFact) -> None:
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
        return prepare(LOOPBACK)

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        if node not in self._agents:
            raise NodeUnreachable(node)
        return await diagnose(question, self._link.folder, LOOPBACK, question.version)

    async def launch(self, order: LaunchOrder) -> None:
        agent = self._agents.get(order.node)
        try:
            await (agent.launch(order) if agent is not None else self._link.launch(order))
        except KeeperRefused as problem:
            raise OrderRefused(str(problem)) from problem

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        await self._link.stop(key, node, grace_s)

    async def tasks(self) -> list[TaskFact]:
        return await self._link.list()

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:  # noqa: ARG002
        await self._link.forget(keys)

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:  # noqa: ARG002
        # The node's folder lies in the data folder.
        return await remove_jobs(self._link, self._link.folder.parent, job_ids)

    async def trim_logs(self, node: str, each: int, together: int) -> int:
        # All nodes here have their logs in one folder.
        is_first = node == next(iter(self._agents))
        return await trim_logs_aside(self._link.folder.parent, each, together) if is_first else 0

    async def read_log(
        self,
        node: str,  # noqa: ARG002
        path: str,
        offset: int,
        limit: int,
        account: UnixAccount | None,
    ) -> LogChunk:
        return await read_log_aside(path, offset, limit, account)

    async def search_log(
        self,
        node: str,  # noqa: ARG002
        path: str,
        account: UnixAccount | None,
        search: LogSearch,
    ) -> LogSearched:
        async with self._searches:
            return await search_log_aside(path, account, search)

    def watch_log(
        self,
        node: str,  # noqa: ARG002
        path: str,
        account: UnixAccount | None,
    ) -> AbstractAsyncContextManager[Watch]:
        return LogWatch(path, account)
