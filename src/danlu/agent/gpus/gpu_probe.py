"""The GPUs of a node, as far as it can see any."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from danlu.core.nodes.node import Gpu, GpuReading

PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Sight:
    """What one look found. The processes in `readings` have no names yet.

    `devices` are the minor numbers of the GPUs' device files. `names` is what CUDA must be told where its own
    numbers may differ from ours; empty while they are the same.
    """

    gpus: tuple[Gpu, ...] = ()
    readings: tuple[GpuReading, ...] = ()
    devices: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def devices_of(self, gpu_ids: Sequence[int]) -> tuple[int, ...] | None:
        """The device files that a task with these GPUs may open; None when the probe cannot tell."""
        if not self.devices or not all(index in self.devices for index in gpu_ids):
            return None
        return tuple(self.devices[index] for index in gpu_ids)

    def names_of(self, gpu_ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.names[index] for index in gpu_ids if index in self.names)


class GpuProbe(Protocol):
    async def look(self) -> Sight:
        """The GPUs as they are now."""

    async def forget(self, index: int) -> bool:
        """Remember this GPU no longer; False unless it is gone for good."""


class BlockingProbe(Protocol):
    def remembered(self) -> Sight:
        """What is known without asking the driver."""

    def look(self) -> Sight: ...

    def forget(self, index: int) -> bool: ...


class PatientProbe:
    """Looks in a thread of its own, so that a driver that hangs holds up nothing else.

    One look at a time: callers that ask meanwhile get the same. A caller that has waited too long gets the
    last one, in which every GPU has the driver's silence as its fault.
    """

    def __init__(self, probe: BlockingProbe, patience_s: float = PATIENCE_S) -> None:
        self._probe = probe
        self._patience_s = patience_s
        self._looking: asyncio.Future[Sight] | None = None
        self._since = 0.0
        self._last = probe.remembered()

    async def look(self) -> Sight:
        if self._looking is None:
            self._since = time.time()
            self._looking = asyncio.get_running_loop().create_future()
            self._looking.add_done_callback(self._finish)
            look = _settling(self._looking, self._probe.look)
            # A daemon: a thread that the driver holds cannot be waited for, not even when the server ends.
            threading.Thread(target=look, name="gpus", daemon=True).start()
        try:
            async with asyncio.timeout(self._patience_s):
                return await asyncio.shield(self._looking)
        except TimeoutError:
            return _silenced(self._last, self._since)

    async def forget(self, index: int) -> bool:
        return await asyncio.to_thread(self._probe.forget, index)

    def _finish(self, looking: asyncio.Future[Sight]) -> None:
        self._looking = None
        if not looking.cancelled() and looking.exception() is None:
            self._last = looking.result()


def _settling(future: asyncio.Future[Sight], look: Callable[[], Sight]) -> Callable[[], None]:
    """To run in a thread: tell the future what was seen, unless its caller has gone."""
    loop = future.get_loop()

    def settle(result: Sight | None, problem: Exception | None) -> None:
        if future.done():
            return
        if problem is not None:
            future.set_exception(problem)
        elif result is not None:
            future.set_result(result)

    def run() -> None:
        result, problem = None, None
        try:
            result = look()
        except Exception as error:
            problem = error
        # The loop may be closed by now: the server has ended.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, problem)

    return run


def _silenced(sight: Sight, since: float) -> Sight:
    fault = f"the NVIDIA driver has not answered since {moment(since)}"
    return replace(
        sight,
        gpus=tuple(replace(gpu, fault=gpu.fault or fault) for gpu in sight.gpus),
        readings=tuple(replace(each, fault=each.fault or fault) for each in sight.readings),
    )


def moment(at: float) -> str:
    """A time of this machine's zone, to the second, as evidence carries it."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(at))
