"""Words for stories about a node: a task is launched, something happens, and its end is known."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from danlu.agent.gpus.simulation import SimulatedGpus
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.keeper_process import keeper_argv
from danlu.agent.node_agent import NodeAgent
from danlu.control.identity.accounts import own_account
from danlu.core.task import LaunchOrder, TaskEnd, TaskFact, TaskKey

PATIENCE_S = 20.0


class Node:
    """One node with its keeper, in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        mode: str = "auto",
        argv: Any = keeper_argv,
        roots: tuple[str, ...] = (),
        name: str = "furnace-1",
    ):
        self.name = name
        self.folder = folder
        self.keeper_folder = folder / "keeper"
        self.known: dict[TaskKey, TaskFact] = {}
        self._changed = asyncio.Condition()
        self.link = KeeperLink(self.keeper_folder, cgroup_mode=mode, environment_roots=roots, argv=argv)
        self.agent = NodeAgent(name, self.link, SimulatedGpus(name, 4), simulated=True, on_fact=self._hear)
        self._next_job = 1
        self._hearing: set[asyncio.Task[None]] = set()

    def a_task(self, command: str = "true", **fields: Any) -> LaunchOrder:
        key = fields.pop("key", None) or TaskKey(self._next_job, 1, 0)
        self._next_job += 1
        settings: dict[str, Any] = {
            "node": self.name,
            "job_name": "melting",
            "user": "li",
            "directory": str(self.folder),
            "log_path": str(self.folder / "logs" / f"{key}.log"),
            "grace_s": 0.3,
            "account": own_account(),
        }
        return LaunchOrder(key=key, command=command, **(settings | fields))

    async def run(self, command: str = "true", **fields: Any) -> TaskEnd:
        order = self.a_task(command, **fields)
        await self.agent.launch(order)
        return await self.end_of(order.key)

    async def output_of(self, command: str, **fields: Any) -> str:
        """What a task that must succeed writes to its log."""
        order = self.a_task(command, **fields)
        await self.agent.launch(order)
        end = await self.end_of(order.key)
        output = self.log(order)
        assert end.wait_status == 0, (end, output)
        return output

    async def started(self, command: str, **fields: Any) -> LaunchOrder:
        """A task that runs by now."""
        order = self.a_task(command, **fields)
        await self.agent.launch(order)
        await self._until(lambda: order.key in self.known and self.known[order.key].started_at is not None)
        return order

    async def end_of(self, key: TaskKey, within_s: float = PATIENCE_S) -> TaskEnd:
        await self._until(lambda: key in self.known and self.known[key].end is not None, within_s)
        end = self.known[key].end
        assert end is not None
        return end

    def log(self, order: LaunchOrder) -> str:
        return Path(order.log_path).read_text()

    def wrapper_of(self, key: TaskKey) -> int:
        return int(os.readlink(self.keeper_folder / "tasks" / f"{key}.claim").split()[1])

    def keeper(self) -> int | None:
        for entry in Path("/proc").iterdir():
            try:
                if (
                    (entry / "comm").read_text() == "danlu keeper\n"
                    and str(self.keeper_folder) in (entry / "cmdline").read_text().split("\0")
                    and (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                ):
                    return int(entry.name)
            except (OSError, ValueError):
                continue
        return None

    async def kill_keeper(self) -> None:
        """kill -9, and wait until the link has got itself a new one."""
        old = self.keeper()
        assert old is not None
        os.kill(old, signal.SIGKILL)
        await eventually(lambda: self.keeper() not in (None, old))
        await self.agent.tasks()

    async def retire_keeper(self) -> None:
        """Have the keeper leave, as an agent does with one that is too old; its tasks go on."""
        await self.link.close()
        await retire_keeper(self.keeper_folder)

    async def _until(self, condition: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
        async with asyncio.timeout(within_s), self._changed:
            await self._changed.wait_for(condition)

    def _hear(self, fact: TaskFact) -> None:
        self.known[fact.key] = fact
        task = asyncio.get_running_loop().create_task(self._wake())
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()


async def retire_keeper(folder: Path) -> None:
    """Ask it over its own socket, and return when it has hung up. Without a keeper nothing is to be done."""
    entered = os.open(folder, os.O_PATH)
    try:
        reader, writer = await asyncio.open_unix_connection(f"/proc/self/fd/{entered}/socket")
        writer.write(b'{"id": 1, "op": "retire"}\n')
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.close()
    except (FileNotFoundError, ConnectionError):
        pass
    finally:
        os.close(entered)


async def eventually(condition: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        await asyncio.sleep(0.01)


def is_alive(pid: int, word: str) -> bool:
    """Whether the process lives and has `word` in its command line."""
    try:
        return word in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
