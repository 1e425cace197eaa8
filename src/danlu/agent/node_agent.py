"""One node: reports facts, carries out orders, decides nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from danlu import __version__
from danlu.agent import machine
from danlu.agent.doctor import diagnose
from danlu.agent.files.job_files import remove_jobs
from danlu.agent.gpus.gpu_probe import GpuProbe, Sight
from danlu.agent.gpus.gpu_processes import TaskFinder, identify
from danlu.agent.keeper_link import FactListener, KeeperLink
from danlu.agent.logs.log_files import LogWatch, read_log_aside
from danlu.agent.logs.log_search import search_log_aside
from danlu.agent.logs.log_trimming import trim_logs_aside
from danlu.agent.ports import LOOPBACK, prepare
from danlu.agent.usage import UsageProbe
from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, GpuReading, NodeFacts
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey, UnixAccount

MOST_SEARCHES = 2


class NodeAgent:
    """The agent of the node `name`. Several simulated nodes may share one link.

    `usage` measures the machine; without it none does. `on_fact` is called with every start and end on this
    node, at least once each. `address` is where other nodes reach this one, `version` that of this agent.
    """

    def __init__(
        self,
        name: str,
        link: KeeperLink,
        probe: GpuProbe,
        *,
        usage: UsageProbe | None = None,
        simulated: bool = False,
        on_fact: FactListener | None = None,
        address: str = LOOPBACK,
        version: str = __version__,
    ) -> None:
        self.name = name
        self.address = address
        self.version = version
        self.on_fact = on_fact
        self._link = link
        self._probe = probe
        self._usage = usage
        self._simulated = simulated
        self._sight: Sight | None = None
        self._finder = TaskFinder(link.folder, link.label)
        self._living: set[TaskKey] = set()
        # Each takes a core for a while: a crowd that searches must not take the machine.
        self._searches = asyncio.Semaphore(MOST_SEARCHES)
        link.subscribe(self._hear)

    async def facts(self) -> NodeFacts:
        return NodeFacts(
            name=self.name,
            cpus=machine.cpu_count(),
            memory_mb=machine.memory_mb(),
            gpus=(await self._look()).gpus,
            boot_id=machine.boot_id(),
            simulated=self._simulated,
            runs_as_root=os.geteuid() == 0,
            device_guard="" if self._simulated else self._link.device_guard,
            stages=True,
            cpu_guard=self._link.cpu_guard,
            memory_guard=self._link.memory_guard,
        )

    async def reading(self) -> NodeReading:
        """What the node is doing now."""
        machine = await self._usage.measure() if self._usage is not None else None
        return NodeReading(await self._read_gpus(), machine)

    async def _read_gpus(self) -> tuple[GpuReading, ...]:
        """What the GPUs are doing, with who is on them."""
        readings = (await self._look()).readings
        if self._simulated or not any(reading.processes for reading in readings):
            # Who is on a GPU that is not there, only the simulation can tell.
            return readings
        # In a thread: a name may come from a directory service.
        return await asyncio.to_thread(self._identify, readings, frozenset(self._living))

    async def forget_gpu(self, index: int) -> bool:
        """Remember a GPU no longer; False unless the driver does not list it any more."""
        forgotten = await self._probe.forget(index)
        if forgotten:
            await self._look()
        return forgotten

    async def launch(self, order: LaunchOrder) -> None:
        """Start a task. Launching the same key again changes nothing."""
        sight = self._sight or await self._look()
        order = replace(
            order,
            node=self.name,
            gpu_devices=sight.devices_of(order.gpu_ids),
            gpu_names=sight.names_of(order.gpu_ids),
        )
        await self._link.launch(order)

    async def stop(self, key: TaskKey, grace_s: float) -> None:
        """Stop a task; one that has not begun never will. Its end is reported as a fact."""
        await self._link.stop(key, self.name, grace_s)

    async def tasks(self) -> list[TaskFact]:
        """All tasks of this node that have not been forgotten."""
        return [fact for fact in await self._link.list() if fact.node == self.name]

    async def forget(self, keys: Iterable[TaskKey]) -> None:
        """The ends of these tasks are safe elsewhere; drop what is kept of them here."""
        await self._link.forget(keys)

    @property
    def data_folder(self) -> Path:
        """Where Danlu keeps its own files on this node; the keeper's folder lies in it."""
        return self._link.folder.parent

    async def prepare(self) -> Prepared:
        """Say where the tasks of a job on several nodes may find each other."""
        return prepare(self.address)

    async def diagnose(self, question: Question) -> list[Finding]:
        """Look this node over."""
        link = self._link
        return await diagnose(
            question, self.data_folder, self.address, self.version, link.cpu_guard, link.memory_guard
        )

    async def remove_jobs(self, job_ids: Iterable[int]) -> list[int]:
        """Remove what Danlu keeps of these jobs; those of which nothing is left here."""
        return await remove_jobs(self._link, self.data_folder, job_ids)

    async def trim_logs(self, each: int, together: int) -> int:
        """Cut logs that hold more bytes than `each`, or all of them than `together`; what they hold then."""
        return await trim_logs_aside(self.data_folder, each, together)

    async def read_log(self, path: str, offset: int, limit: int, account: UnixAccount | None) -> LogChunk:
        return await read_log_aside(path, offset, limit, account)

    async def search_log(self, path: str, account: UnixAccount | None, search: LogSearch) -> LogSearched:
        async with self._searches:
            return await search_log_aside(path, account, search)

    def watch_log(self, path: str, account: UnixAccount | None) -> LogWatch:
        return LogWatch(path, account)

    async def _look(self) -> Sight:
        self._sight = await self._probe.look()
        return self._sight

    def _identify(
        self, readings: tuple[GpuReading, ...], living: frozenset[TaskKey]
    ) -> tuple[GpuReading, ...]:
        return tuple(
            replace(reading, processes=identify(reading.processes, self._finder, living))
            for reading in readings
        )

    def _hear(self, fact: TaskFact) -> None:
        if fact.node != self.name:
            return
        if fact.end is None:
            self._living.add(fact.key)
        else:
            self._living.discard(fact.key)
        if self.on_fact is not None:
            self.on_fact(fact)
