"""Nodes to try Danlu with, where there are none: GPUs that do not exist, as busy as the tasks that hold them.

The tasks are real; what their GPUs and machines are said to do is made up here and nowhere else. It follows
from the task, the place and the time alone, and what is idle stands still.
"""

from __future__ import annotations

import asyncio
import math
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from danlu.agent.gpus.gpu_probe import Sight
from danlu.agent.keeper.spec import Order
from danlu.agent.keeper.task_record import TaskClaim, TaskRecord
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading
from danlu.core.nodes.readings import DiskReading, MachineReading
from danlu.core.task import TaskFact, TaskKey

Clock = Callable[[], float]

CARD_MB = 24 * 1024
UNASKED_SHARE = 8
"""A task that did not say how much memory it needs takes this part of a card: little enough for others to
share it as they could if nothing were measured."""
IDLE_C, IDLE_W = 30, 25.0
HOT_C, FULL_W, LIMIT_W = 74, 285.0, 300.0
WARM_UP_S = 45.0
GB = 10**9


@dataclass(frozen=True, slots=True)
class SimulatedTask:
    key: TaskKey
    user: str
    pid: int
    started_at: float
    gpu_ids: tuple[int, ...]
    gpu_memory_mb: int

    def age_s(self, now: float) -> float:
        return max(now - self.started_at, 0.0)

    def used_mb(self, now: float) -> int:
        """On each of its GPUs; never more than it asked for."""
        wanted = self.gpu_memory_mb * 0.9 if self.gpu_memory_mb else CARD_MB / UNASKED_SHARE
        return int(wanted * (0.4 + 0.6 * _rise(self.age_s(now), 5.0)))


class SimulatedTasks:
    """The tasks that run on one simulated node, as the keeper's records have them."""

    def __init__(self, folder: Path, node: str) -> None:
        self._records = folder / "tasks"
        self._node = node
        self._started: dict[TaskKey, float] = {}
        self._known: dict[TaskKey, SimulatedTask] = {}

    def hear(self, fact: TaskFact) -> None:
        if fact.node != self._node:
            return
        if fact.end is not None:
            self._started.pop(fact.key, None)
            self._known.pop(fact.key, None)
        elif fact.started_at is not None:
            self._started[fact.key] = fact.started_at

    async def running(self) -> Sequence[SimulatedTask]:
        if unread := {key: at for key, at in self._started.items() if key not in self._known}:
            for task in await asyncio.to_thread(self._read, unread):
                # It may have ended meanwhile.
                if task.key in self._started:
                    self._known[task.key] = task
        return tuple(self._known.values())

    def _read(self, started: dict[TaskKey, float]) -> list[SimulatedTask]:
        found = []
        for key, started_at in started.items():
            record = TaskRecord(str(self._records / str(key)))
            spec, claim = record.read_spec(), record.read_claim()
            if spec is not None and spec["order"] is not None and isinstance(claim, TaskClaim):
                found.append(_task_of(key, spec["order"], claim.process.pid, started_at))
        return found


def _task_of(key: TaskKey, order: Order, pid: int, started_at: float) -> SimulatedTask:
    account = order["account"]
    is_mapped = account is not None and not account.get("is_servers_own")
    user = account["name"] if account is not None and is_mapped else order["user"]
    return SimulatedTask(key, user, pid, started_at, tuple(order["gpu_ids"]), order.get("gpu_memory_mb", 0))


class SimulatedGpus:
    """GPUs of a simulated node. Their UUIDs are the same on every start."""

    def __init__(
        self, node: str, count: int, tasks: SimulatedTasks | None = None, clock: Clock = time.time
    ) -> None:
        self._tasks = tasks
        self._clock = clock
        self._gpus = tuple(
            Gpu(
                index=index,
                uuid=f"SIM-{uuid.uuid5(uuid.NAMESPACE_DNS, f'{index}.{node}')}",
                name="Simulated GPU",
                memory_mb=CARD_MB,
            )
            for index in range(count)
        )

    async def look(self) -> Sight:
        running = await self._tasks.running() if self._tasks is not None else ()
        now = self._clock()
        return Sight(self._gpus, tuple(read_gpu(gpu, running, now) for gpu in self._gpus))

    async def forget(self, index: int) -> bool:  # noqa: ARG002
        return False


def read_gpu(gpu: Gpu, running: Sequence[SimulatedTask], now: float) -> GpuReading:
    here = [task for task in running if gpu.index in task.gpu_ids]
    heat = max((_rise(task.age_s(now), WARM_UP_S) for task in here), default=0.0)
    load = min(sum(_load(gpu.uuid, task, now) for task in here), 100)
    processes = tuple(
        GpuProcess(task.pid, task.user, "python", task.used_mb(now), task.key.job) for task in here
    )
    return GpuReading(
        index=gpu.index,
        uuid=gpu.uuid,
        memory_mb=gpu.memory_mb,
        used_mb=sum(process.memory_mb for process in processes),
        load=load,
        temperature_c=round(IDLE_C + (HOT_C - IDLE_C) * heat * load / 100),
        power_w=round(IDLE_W + (FULL_W - IDLE_W) * load / 100, 1),
        power_limit_w=LIMIT_W,
        processes=processes,
    )


def _load(place: str, task: SimulatedTask, now: float) -> int:
    """A training loads its data, computes, and now and then looks at how well it does."""
    phase = _chance(f"{place} {task.key}")
    busy = 86 + 9 * _wave(now, 23.0, phase) + 4 * _wave(now, 7.0, 2 * phase)
    evaluating = _wave(now, 120.0, phase) > 0.97
    return round(max(busy * (0.5 if evaluating else 1.0) * _rise(task.age_s(now) + 1.0, 1.5), 1))


class SimulatedUsage:
    """The machine of a simulated node: as large as the real one, as busy as its tasks would make it."""

    def __init__(
        self, node: str, cpus: int, memory_mb: int, tasks: SimulatedTasks, clock: Clock = time.time
    ) -> None:
        self._node = node
        self._cpus = cpus
        self._memory_mb = memory_mb
        self._tasks = tasks
        self._clock = clock

    async def measure(self) -> MachineReading:
        return read_machine(
            self._node, self._cpus, self._memory_mb, await self._tasks.running(), self._clock()
        )


def read_machine(
    node: str, cpus: int, memory_mb: int, running: Sequence[SimulatedTask], now: float
) -> MachineReading:
    chance = _chance(node)
    busy_cpus = sum(_busy_cpus(task, now) for task in running)
    percent = min(1.0 + 100 * busy_cpus / cpus, 100.0)
    readers = [task for task in running if task.gpu_ids]
    reading = sum(45e6 * (1 + 0.6 * _wave(now, 31.0, _chance(str(task.key)))) for task in readers)
    used_mb = 0.08 * memory_mb + sum(0.05 * memory_mb * _rise(task.age_s(now), 20.0) for task in running)
    return MachineReading(
        cpu_percent=round(percent, 1),
        load_1m=round(cpus * percent / 100, 2) if running else 0.0,
        memory_used_mb=min(int(used_mb), memory_mb),
        memory_total_mb=memory_mb,
        network_in_bytes_s=round(reading),
        network_out_bytes_s=round(reading / 30),
        disks=(
            DiskReading("/", int((60 + 80 * chance) * GB), 480 * GB),
            DiskReading("/data", int((3000 + 5000 * chance) * GB), 15_000 * GB),
        ),
    )


def _busy_cpus(task: SimulatedTask, now: float) -> float:
    """One that has GPUs keeps some processors busy with feeding them."""
    wanted = 0.15 * len(task.gpu_ids) if task.gpu_ids else 0.9
    return wanted * (1 + 0.2 * _wave(now, 13.0, _chance(str(task.key))))


def _rise(age_s: float, slowness_s: float) -> float:
    """From nothing to one, quickly at first."""
    return 1 - math.exp(-age_s / slowness_s)


def _wave(now: float, length_s: float, phase: float) -> float:
    return math.sin(2 * math.pi * (now / length_s + phase))


def _chance(text: str) -> float:
    """From 0 to 1, always the same for the same text."""
    return crc32(text.encode()) / 0xFFFF_FFFF
