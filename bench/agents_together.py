"""Many agents in one process, as the server sees them: each is a member with a key, a line and a lease of its
own. Only what is behind them is made up: there is no keeper, and a task has ended as soon as it was launched.

Told what to do by lines on its standard input, and answers each with a line (see `many_agents.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from danlu import __version__
from danlu.agent import machine
from danlu.agent.gpus.simulation import SimulatedGpus, SimulatedTasks, SimulatedUsage
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.node_agent import NodeAgent
from danlu.cluster.connection import Connection
from danlu.cluster.joining import JOIN_ASK, fetch_certificate
from danlu.cluster.keys import make_seed, public_key_of
from danlu.cluster.messages import pack, unpack
from danlu.cluster.nats_config import JOIN_USER
from danlu.cluster.node.agent_service import AgentService
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, FindingLevel
from danlu.core.task import LaunchOrder, TaskEnd, TaskEnding, TaskFact, TaskKey

JOIN_S = 120.0
AT_ONCE = 16
"""So many connect at the same moment; a site's machines do not start all at once either."""


class Tally:
    """What all agents of this process did."""

    def __init__(self) -> None:
        self.beats = 0
        self.launched = 0
        self.calls: Counter[str] = Counter()
        self.compared: list[tuple[float, str]] = []
        """When which node was asked for its tasks."""


class KeeperOfNothing(KeeperLink):
    """Runs nothing: what is launched has ended well at once."""

    def __init__(self, folder: Path, tally: Tally) -> None:
        super().__init__(folder)
        self._facts: dict[TaskKey, TaskFact] = {}
        self._tally = tally

    async def launch(self, order: LaunchOrder) -> None:
        if order.key not in self._facts:
            self._tally.launched += 1
            now = time.time()
            end = TaskEnd(TaskEnding.EXITED, now, wait_status=0)
            fact = self._facts[order.key] = TaskFact(order.key, order.node, started_at=now, end=end)
            self._pass_on(fact)

    async def stop(self, key: TaskKey, node: str, grace_s: float) -> None:
        pass

    async def list(self) -> list[TaskFact]:
        return list(self._facts.values())

    async def forget(self, keys: Iterable[TaskKey]) -> None:
        for key in keys:
            self._facts.pop(key, None)


class CountedAgent(AgentService):
    """Its beats and calls are counted; what a look over the machine costs is not the server's cost."""

    def __init__(self, agent: NodeAgent, identity: NodeIdentity, folder: Path, tally: Tally) -> None:
        super().__init__(agent, identity, folder, __version__, address="127.0.0.1")
        self._tally = tally

    async def _beat(self) -> None:
        await super()._beat()
        self._tally.beats += 1

    async def _answer(self, message: Any, call: dict[str, Any]) -> None:
        if call["op"] == "tasks":
            self._tally.compared.append((time.monotonic(), self._identity.node))
        await super()._answer(message, call)
        self._tally.calls[call["op"]] += 1

    async def _look_over(self, question: Question) -> list[Finding]:  # noqa: ARG002
        return [Finding("disk", FindingLevel.OK, "ok")]


def make_agent(identity: NodeIdentity, folder: Path, gpus: int, tally: Tally) -> CountedAgent:
    link = KeeperOfNothing(folder / "node", tally)
    tasks = SimulatedTasks(link.folder, identity.node)
    link.subscribe(tasks.hear)
    usage = SimulatedUsage(identity.node, machine.cpu_count(), machine.memory_mb(), tasks)
    cards = SimulatedGpus(identity.node, gpus, tasks)
    agent = NodeAgent(identity.node, link, cards, usage=usage, simulated=True)
    return CountedAgent(agent, identity, folder, tally)


async def join_all(server: str, token: str, names: list[str]) -> list[NodeIdentity]:
    """Each is let in as any machine is; the one line that they ask on is all they share."""
    url, secret = f"tls://{server}", token.partition(".")[0]
    certificate = await fetch_certificate(url)
    line = Connection([url], certificate, name="strangers", inbox=JOIN_USER, user=JOIN_USER)
    line.start()
    await line.wait_up()
    joined = []
    for name in names:
        seed = make_seed()
        question = {
            "secret": secret,
            "node": name,
            "public_key": public_key_of(seed),
            "version": __version__,
        }
        answer, _ = unpack(await line.request(JOIN_ASK, pack(question), JOIN_S))
        if "error" in answer:
            raise SystemExit(f"{name} was not let in: {answer['error']}")
        joined.append(NodeIdentity(answer["id"], answer["node"], tuple(answer["servers"]), certificate, seed))
    await line.close()
    return joined


async def obey() -> None:
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    tally = Tally()
    identities: list[NodeIdentity] = []
    serving: list[asyncio.Task[None]] = []
    while line := await lines.readline():
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        if asked["do"] == "join":
            identities = await join_all(asked["server"], asked["token"], asked["names"])
        elif asked["do"] == "serve":
            folder = Path(asked["folder"])
            for number, identity in enumerate(identities, 1):
                own = folder / identity.node
                own.mkdir()
                agent = make_agent(identity, own, asked["gpus"], tally)
                serving.append(asyncio.create_task(agent.run()))
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0.05)
        else:
            answer = {
                "beats": tally.beats,
                "launched": tally.launched,
                "calls": dict(tally.calls),
                "compared": tally.compared,
                "ended": sum(task.done() for task in serving),
            }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def main() -> None:
    import uvloop

    logging.basicConfig(level=logging.WARNING)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(obey())


if __name__ == "__main__":
    main()
