"""Words for stories about a gang: one task on each of several nodes with folders and keepers of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from danlu.agent.ports import prepare
from danlu.core.task import Gang, GangMember, LaunchOrder, TaskEnd, TaskKey
from tests.agent.story import Node

LOOPBACK = "127.0.0.1"
FRAMEWORKS_S = 100.0
"""They take their time to be imported."""

FOLLOWING_THE_FIRST = ("mpi", "ray")


class GangStory:
    """Nodes that share a working directory, as they do on a cluster."""

    def __init__(self, folder: Path, addresses: Sequence[str] = (LOOPBACK, LOOPBACK)) -> None:
        self.directory = folder / "shared"
        self.directory.mkdir()
        self.addresses = addresses
        self.nodes = [Node(folder / f"n{rank}", name=f"n{rank}") for rank in range(len(addresses))]
        self._next_job = 1

    async def __aenter__(self) -> GangStory:
        for node in self.nodes:
            node.folder.mkdir()
            await node.link.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for node in self.nodes:
            for fact in await node.agent.tasks():
                if fact.end is None:
                    await node.agent.stop(fact.key, grace_s=0)
                    await node.end_of(fact.key)
            await node.retire_keeper()

    def orders(self, command: str, launcher: str = "plain", **fields: Any) -> list[LaunchOrder]:
        gpu_ids = fields.get("gpu_ids", ())
        ports = prepare(self.addresses[0])
        members = [
            GangMember(node.name, address, len(gpu_ids))
            for node, address in zip(self.nodes, self.addresses, strict=True)
        ]
        gang = Gang(tuple(members), ports.port, ports.second_port, launcher)
        job, self._next_job = self._next_job, self._next_job + 1
        settings = {
            "directory": str(self.directory),
            "checkpoint_dir": str(self.directory / ".danlu" / "checkpoints" / str(job)),
            "gang": gang,
        }
        return [
            node.a_task(command, key=TaskKey(job, 1, rank), **(settings | fields))
            for rank, node in enumerate(self.nodes)
        ]

    async def launch(self, orders: Sequence[LaunchOrder]) -> None:
        for node, order in zip(self.nodes, orders, strict=True):
            await node.agent.launch(order)

    async def run(self, command: str, launcher: str = "plain", **fields: Any) -> list[TaskEnd]:
        """All their ends; where the others follow the first, they are stopped after it."""
        orders = self.orders(command, launcher, **fields)
        await self.launch(orders)
        ends = [await self.nodes[0].end_of(orders[0].key, FRAMEWORKS_S)]
        for node, order in list(zip(self.nodes, orders, strict=True))[1:]:
            if launcher in FOLLOWING_THE_FIRST:
                await node.agent.stop(order.key, grace_s=2)
            ends.append(await node.end_of(order.key, FRAMEWORKS_S))
        return ends

    async def outputs_of(self, command: str, launcher: str = "plain", **fields: Any) -> list[str]:
        """What each of them wrote; all must succeed."""
        orders = self.orders(command, launcher, **fields)
        await self.launch(orders)
        pairs = list(zip(self.nodes, orders, strict=True))
        ends = await asyncio.gather(*[node.end_of(order.key, FRAMEWORKS_S) for node, order in pairs])
        outputs = [node.log(order) for node, order in pairs]
        assert [end.wait_status for end in ends] == [0] * len(ends), (ends, outputs)
        return outputs
