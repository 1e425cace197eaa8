"""The NVIDIA GPUs of this machine, through NVML."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pynvml

from danlu.agent.gpus.gpu_book import Card, GpuBook
from danlu.agent.gpus.gpu_probe import Sight, moment
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading

log = logging.getLogger(__name__)

_NO_DRIVER = {
    pynvml.NVML_ERROR_UNINITIALIZED,
    pynvml.NVML_ERROR_DRIVER_NOT_LOADED,
    pynvml.NVML_ERROR_LIBRARY_NOT_FOUND,
    pynvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH,
}
"""Errors of the driver as a whole, whichever GPU was asked about."""

_BROKEN = {pynvml.NVML_ERROR_GPU_IS_LOST, pynvml.NVML_ERROR_RESET_REQUIRED}
"""Errors of a GPU, whatever it was asked for. Others only mean that it does not tell this one thing."""

_RECOVERY_ACTION = 230
_RECOVERIES = {1: "a reset of this GPU", 2: "a restart of the node", 4: "a reset of this GPU"}
"""The field in which newer drivers say what they need to go on with a GPU. (Older bindings have no names
for these.)"""

_STEADY_S = 1.0
"""A GPU that is silent for a moment is not lost yet: its job may have run for days."""

_FRESH_LOOK_S = 30.0
"""How often NVML is begun anew while something is wrong: it lists only GPUs that it found at its beginning.
Otherwise it stays open, since opening can take seconds where no other process keeps the driver awake."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a GPU, and since when. `grave`: what runs on it cannot go on."""

    text: str
    since: float
    grave: bool


class NvmlGpus:
    """The GPUs that the driver lists, and those that it listed once: they stay, with what is wrong with them.

    A machine that never had a driver simply has no GPUs. Blocks; `PatientProbe` looks in a thread.
    """

    def __init__(self, memory: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._book = GpuBook(memory)
        self._clock = clock
        self._lock = threading.Lock()
        self._begun_at: float | None = None
        self._faults: dict[int, _Fault] = {}
        self._gone: set[int] = set()
        self._told = ""

    def remembered(self) -> Sight:
        cards = self._book.cards.items()
        return self._sight([GpuReading(index, card.uuid, card.memory_mb) for index, card in cards])

    def look(self) -> Sight:
        with self._lock:
            try:
                self._begin()
                handles = self._list_cards()
                readings = [self._read(index, handles) for index in self._book.cards]
            except pynvml.NVMLError as problem:
                readings = self._without_driver(problem)
            return self._sight(readings)

    def forget(self, index: int) -> bool:
        """Drop a card that the driver no longer lists; False when it may come back any moment."""
        if not self._lock.acquire(timeout=_STEADY_S):
            # The driver hangs: what it would list is not known.
            return False
        try:
            if index not in self._gone:
                return False
            self._book.forget(index)
            self._faults.pop(index, None)
            self._gone.discard(index)
            return True
        finally:
            self._lock.release()

    def _begin(self) -> None:
        stale = self._begun_at is not None and self._clock() - self._begun_at >= _FRESH_LOOK_S
        if stale and (self._faults or not self._book.cards):
            self._end()
        if self._begun_at is None:
            pynvml.nvmlInit()
            self._begun_at = self._clock()

    def _end(self) -> None:
        self._begun_at = None
        with contextlib.suppress(pynvml.NVMLError):
            pynvml.nvmlShutdown()

    def _list_cards(self) -> dict[int, Any]:
        """Bring the book up to date; the handles of the cards that answer, by our own numbers."""
        listed: dict[str, Any] = {}
        cards: list[Card] = []
        silent: dict[int, pynvml.NVMLError] = {}
        for place in range(pynvml.nvmlDeviceGetCount()):
            try:
                handle = pynvml.nvmlDeviceGetHandleByIndex(place)
                card = _describe(place, handle)
            except pynvml.NVMLError as problem:
                if problem.value in _NO_DRIVER:
                    raise
                silent[place] = problem
            else:
                cards.append(card)
                listed[card.uuid] = handle
        self._book.enter(cards, silent)
        self._gone.clear()
        for place in silent.keys() - {card.place for card in self._book.cards.values()}:
            self._tell_once(f"GPU {place} does not say who it is: {_words(silent[place])}")
        handles: dict[int, Any] = {}
        for index, card in self._book.cards.items():
            if card.uuid in listed:
                handles[index] = listed[card.uuid]
            elif card.place in silent:
                self._note(index, _words(silent[card.place]), grave=True)
            else:
                self._gone.add(index)
                self._note(index, "the driver does not list it any more", grave=True)
        return handles

    def _read(self, index: int, handles: dict[int, Any]) -> GpuReading:
        if index not in handles:
            return self._silent(index)
        try:
            reading = self._ask(index, handles[index])
        except pynvml.NVMLError as problem:
            if problem.value in _NO_DRIVER:
                raise
            self._note(index, _words(problem), grave=True)
            return self._silent(index)
        if ailment := _ailment(handles[index]):
            self._note(index, ailment, grave=False)
            return self._marked(reading)
        self._recover(index)
        return reading

    def _ask(self, index: int, handle: Any) -> GpuReading:
        used_mb, _ = _memory(handle)
        utilisation = _told(pynvml.nvmlDeviceGetUtilizationRates, handle)
        power_mw = _told(pynvml.nvmlDeviceGetPowerUsage, handle)
        power_limit_mw = _told(pynvml.nvmlDeviceGetEnforcedPowerLimit, handle)
        card = self._book.cards[index]
        return GpuReading(
            index=index,
            uuid=card.uuid,
            memory_mb=card.memory_mb,
            used_mb=used_mb,
            load=None if utilisation is None else int(utilisation.gpu),
            temperature_c=_told(pynvml.nvmlDeviceGetTemperature, handle, pynvml.NVML_TEMPERATURE_GPU),
            power_w=None if power_mw is None else power_mw / 1000,
            power_limit_w=None if power_limit_mw is None else power_limit_mw / 1000,
            processes=_processes(handle),
        )

    def _without_driver(self, problem: pynvml.NVMLError) -> list[GpuReading]:
        self._end()
        if self._book.cards:
            self._gone = set()
            for index in self._book.cards:
                self._note(index, _words(problem), grave=False)
                if problem.value == pynvml.NVML_ERROR_LIBRARY_NOT_FOUND:
                    self._gone.add(index)
        else:
            self._tell_once(f"no NVIDIA GPUs: {_words(problem)}")
        return [self._silent(index) for index in self._book.cards]

    def _silent(self, index: int) -> GpuReading:
        card = self._book.cards[index]
        return self._marked(GpuReading(index, card.uuid, card.memory_mb))

    def _marked(self, reading: GpuReading) -> GpuReading:
        fault = self._faults[reading.index]
        lost = fault.grave and self._clock() - fault.since >= _STEADY_S
        return replace(reading, fault=f"{fault.text}, first seen {moment(fault.since)}", lost=lost)

    def _note(self, index: int, text: str, *, grave: bool) -> None:
        fault = self._faults.get(index)
        if fault is None or (fault.text, fault.grave) != (text, grave):
            self._faults[index] = _Fault(text, self._clock(), grave)
            log.warning("GPU %d: %s", index, text)

    def _recover(self, index: int) -> None:
        if self._faults.pop(index, None):
            log.warning("GPU %d is well again", index)

    def _tell_once(self, text: str) -> None:
        """The same news every two seconds is none."""
        if text != self._told:
            self._told = text
            log.warning("%s", text)

    def _sight(self, readings: list[GpuReading]) -> Sight:
        cards = self._book.cards
        faults = {reading.index: reading.fault for reading in readings}
        gpus = tuple(
            Gpu(index, card.uuid, card.name, card.memory_mb, fault=faults[index])
            for index, card in cards.items()
        )
        # CUDA leaves out GPUs that do not answer, and counts the others from 0 without gaps.
        same = not self._faults and all(index == card.place for index, card in cards.items())
        names = {} if same else {index: card.uuid for index, card in cards.items()}
        devices = {index: card.minor for index, card in cards.items() if card.minor is not None}
        return Sight(gpus, tuple(readings), devices, names)


def _describe(place: int, handle: Any) -> Card:
    _, memory_mb = _memory(handle)
    return Card(
        place=place,
        uuid=_text(pynvml.nvmlDeviceGetUUID(handle)),
        name=_text(pynvml.nvmlDeviceGetName(handle)),
        memory_mb=memory_mb,
        minor=_told(pynvml.nvmlDeviceGetMinorNumber, handle),
    )


def _memory(handle: Any) -> tuple[int, int]:
    """(used, all) in MiB."""
    try:
        # The first version of this call counts what the driver keeps for itself as used.
        memory = pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
    except pynvml.NVMLError as problem:
        if problem.value in _BROKEN | _NO_DRIVER:
            raise
        memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
    return int(memory.used // 2**20), int(memory.total // 2**20)


def _told(call: Callable[..., Any], *arguments: Any) -> Any:
    """What the driver answers; None when it does not tell this one thing."""
    try:
        return call(*arguments)
    except pynvml.NVMLError as problem:
        if problem.value in _BROKEN | _NO_DRIVER:
            raise
        return None


def _processes(handle: Any) -> tuple[GpuProcess, ...]:
    """Without their names. One that computes and draws is one that computes."""
    drawing = _told(pynvml.nvmlDeviceGetGraphicsRunningProcesses, handle) or ()
    computing = _told(pynvml.nvmlDeviceGetComputeRunningProcesses, handle) or ()
    found: dict[int, GpuProcess] = {}
    for processes, graphics in ((drawing, True), (computing, False)):
        for each in processes:
            memory_mb = int((each.usedGpuMemory or 0) // 2**20)
            if each.pid in found:
                memory_mb = max(memory_mb, found[each.pid].memory_mb)
            found[each.pid] = GpuProcess(each.pid, "", "", memory_mb, graphics=graphics)
    return tuple(found[pid] for pid in sorted(found))


def _ailment(handle: Any) -> str:
    """What the driver has against a GPU that answers."""
    rows = _told(pynvml.nvmlDeviceGetRemappedRows, handle)
    if rows and rows[3]:
        return "NVML: a faulty row of its memory could not be replaced (row remapping failed)"
    fields = _told(pynvml.nvmlDeviceGetFieldValues, handle, [_RECOVERY_ACTION])
    if fields and fields[0].nvmlReturn == pynvml.NVML_SUCCESS and fields[0].value.uiVal in _RECOVERIES:
        return f"NVML: the driver asks for {_RECOVERIES[fields[0].value.uiVal]}"
    return ""


def _words(problem: pynvml.NVMLError) -> str:
    return f"NVML error {problem.value}: {problem}"


def _text(value: Any) -> str:
    """Older bindings answer in bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
