"""What the nodes are doing, for all who have the stream of events open: made once per look, from memory.

Each node is kept as a piece of JSON with the number of the look that changed it. A reader that saw everything
up to some look gets the pieces that are newer: one that is too slow for every look misses only what is no
longer true.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from danlu.api.views.node_views import show_readings
from danlu.control.control import Control
from danlu.control.telemetry.reading_changes import settle_gpu, settle_machine
from danlu.core.holding import Holding
from danlu.core.nodes.node import GpuReading, Node
from danlu.core.nodes.readings import MachineReading
from danlu.wire.nodes.node import NodeReadingRow

AT_A_TIME = 25
"""So many nodes are looked at before others get their turn."""


@dataclass(frozen=True, slots=True)
class _Facts:
    """All that a row is made of."""

    node: Node
    holdings: tuple[Holding, ...]
    readings: Mapping[int, GpuReading]
    machine: MachineReading | None


@dataclass(frozen=True, slots=True)
class _Told:
    facts: _Facts
    row: NodeReadingRow
    json: bytes
    version: int


class ReadingsFeed:
    """`version` grows with every look that found something new. Looks only while there are listeners."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._listeners: set[Callable[[], None]] = set()
        self._told: dict[str, _Told] = {}
        self._made: dict[int, bytes] = {}
        self._at = 0.0
        self._queue_version = 0
        self._one_at_a_time = asyncio.Lock()
        self.version = 0

    @asynccontextmanager
    async def listen(self, on_news: Callable[[], None]) -> AsyncIterator[None]:
        """Have `on_news` called whenever `version` grows."""
        if not self._listeners:
            self._control.monitor.on_look.append(self._look)
        self._listeners.add(on_news)
        try:
            await self._look()
            yield
        finally:
            self._listeners.discard(on_news)
            if not self._listeners:
                self._control.monitor.on_look.remove(self._look)

    async def follow(self) -> AsyncIterator[bytes]:
        """The readings of all nodes, then of those that changed, each time as one piece of JSON."""
        news = asyncio.Event()
        shown = 0
        async with self.listen(news.set):
            while True:
                if self.version > shown:
                    readings, shown = self.json_after(shown), self.version
                    yield readings
                await news.wait()
                news.clear()

    def json_after(self, seen: int) -> bytes:
        """`Readings` with every node that has changed since the version `seen`; 0: with all."""
        if seen not in self._made:
            pieces = b",".join(told.json for told in self._told.values() if told.version > seen)
            head = f'{{"at":{self._at:.3f},"queue_version":{self._queue_version},"nodes":['.encode()
            self._made[seen] = head + pieces + b"]}"
        return self._made[seen]

    async def _look(self) -> None:
        async with self._one_at_a_time:
            await self._control.board.refresh()
            version, at = self.version + 1, self._control.clock()
            after: dict[str, _Told] = {}
            for number, (node, holdings) in enumerate(self._control.board.places(), 1):
                before = self._told.get(node.name)
                after[node.name] = _tell(self._settle(node, holdings, before), before, version)
                if number % AT_A_TIME == 0:
                    await asyncio.sleep(0)
            self._told = after
            queue_version = self._control.scheduling_loop.queue_version
            if queue_version != self._queue_version or any(
                told.version == version for told in after.values()
            ):
                self.version, self._at, self._queue_version = version, at, queue_version
                self._made.clear()
                for on_news in self._listeners:
                    on_news()

    def _settle(self, node: Node, holdings: tuple[Holding, ...], told: _Told | None) -> _Facts:
        monitor = self._control.monitor
        known = told.facts if told is not None else None
        readings = {
            index: settle_gpu(known.readings.get(index) if known else None, reading)
            for index, reading in monitor.readings.get(node.name, {}).items()
        }
        machine = settle_machine(known.machine if known else None, monitor.machines.get(node.name))
        return _Facts(node, holdings, readings, machine)


def _tell(facts: _Facts, told: _Told | None, version: int) -> _Told:
    """What to tell of a node now: the same as before as long as a person would see no difference."""
    if told is not None and told.facts == facts:
        return told
    row = show_readings(facts.node, facts.holdings, facts.readings, facts.machine)
    if told is not None and told.row == row:
        return _Told(facts, row, told.json, told.version)
    return _Told(facts, row, _adapter().dump_json(row), version)


@cache
def _adapter() -> TypeAdapter[NodeReadingRow]:
    return TypeAdapter(NodeReadingRow)
