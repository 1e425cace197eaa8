"""Clusters made of paper. `RecordingAgents` behaves; the others are named by their fault."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from danlu.cluster.server.agents import (
    NodeUnreachable,
    OnFact,
    OnMembership,
    OnSenseless,
    Watch,
    tell_nobody,
)
from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, FindingLevel, Gpu, GpuReading, NodeFacts, NodeState
from danlu.core.nodes.readings import MachineReading, NodeReading
from danlu.core.task import (
    LaunchOrder,
    LogChunk,
    Prepared,
    TaskEnd,
    TaskEnding,
    TaskFact,
    TaskKey,
    UnixAccount,
)


def a_machine(
    name: str = "forge", gpus: int = 4, cpus: int = 16, boot_id: str = "boot-1", *, leased: bool = False
) -> NodeFacts:
    cards = tuple(Gpu(n, f"GPU-{name}-{n}", "H200", 141_000) for n in range(gpus))
    return NodeFacts(name, cpus, 64_000, cards, boot_id, simulated=True, leased=leased)


class RecordingAgents:
    """Does as it is told and writes down what it was told. Tasks start and end when the test says so;
    a task that is told to stop is gone at once."""

    is_one_machine = False
    is_connected = True

    def __init__(self, *machines: NodeFacts, now: float = 1_000.0) -> None:
        self.on_membership: OnMembership = tell_nobody
        self.on_senseless: OnSenseless = tell_nobody
        self.nonsense: dict[str, dict[str, str]] = {}
        self.machines = list(machines or [a_machine()])
        self.known: dict[TaskKey, TaskFact] = {}
        self.launched: list[LaunchOrder] = []
        self.stopped: list[TaskKey] = []
        self.forgotten: list[TaskKey] = []
        self.removed: list[tuple[str, int]] = []
        """The jobs whose files each node was told to remove."""
        self.trimmed: list[tuple[str, int, int]] = []
        """How much each node was told that its logs may hold, each of them and together."""
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
        self.ends_with(key, TaskEnd(TaskEnding.EXITED, self._now, wait_status=code << 8))

    def ends_with(self, key: TaskKey, end: TaskEnd) -> None:
        self._learn(replace(self.known[key], end=end))

    def tell(self, fact: TaskFact) -> None:
        """Say something, true or not."""
        if self._on_fact is not None:
            self._on_fact(fact)

    def _learn(self, fact: TaskFact) -> None:
        self.known[fact.key] = fact
        self.tell(fact)

    async def start(
        self,
        on_fact: OnFact,
        on_membership: OnMembership = tell_nobody,
        on_senseless: OnSenseless = tell_nobody,
    ) -> None:
        self._on_fact, self.on_membership, self.on_senseless = on_fact, on_membership, on_senseless

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

    def senseless(self) -> dict[str, dict[str, str]]:
        return self.nonsense

    def last_grants(self) -> dict[str, float]:
        return {}

    async def prepare(self, node: str, key: TaskKey) -> Prepared:
        return Prepared("127.0.0.1", 29500, 29501)

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        return [Finding("clock", FindingLevel.OK, "same", {"seconds": 0.0})]

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
            self._learn(TaskFact(key, node, end=TaskEnd(TaskEnding.NEVER_STARTED, self._now)))
        elif fact.end is None:
            self._learn(replace(fact, end=TaskEnd(TaskEnding.STOPPED, self._now, wait_status=15)))

    async def tasks(self) -> list[TaskFact]:
        return list(self.known.values())

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        for key in keys:
            self.forgotten.append(key)
            if key in self.known and self.known[key].node == node:
                del self.known[key]

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        self.removed += [(node, job_id) for job_id in job_ids]
        return list(job_ids)

    async def trim_logs(self, node: str, each: int, together: int) -> int:
        self.trimmed.append((node, each, together))
        return 0

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        return LogChunk(b"", 0, 0)

    async def search_log(
        self, node: str, path: str, account: UnixAccount | None, search: LogSearch
    ) -> LogSearched:
        return LogSearched((), None, 0)

    @asynccontextmanager
    async def watch_log(self, node: str, path: str, account: UnixAccount | None) -> AsyncIterator[Watch]:
        raise FileNotFoundError(path)
        yield


class DeafAgents(RecordingAgents):
    """Cannot be reached with an order until the test mends the connection."""

    deaf = True

    async def launch(self, order: LaunchOrder) -> None:
        if self.deaf:
            raise ConnectionError("no node answers")
        await super().launch(order)

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        if self.deaf:
            raise ConnectionError("no node answers")
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


class LeasedAgents(RecordingAgents):
    """Several machines that can be cut off, one by one. What a machine does meanwhile it does unheard; a task
    that is leased stops there when its lease runs out, if the test says so (`run_out`)."""

    def __init__(self, *machines: NodeFacts, monotonic: Callable[[], float], now: float = 1_000.0) -> None:
        super().__init__(*machines, now=now)
        self.everything = {machine.name: machine for machine in self.machines}
        self.monotonic = monotonic
        self.prepared: list[tuple[str, TaskKey]] = []
        self.unprepared: set[str] = set()
        self.granted = {name: monotonic() for name in self.everything}
        self._cut: set[str] = set()

    def beat(self) -> None:
        """All that can be heard are granted their leases anew."""
        for name in self.everything.keys() - self._cut:
            self.granted[name] = self.monotonic()

    def cut(self, node: str) -> None:
        self._cut.add(node)
        self.machines = [each for each in self.everything.values() if each.name not in self._cut]

    def lose(self, node: str) -> None:
        """It was cut off for as long as its lease."""
        self.cut(node)
        self.on_membership(node, NodeState.LOST)

    def heal(self, node: str, *, boot_id: str | None = None) -> None:
        """It is back, after a reboot perhaps: then it knows nothing of what it ran."""
        if boot_id is not None:
            self.everything[node] = replace(self.everything[node], boot_id=boot_id)
            self.known = {key: fact for key, fact in self.known.items() if fact.node != node}
        self._cut.discard(node)
        self.granted[node] = self.monotonic()
        self.machines = [each for each in self.everything.values() if each.name not in self._cut]
        self.on_membership(node, NodeState.UP)

    def run_out(self, node: str) -> None:
        """Its lease has run out: it stops what is leased."""
        leased = {order.key for order in self.launched if order.leased}
        for key, fact in list(self.known.items()):
            if fact.node == node and fact.end is None and key in leased:
                self.ends_with(key, TaskEnd(TaskEnding.LEASE_LOST, self._now))

    def tell(self, fact: TaskFact) -> None:
        if fact.node not in self._cut:
            super().tell(fact)

    def last_grants(self) -> dict[str, float]:
        return dict(self.granted)

    def _reach(self, node: str) -> None:
        if node in self._cut:
            raise NodeUnreachable(node)

    async def prepare(self, node: str, key: TaskKey) -> Prepared:
        self._reach(node)
        if node in self.unprepared:
            raise NodeUnreachable(node)
        self.prepared.append((node, key))
        return Prepared(f"10.0.0.{list(self.everything).index(node) + 1}", 29_500, 29_501)

    async def launch(self, order: LaunchOrder) -> None:
        self._reach(order.node)
        await super().launch(order)

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        self._reach(node)
        await super().stop(node, key, grace_s)

    async def tasks(self) -> list[TaskFact]:
        return [fact for fact in self.known.values() if fact.node not in self._cut]

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        self._reach(node)
        await super().forget(node, keys)

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        self._reach(node)
        return await super().remove_jobs(node, job_ids)
