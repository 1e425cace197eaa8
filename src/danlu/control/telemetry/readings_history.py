"""What the nodes were doing in the last hour: columns in memory, a few bytes for each thing measured.

A node takes 13 bytes a sample and each of its GPUs 6, at most 720 samples long: 44 kB for a node with eight
GPUs, and with Python's own share about 50 MB for a thousand of them. Stretches of them can be packed, to be
kept elsewhere, and unpacked by the next server.
"""

from __future__ import annotations

import json
import math
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from danlu.core.nodes.node import GpuReading
from danlu.core.nodes.readings import NodeReading
from danlu.wire.nodes.node import GpuHistory, NodeHistory

LONGEST_S = 3600.0
STEP_S = 5.0
"""Samples are at least so far apart, whatever the pace of the looks: a full ring is never shorter than an
hour."""
LONGEST_STEP_S = 30.0
"""Samples further apart have a gap between them: nothing was measured."""


class _Kind(NamedTuple):
    """How a number is packed: as a multiple of `unit` up to `largest`; `missing` stands for "not known"."""

    code: str
    unit: float
    largest: float
    missing: float


_PERCENT = _Kind("B", 0.5, 254, 255)
_SMALL = _Kind("B", 1, 254, 255)
_POWER_W = _Kind("H", 0.1, 0xFFFE, 0xFFFF)
_CARD_MB = _Kind("H", 8, 0xFFFE, 0xFFFF)
"""Up to half a terabyte on one card."""
_MACHINE_MB = _Kind("I", 1, 0xFFFF_FFFE, 0xFFFF_FFFF)
_RATE = _Kind("f", 1, 1e30, -1.0)


class _Column:
    __slots__ = ("_largest", "_missing", "_packed", "_unit")

    def __init__(self, kind: _Kind, length: int) -> None:
        self._unit, self._largest, self._missing = kind.unit, kind.largest, kind.missing
        self._packed = array(kind.code, [kind.missing]) * length

    def put(self, slot: int, value: float | None) -> None:
        # Thousands of these are put at a time: no more is called than must be.
        if value is None:
            self._packed[slot] = self._missing
            return
        packed = round(value / self._unit)
        self._packed[slot] = 0 if packed < 0 else packed if packed <= self._largest else self._largest

    def numbers(self, slots: Iterable[int]) -> list[float | None]:
        packed = [self._packed[slot] for slot in slots]
        return [None if number == self._missing else number * self._unit for number in packed]

    def whole(self, slots: Iterable[int]) -> list[int | None]:
        return [None if value is None else int(value) for value in self.numbers(slots)]

    def rounded(self, slots: Iterable[int]) -> list[float | None]:
        """To one digit behind the point: all that is kept."""
        return [None if value is None else round(value, 1) for value in self.numbers(slots)]

    def pack(self, runs: Iterable[slice]) -> bytes:
        # Tens of thousands of columns: whole runs of slots are copied at once.
        return b"".join([self._packed[run].tobytes() for run in runs])

    def unpack(self, run: slice, data: bytes, place: int) -> int:
        """Take its own bytes out of `data`; the place behind them."""
        end: int = place + (run.stop - run.start) * self._packed.itemsize
        self._packed[run] = array(self._packed.typecode, data[place:end])
        return end


class _GpuColumns:
    __slots__ = ("load", "power_w", "seen", "temperature_c", "used_mb")

    def __init__(self, length: int) -> None:
        self.seen = 0
        self.load = _Column(_SMALL, length)
        self.used_mb = _Column(_CARD_MB, length)
        self.temperature_c = _Column(_SMALL, length)
        self.power_w = _Column(_POWER_W, length)

    def put(self, slot: int, reading: GpuReading | None) -> None:
        # What a broken card or a silent driver says is no measurement.
        told = reading if reading is not None and not reading.fault else None
        self.load.put(slot, told.load if told else None)
        self.used_mb.put(slot, told.used_mb if told else None)
        self.temperature_c.put(slot, told.temperature_c if told else None)
        self.power_w.put(slot, told.power_w if told else None)

    def columns(self) -> tuple[_Column, ...]:
        return self.load, self.used_mb, self.temperature_c, self.power_w


class _NodeColumns:
    """`first` and `seen` are the numbers of the first and the last sample that the node was in."""

    __slots__ = ("_length", "cpu", "first", "gpus", "memory_mb", "network_in", "network_out", "seen")

    def __init__(self, first: int, length: int) -> None:
        self._length = length
        self.first = self.seen = first
        self.cpu = _Column(_PERCENT, length)
        self.memory_mb = _Column(_MACHINE_MB, length)
        self.network_in = _Column(_RATE, length)
        self.network_out = _Column(_RATE, length)
        self.gpus: dict[int, _GpuColumns] = {}

    def put(self, number: int, reading: NodeReading | None) -> None:
        slot = number % self._length
        machine = reading.machine if reading else None
        self.cpu.put(slot, machine.cpu_percent if machine else None)
        self.memory_mb.put(slot, machine.memory_used_mb if machine else None)
        self.network_in.put(slot, machine.network_in_bytes_s if machine else None)
        self.network_out.put(slot, machine.network_out_bytes_s if machine else None)
        gpus = {gpu.index: gpu for gpu in reading.gpus} if reading else {}
        for index in gpus.keys() - self.gpus.keys():
            self.gpus[index] = _GpuColumns(self._length)
        for index, columns in list(self.gpus.items()):
            columns.put(slot, gpus.get(index))
            if index in gpus:
                columns.seen = number
            elif number - columns.seen >= self._length:
                del self.gpus[index]
        if reading is not None:
            self.seen = number

    def columns(self, gpus: Iterable[int]) -> Iterator[_Column]:
        """Its own, then those of some of its GPUs."""
        yield from (self.cpu, self.memory_mb, self.network_in, self.network_out)
        for index in gpus:
            yield from self.gpus[index].columns()


class _Part(NamedTuple):
    """A stretch of samples: for each node that was in it the GPUs whose columns follow its own."""

    times: list[float]
    nodes: list[tuple[str, list[int]]]
    columns: bytes


class ReadingsHistory:
    """Samples of all nodes, taken together. A full ring loses its oldest."""

    def __init__(self, longest_s: float = LONGEST_S, step_s: float = STEP_S) -> None:
        self._step_s = step_s
        self._length = max(1, math.ceil(longest_s / step_s))
        self.clear()

    def clear(self) -> None:
        self._taken = 0
        self._last = -math.inf
        self._times = array("d", [0.0]) * self._length
        self._nodes: dict[str, _NodeColumns] = {}

    def note(self, at: float, nodes: Mapping[str, NodeReading]) -> bool:
        """Remember a look, unless the last one remembered is too recent. False: it was."""
        if at < self._last:
            # The clock was set back: what was noted would lie in the future.
            self.clear()
        if at - self._last < self._step_s:
            return False
        if self._taken and at - self._last > LONGEST_STEP_S:
            # Nothing is known of the time between: a curve must not run straight across it.
            self._put(self._last + self._step_s, {})
        self._put(at, nodes)
        return True

    def _put(self, at: float, nodes: Mapping[str, NodeReading]) -> None:
        number = self._taken
        self._times[number % self._length] = at
        for name in nodes.keys() - self._nodes.keys():
            self._nodes[name] = _NodeColumns(number, self._length)
        for name, columns in list(self._nodes.items()):
            columns.put(number, nodes.get(name))
            if number - columns.seen >= self._length:
                del self._nodes[name]
        self._taken, self._last = number + 1, at

    @property
    def newest(self) -> float:
        """When the last sample was taken; minus infinity before the first."""
        return self._last

    @property
    def oldest(self) -> float:
        """When the first was taken that is still there; minus infinity while there is none."""
        times, _ = self._between(0, -math.inf, math.inf)
        return times[0] if times else -math.inf

    def pack(self, after: float) -> bytes | None:
        """The samples behind `after`, of all nodes; None if there is none."""
        times, slots = self._between(0, math.nextafter(after, math.inf), math.inf)
        if not times:
            return None
        first = self._taken - len(times)
        nodes = {name: columns for name, columns in self._nodes.items() if columns.seen >= first}
        head = {"times": times, "nodes": [[name, list(each.gpus)] for name, each in nodes.items()]}
        runs = _runs(slots)
        packed = [column.pack(runs) for each in nodes.values() for column in each.columns(each.gpus)]
        return zlib.compress(b"\n".join((json.dumps(head).encode(), b"".join(packed))), level=1)

    def unpack(self, parts: Iterable[bytes]) -> None:
        """Begin with what another server has packed, oldest part first; as much of the end as there is room
        for."""
        self.clear()
        known: list[_Part] = []
        for packed in parts:
            head, _, columns = zlib.decompress(packed).partition(b"\n")
            known.append(_Part(**json.loads(head), columns=columns))
        while sum(len(part.times) for part in known) > self._length:
            known.pop(0)
        for part in known:
            self._append(part)

    def _append(self, part: _Part) -> None:
        begin, end = self._taken, self._taken + len(part.times)
        run, place = slice(begin, end), 0
        self._times[run] = array("d", part.times)
        for name, gpus in part.nodes:
            if name not in self._nodes:
                self._nodes[name] = _NodeColumns(begin, self._length)
            node = self._nodes[name]
            node.seen = end - 1
            for index in gpus:
                if index not in node.gpus:
                    node.gpus[index] = _GpuColumns(self._length)
                node.gpus[index].seen = end - 1
            for column in node.columns(gpus):
                place = column.unpack(run, part.columns, place)
        self._taken, self._last = end, part.times[-1]

    def of_node(self, name: str, since: float, until: float = math.inf) -> NodeHistory:
        """What is remembered of a node between two times; nothing of one that was never seen."""
        columns = self._nodes.get(name)
        times, slots = self._between(columns.first if columns else self._taken, since, until)
        if columns is None:
            columns = _NodeColumns(0, 1)
        return NodeHistory(
            node=name,
            times=times,
            cpu_percent=columns.cpu.rounded(slots),
            memory_used_mb=columns.memory_mb.whole(slots),
            network_in_bytes_s=columns.network_in.rounded(slots),
            network_out_bytes_s=columns.network_out.rounded(slots),
            gpus=[
                GpuHistory(
                    index=index,
                    load=gpu.load.whole(slots),
                    used_mb=gpu.used_mb.whole(slots),
                    temperature_c=gpu.temperature_c.whole(slots),
                    power_w=gpu.power_w.rounded(slots),
                )
                for index, gpu in sorted(columns.gpus.items())
            ],
        )

    def _between(self, first: int, since: float, until: float) -> tuple[list[float], list[int]]:
        """The times from sample number `first` on that lie between the two, and their slots."""
        oldest = max(first, self._taken - self._length, 0)
        slots = [number % self._length for number in range(oldest, self._taken)]
        times = [self._times[slot] for slot in slots]
        begin, end = bisect_left(times, since), bisect_right(times, until)
        return times[begin:end], slots[begin:end]


def _runs(slots: list[int]) -> list[slice]:
    """Slots that follow each other, as slices: the ring begins anew at most once."""
    break_at = next((place for place in range(1, len(slots)) if slots[place] < slots[place - 1]), len(slots))
    return [slice(run[0], run[-1] + 1) for run in (slots[:break_at], slots[break_at:]) if run]
