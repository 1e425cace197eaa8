"""A backup with logs holds the logs of all nodes, and names what it could not get."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from danlu.agent.logs.log_files import read_log
from danlu.cluster.server.agents import NodeUnreachable
from danlu.control.system.backups import ROOTS
from danlu.core.states import ENDED
from danlu.core.task import LogChunk, UnixAccount
from danlu.store.archive.backup import LeftOut
from danlu.store.archive.restoring import unpack
from tests.control.agents import LeasedAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.test_control_removals import run_to_end
from tests.control.world import World
from tests.store.builders import HandClock


class NodesWithDisks(LeasedAgents):
    """Each node's files lie in a folder of its name; nodes that are `cut_off` do not answer for theirs, and
    those that break off give no more than a first piece."""

    def __init__(self, disks: Path, *machines: Any, **more: Any) -> None:
        super().__init__(*machines, **more)
        self.disks = disks
        self.cut_off: set[str] = set()
        self.breaking_off: set[str] = set()
        self.asked: list[tuple[str, str]] = []

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        self.asked.append((node, path))
        if node in self.cut_off or (node in self.breaking_off and offset):
            raise NodeUnreachable(node)
        return read_log(str(self.disks / node / path), offset, min(limit, 1000), account)

    def write(self, node: str, path: str, data: bytes) -> Path:
        file = self.disks / node / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file


async def open_cluster(open_world: OpenWorld, tmp_path: Path) -> tuple[World, NodesWithDisks]:
    clock = HandClock()
    machines = [a_machine(name, gpus=1, leased=True) for name in ("n1", "n2")]
    agents = NodesWithDisks(tmp_path / "disks", *machines, monotonic=clock)
    return await open_world(agents, lease_s=15.0, monotonic=clock), agents


async def backup(world: World, tmp_path: Path) -> Path:
    archive = tmp_path / "backup.tar.gz"
    async with world.control.backups.open(with_logs=True, actor="ann") as pieces:
        archive.write_bytes(b"".join([piece async for piece in pieces]))
    return archive


async def run_on(world: World, agents: NodesWithDisks, node: str, **fields: Any) -> int:
    job_id = await world.submit(gpus=1, node=node, **fields)
    await run_to_end(world, agents, job_id)
    await world.until(job_id, *ENDED)
    return job_id


async def test_the_logs_of_all_nodes_are_in_it(open_world: OpenWorld, tmp_path: Path) -> None:
    world, agents = await open_cluster(open_world, tmp_path)
    one, two = await run_on(world, agents, "n1"), await run_on(world, agents, "n2")
    elsewhere = await run_on(world, agents, "n2", stdout="/work/of/the/user.log")
    agents.write("n1", f"logs/{one}/1.log", b"one\n" * 1000)
    blown_up = agents.write("n2", f"logs/{two}/1.log", b"two\n")
    os.truncate(blown_up, 8 << 40)
    with blown_up.open("ab") as file:
        file.write(b"behind the hole\n")
    agents.write("n2", f"results/{two}/1", bytes(5000) + b"result")
    goal = tmp_path / "goal"
    goal.mkdir()
    manifest = unpack(await backup(world, tmp_path), goal, ROOTS)
    assert (goal / f"logs/{one}/1.log").read_bytes() == b"one\n" * 1000
    kept = (goal / f"logs/{two}/1.log").read_bytes()
    assert kept.replace(b"\0", b"") == b"two\nbehind the hole\n"
    assert len(kept) < 10_000
    assert (goal / f"results/{two}/1").read_bytes() == bytes(5000) + b"result"
    assert manifest.left_out == []
    assert not any(f"logs/{elsewhere}/" in path for _, path in agents.asked)


async def test_what_a_node_does_not_give_is_named(open_world: OpenWorld, tmp_path: Path) -> None:
    world, agents = await open_cluster(open_world, tmp_path)
    one = await run_on(world, agents, "n1")
    lost = [await run_on(world, agents, "n2") for _ in range(3)]
    agents.write("n1", f"logs/{one}/1.log", b"x" * 3000)
    agents.breaking_off.add("n1")
    agents.cut_off.add("n2")
    goal = tmp_path / "goal"
    goal.mkdir()
    manifest = unpack(await backup(world, tmp_path), goal, ROOTS)
    assert (goal / f"logs/{one}/1.log").read_bytes() == b"x" * 1000 + bytes(2000)
    assert manifest.left_out == [
        LeftOut(f"logs/{one}/1.log", "n1", "broken_off"),
        *(LeftOut(f"logs/{job_id}/1.log", "n2", "unreachable") for job_id in lost),
    ]
    assert [node for node, _ in agents.asked].count("n2") == 1, "one that does not answer is asked once"
    assert world.control.backups.last == manifest
