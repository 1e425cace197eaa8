"""The same cluster in two ways: agents in this process, and agents behind a real messages' server."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from danlu.agent.gpus.simulation import SimulatedGpus, SimulatedTasks, SimulatedUsage
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.node_agent import NodeAgent
from danlu.cluster.node.agent_service import AgentService
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.cluster.server.agents import Agents
from danlu.cluster.server.local_cluster import LocalCluster
from danlu.cluster.server.nats_cluster import NatsCluster
from danlu.control.identity.accounts import own_account
from danlu.core.nodes.node import NodeState
from danlu.core.task import LaunchOrder, TaskEnd, TaskFact, TaskKey
from tests.support.messages import MessagesServer

PATIENCE_S = 20.0
LEASE_S = 2.0
NODE = "forge"


async def eventually(condition: Callable[[], Any], what: str = "it") -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"{what} never came true"
        await asyncio.sleep(0.01)
    return answer


class AgentProcess:
    """One agent on one data folder, as `danlu join` runs it; stopped and started again."""

    def __init__(
        self, folder: Path, identity: NodeIdentity | None, version: str = "0.5.0", name: str = NODE
    ) -> None:
        self.folder = folder
        self.identity = identity
        self.version = version
        self.name = name
        self.running: asyncio.Task[None] | None = None
        self.refusals: list[str | None] = []
        """Why it was refused, each time; None when it was taken."""
        self._make()

    def _make(self) -> None:
        self.link = KeeperLink(self.folder / "node", cgroup_mode="none")
        tasks = SimulatedTasks(self.link.folder, self.name)
        self.link.subscribe(tasks.hear)
        usage = SimulatedUsage(self.name, 4, 16_000, tasks)
        gpus = SimulatedGpus(self.name, 2, tasks)
        self.agent = NodeAgent(self.name, self.link, gpus, usage=usage, simulated=True)

    async def start(self) -> None:
        assert self.identity is not None
        self.service = AgentService(
            self.agent, self.identity, self.folder, self.version, on_refused=self.refusals.append
        )
        await self.link.start()
        self.running = asyncio.create_task(self.service.run())

    async def stop(self) -> None:
        """The process is gone; the keeper and the tasks go on."""
        if self.running is not None:
            self.running.cancel()
            await asyncio.gather(self.running, return_exceptions=True)
            self.running = None
        await self.link.close()

    async def restart(self) -> None:
        await self.stop()
        self._make()
        await self.start()


class Cluster:
    """`agents` is what is under test. `own(name)` is a path among Danlu's own files, as an order has it."""

    def __init__(self, agents: Agents, folder: Path, own: Callable[[str], str]) -> None:
        self.agents = agents
        self.folder = folder
        self.own = own
        self.known: dict[TaskKey, TaskFact] = {}
        self.memberships: list[tuple[str, NodeState]] = []
        self._next_job = 1

    def hear(self, fact: TaskFact) -> None:
        before = self.known.get(fact.key)
        if before is None or before.end is None:
            self.known[fact.key] = fact

    def an_order(self, command: str = "true", **fields: Any) -> LaunchOrder:
        key = fields.pop("key", None) or TaskKey(self._next_job, 1, 0)
        self._next_job += 1
        settings: dict[str, Any] = {
            "node": NODE,
            "job_name": "melting",
            "user": "li",
            "directory": str(self.folder),
            "log_path": self.own(f"logs/{key}.log"),
            "grace_s": 0.3,
            "account": own_account(),
        }
        return LaunchOrder(key=key, command=command, **(settings | fields))

    async def launched(self, command: str = "true", **fields: Any) -> LaunchOrder:
        order = self.an_order(command, **fields)
        await self.agents.launch(order)
        return order

    async def started(self, command: str, **fields: Any) -> LaunchOrder:
        order = await self.launched(command, **fields)
        await eventually(lambda: self.known.get(order.key) and self.known[order.key].started_at, "its start")
        return order

    async def end_of(self, key: TaskKey) -> TaskEnd:
        return await eventually(lambda: self.known.get(key) and self.known[key].end, f"the end of {key}")

    async def log_of(self, order: LaunchOrder) -> bytes:
        return (await self.agents.read_log(NODE, order.log_path, 0, 1 << 20, None)).data

    async def clear(self) -> None:
        """Nothing of it outlives the test."""
        with contextlib.suppress(Exception):
            for fact in await self.agents.tasks():
                if fact.end is None:
                    await self.agents.stop(fact.node, fact.key, 0.0)
                    await self.end_of(fact.key)
                await self.agents.forget(fact.node, [fact.key])


class NatsStory(Cluster):
    """Behind a messages' server of its own members: one node, `forge`, and those that a test adds."""

    agents: NatsCluster

    def __init__(self, server: MessagesServer, folder: Path, **settings: Any) -> None:
        self.server = server
        self.settings = settings
        identity = server.add_member(NODE)
        server.reload()
        self.process = AgentProcess(folder / "data", identity)
        super().__init__(self.make_control(**settings), folder, lambda name: name)

    def make_control(self, **settings: Any) -> NatsCluster:
        usual: dict[str, Any] = {
            "fence": 1,
            "lease_s": LEASE_S,
            "members": lambda: self.server.members,
            "calls_folder": self.server.folder / "calls",
        }
        return NatsCluster([self.server.url], self.server.certificate, self.server.seed, **(usual | settings))

    def note_membership(self, node: str, state: NodeState) -> None:
        self.memberships.append((node, state))

    async def start(self) -> None:
        await self.process.start()
        await self.agents.start(self.hear, self.note_membership)
        await self.is_up()

    async def is_up(self) -> None:
        await eventually(lambda: self.agents._seats.of_node(NODE).answers, "the node is up")

    async def replace_control(self, **settings: Any) -> NatsCluster:
        """The server process was killed, and another has started."""
        await self.agents.close()
        self.agents = self.make_control(**settings)
        await self.agents.start(self.hear, self.note_membership)
        return self.agents

    async def stop(self) -> None:
        await self.agents.close()
        await self.process.stop()
        self.server.members.clear()


@asynccontextmanager
async def local_story(folder: Path) -> AsyncIterator[Cluster]:
    process = AgentProcess(folder / "data", None)
    cluster = LocalCluster(process.link, [process.agent])
    story = Cluster(cluster, folder, lambda name: str(folder / "data" / name))
    await cluster.start(story.hear)
    try:
        yield story
    finally:
        await story.clear()
        await cluster.close()


@asynccontextmanager
async def nats_story(server: MessagesServer, folder: Path, **settings: Any) -> AsyncIterator[NatsStory]:
    story = NatsStory(server, folder, **settings)
    await story.start()
    try:
        yield story
    finally:
        await story.clear()
        await story.stop()


class JoinsAnswered:
    """A desk that answers machines which want to join, and says nothing to those that leave."""

    def __init__(self, answer: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
        self.let_in = answer

    async def let_go(self, _member_id: str, _question: dict[str, Any]) -> dict[str, Any]:
        return {}


class LeavesAnswered:
    """The other way round."""

    def __init__(self, answer: Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
        self.let_go = answer

    async def let_in(self, _question: dict[str, Any]) -> dict[str, Any]:
        return {}
