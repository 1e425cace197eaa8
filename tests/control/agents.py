"""Clusters made of paper. `RecordingAgents` behaves; the others are named by their fault."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

from danlu.cluster.agents import OnFact, Watch
from danlu.core.log_search import LogSearch, LogSearched
from danlu.core.node import Gpu, GpuReading, NodeFacts
from danlu.core.readings import MachineReading, NodeReading
from danlu.core.task import Ending, LaunchOrder, LogChunk, TaskEnd, TaskFact, TaskKey


def a_machine(name: str = "forge", gpus: int = 4, cpus: int = 16, boot_id: str = "boot-1") -> NodeFacts:
    cards = tuple(Gpu(n, f"GPU-{name}-{n}", "H200", 141_000) for n in range(gpus))
    return NodeFacts(name, cpus, 64_000, cards, boot_id, simulated=True)


class RecordingAgents:
    """Does as it is told and writes down what it was told. Tasks start and end when the test says so;
    a task that is told to stop is gone at once."""

    is_one_machine = False

    def __init__(self, *machines: NodeFacts, now: float = 1_000.0) -> None:
        self.machines = list(machines or [a_machine()])
        self.known: dict[TaskKey, TaskFact] = {}
        self.launched: list[LaunchOrder] = []
        self.stopped: list[TaskKey] = []
        self.forgotten: list[TaskKey] = []
        self.grace_s: dict[TaskKey, float] = {}
        self.on_gpus: dict[tuple[str, int], GpuReading] = {}
        self.usage: dict[str, MachineReading] = {}
        self.gone_gpus: set[tuple[str, int]] = set()
        self._refused: set[TaskKey] = set()
        self._now = now
        self._on_fact: OnFact | None = None

    def begins(self, key: TaskKey) -> None:
        """Its command runs now."""
        self._learn(replace(self.known[key], started_at=self._now))

    def ends(self, key: TaskKey, code: int = 0) -> None:
        """Its command comes to its own end."""
        self.ends_with(key, TaskEnd(Ending.EXITED, self._now, wait_status=code << 8))

    def ends_with(self, key: TaskKey, end: TaskEnd) -> None:
        self._learn(replace(self.known[key], end=end))

    def tell(self, fact: TaskFact) -> None:
        """Say something, true or not."""
        if self._on_fact is not None:
            self._on_fact(fact)

    def _learn(self, fact: TaskFact) -> None:
        self.known[fact.key] = fact
        self.tell(fact)

    async def start(self, on_fact: OnFact) -> None:
        self._on_fact = on_fact

    async def close(self) -> None:
        self._on_fact = None

    async def nodes(self) -> list[NodeFacts]:
        return list(self.machines)

    async def readings(self) -> dict[str, NodeReading]:
        return {machine.name: self._reading_of(machine) for machine in self.machines}

    def _reading_of(self, machine: NodeFacts) -> NodeReading:
        """What the test says of a GPU; else it is idle."""
        gpus = tuple(
            self.on_gpus.get((machine.name, gpu.index)) or GpuReading(gpu.index, gpu.uuid, gpu.memory_mb)
            for gpu in machine.gpus
        )
        return NodeReading(gpus, self.usage.get(machine.name))

    async def forget_gpu(self, node: str, index: int) -> bool:
        return (node, index) in self.gone_gpus

    async def launch(self, order: LaunchOrder) -> None:
        self.launched.append(order)
        if order.key not in self._refused:
            self.known.setdefault(order.key, TaskFact(order.key, order.node))

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        self.stopped.append(key)
        self.grace_s[key] = grace_s
        fact = self.known.get(key)
        if fact is None:
            self._refused.add(key)
            self._learn(TaskFact(key, node, end=TaskEnd(Ending.NEVER_STARTED, self._now)))
        elif fact.end is None:
            self._learn(replace(fact, end=TaskEnd(Ending.STOPPED, self._now, wait_status=15)))

    async def tasks(self) -> list[TaskFact]:
        return list(self.known.values())

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        for key in keys:
            self.forgotten.append(key)
            self.known.pop(key, None)

    async def read_log(self, node: str, path: str, offset: int, limit: int, uid: int | None) -> LogChunk:
        return LogChunk(b"", 0, 0)

    async def search_log(self, node: str, path: str, uid: int | None, search: LogSearch) -> LogSearched:
        return LogSearched((), None, 0)

    @asynccontextmanager
    async def watch_log(self, node: str, path: str) -> AsyncIterator[Watch]:
        raise FileNotFoundError(path)
        yield


class DeafAgents(RecordingAgents):
    """Cannot be reached with an order until somebody mends the line."""

    deaf = True

    async def launch(self, order: LaunchOrder) -> None:
        if self.deaf:
            raise ConnectionError("nobody answers")
        await super().launch(order)

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        if self.deaf:
            raise ConnectionError("nobody answers")
        await super().stop(node, key, grace_s)


class ForgetfulAgents(RecordingAgents):
    """Says yes to the first launch, and forgets it."""

    async def launch(self, order: LaunchOrder) -> None:
        await super().launch(order)
        if len(self.launched) == 1:
            del self.known[order.key]


class SilentAgents(RecordingAgents):
    """Never reports anything by itself; it knows when asked."""

    def tell(self, fact: TaskFact) -> None:
        pass


class StubbornAgents(RecordingAgents):
    """Its tasks do not end when told to."""

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        self.stopped.append(key)
        self.grace_s[key] = grace_s
