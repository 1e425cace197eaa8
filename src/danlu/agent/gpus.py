"""The GPUs of a node, as far as it can see any."""

from __future__ import annotations

import uuid
from typing import Protocol

from danlu.core.node import Gpu


class GpuProbe(Protocol):
    def read(self) -> tuple[Gpu, ...]:
        """The GPUs as they are now. May block: it is called in a thread."""


class SimulatedGpus:
    """GPUs to try Danlu with, where there are none. Their UUIDs are the same on every start."""

    def __init__(self, node: str, count: int) -> None:
        self._gpus = tuple(
            Gpu(
                index=index,
                uuid=f"SIM-{uuid.uuid5(uuid.NAMESPACE_DNS, f'{index}.{node}')}",
                name="Simulated GPU",
                memory_mb=24 * 1024,
            )
            for index in range(count)
        )

    def read(self) -> tuple[Gpu, ...]:
        return self._gpus
