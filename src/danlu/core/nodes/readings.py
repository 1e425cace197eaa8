"""What a node is doing now. Readings are of the moment: they are remembered for a while, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import MaxLen, Predicate

from danlu.core.bounds import MOST_DISKS, MOST_GPUS, Count, Number, Prose, Rate
from danlu.core.nodes.node import GpuReading, have_numbers_of_their_own


@dataclass(frozen=True, slots=True)
class DiskReading:
    """A file system, by the folder that it is mounted at."""

    path: Prose
    used_bytes: Number
    total_bytes: Number


@dataclass(frozen=True, slots=True)
class MachineReading:
    """What a machine is doing, with all its processes. The network is all but loopback."""

    cpu_percent: Rate
    load_1m: Rate
    memory_used_mb: Count
    memory_total_mb: Count
    network_in_bytes_s: Rate
    network_out_bytes_s: Rate
    disks: Annotated[tuple[DiskReading, ...], MaxLen(MOST_DISKS)] = ()


@dataclass(frozen=True, slots=True)
class NodeReading:
    """One look at a node. `machine` is None where it is not measured, or could not be."""

    gpus: Annotated[tuple[GpuReading, ...], MaxLen(MOST_GPUS), Predicate(have_numbers_of_their_own)] = ()
    machine: MachineReading | None = None
