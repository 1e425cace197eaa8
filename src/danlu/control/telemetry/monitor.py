"""Watches what the nodes are doing: how busy they are, who is on their GPUs, and whether those are well.

Readings are of the moment and stay in memory, for an hour; `usage_recorder` writes down what outlives the
server. What is wrong with a GPU is written down at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from danlu.cluster.server.agents import Agents
from danlu.control.event_bus import EventBus
from danlu.control.running.gpu_faults import Readings, find_lost, order_stops
from danlu.control.running.latest_readings import LatestReadings
from danlu.control.running.order_sending import OrderSending
from danlu.control.telemetry.readings_history import ReadingsHistory
from danlu.core.nodes.node import is_foreign_busy
from danlu.core.nodes.readings import MachineReading
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.nodes.node_rows import drop_gpu, note_faults

log = logging.getLogger(__name__)

NOTEWORTHY_MB = 256
"""So much memory more or less may let a job share a GPU, or not."""


class GpuMonitor:
    """`readings` and `machines` are the latest look at the nodes that can be reached; `wake` is called when
    one of them may change what the scheduler would do, and `on_look` after every look.

    `watch_memory` says whether a job waits for a part of a GPU's memory; else its ups and downs are no
    news.
    """

    def __init__(
        self,
        database: Database,
        bus: EventBus,
        agents: Agents,
        sending: OrderSending,
        latest: LatestReadings,
        settings: Settings,
        wake: Callable[[], None],
        watch_memory: Callable[[], bool],
        clock: Callable[[], float],
    ) -> None:
        self._latest = latest
        self.history = ReadingsHistory()
        self.looks = 0
        self.on_look: list[Callable[[], Awaitable[None]]] = []
        self._watch_memory = watch_memory
        self._database = database
        self._agents = agents
        self._sending = sending
        self._settings = settings
        self._wake = wake
        self._bus = bus
        self._clock = clock
        self._ended_on: tuple[Mapping[tuple[str, int], str], int] = ({}, 0)
        self._written: dict[str, dict[int, str]] = {}
        self._scheduled_with: Readings = {}

    @property
    def readings(self) -> Readings:
        return self._latest.gpus

    @property
    def machines(self) -> Mapping[str, MachineReading]:
        return self._latest.machines

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._settings.gpu_poll_s)
            try:
                await self.look()
            except Exception:
                log.exception("could not look at the GPUs")

    async def look(self) -> None:
        """One look at all nodes, and whatever follows from it."""
        found = await self._agents.readings()
        self._latest.gpus = {
            node: {gpu.index: gpu for gpu in reading.gpus} for node, reading in found.items()
        }
        self._latest.machines = {
            node: reading.machine for node, reading in found.items() if reading.machine is not None
        }
        self.looks += 1
        self.history.note(self._clock(), found)
        await self._write_faults(self.readings)
        if lost := find_lost(self.readings):
            await self._end_jobs_on(lost)
        if matters(self._scheduled_with, self.readings, watch_memory=self._watch_memory()):
            self._scheduled_with = self.readings
            self._wake()
        for tell in tuple(self.on_look):
            await tell()

    async def forget_gpu(self, node: str, index: int, actor: str) -> None:
        """Drop a GPU that is gone for good; one that may come back any moment stays."""
        if await self._agents.forget_gpu(node, index):
            await self._database.write(partial(drop_gpu, name=node, index=index, actor=actor))

    async def _write_faults(self, readings: Readings) -> None:
        for node, cards in readings.items():
            faults = {index: reading.fault for index, reading in cards.items() if reading.fault}
            if self._written.get(node) != faults:
                await self._database.write(partial(note_faults, name=node, faults=faults))
                self._written[node] = faults

    async def _end_jobs_on(self, lost: Mapping[tuple[str, int], str]) -> None:
        """Stop every job that holds a GPU which is lost. Looked at anew whenever anything was committed: one
        may have been placed there a moment ago."""
        asked = lost, self._bus.commits
        if asked == self._ended_on:
            return
        stops = await self._database.write(lambda tx: order_stops(tx, lost))
        await self._sending.stop(stops)
        self._ended_on = asked


def matters(before: Readings, after: Readings, *, watch_memory: bool) -> bool:
    """Whether the scheduler might decide otherwise with `after` than it did with `before`."""
    if _busy_or_broken(before) != _busy_or_broken(after):
        return True
    if not watch_memory:
        return False
    used_mb = _used_mb(before)
    return any(abs(mb - used_mb.get(gpu, 0)) > NOTEWORTHY_MB for gpu, mb in _used_mb(after).items())


def _busy_or_broken(readings: Readings) -> dict[tuple[str, int], tuple[bool, bool]]:
    """What keeps a GPU from jobs, for each that has something."""
    return {
        (node, index): (is_foreign_busy(reading), bool(reading.fault))
        for node, cards in readings.items()
        for index, reading in cards.items()
        if reading.fault or is_foreign_busy(reading)
    }


def _used_mb(readings: Readings) -> dict[tuple[str, int], int]:
    return {(node, index): each.used_mb for node, cards in readings.items() for index, each in cards.items()}
