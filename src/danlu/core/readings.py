"""What a node is doing now. Readings are of the moment: they are remembered for a while, never stored."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.node import GpuReading


@dataclass(frozen=True, slots=True)
class DiskReading:
    """A file system, by the folder that it is mounted at."""

    path: str
    used_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class MachineReading:
    """What a machine is doing, whoever makes it do so. The network is all but loopback."""

    cpu_percent: float
    load_1m: float
    memory_used_mb: int
    memory_total_mb: int
    network_in_bytes_s: float
    network_out_bytes_s: float
    disks: tuple[DiskReading, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeReading:
    """One look at a node. `machine` is None where nobody measures it, or it could not be measured."""

    gpus: tuple[GpuReading, ...] = ()
    machine: MachineReading | None = None
