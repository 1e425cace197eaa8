"""The latest look at the nodes that can be reached: what their GPUs and they themselves are doing."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.core.nodes.node import GpuReading
from danlu.core.nodes.readings import MachineReading


class LatestReadings:
    """The monitor writes it, the board and the pages read it."""

    def __init__(self) -> None:
        self.gpus: Mapping[str, Mapping[int, GpuReading]] = {}
        """By node and GPU."""
        self.machines: Mapping[str, MachineReading] = {}
