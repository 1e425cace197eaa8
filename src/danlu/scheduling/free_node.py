"""What is left of one node while a pass gives it away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.snapshot import NodeView


class Hardware(NamedTuple):
    """What a node in service offers when it is empty; many nodes share one value."""

    cpus: int
    memory_mb: int
    gpus: frozenset[int]

    def satisfies(self, ask: Ask) -> bool:
        return (
            len(self.gpus) >= ask.gpus
            and self.cpus >= ask.cpus
            and self.memory_mb >= ask.memory_mb
            and (not ask.gpu_ids or self.gpus.issuperset(ask.gpu_ids))
        )


class FreeNode:
    """What is left of a node in service. `gpus` has one bit per free GPU index."""

    __slots__ = ("bit", "cpus", "gpus", "hardware", "memory_mb", "name")

    def __init__(self, view: NodeView, bit: int) -> None:
        self.name = view.name
        self.bit = bit
        self.hardware = Hardware(view.cpus, view.memory_mb, frozenset(view.gpu_ids) - view.drained_gpus)
        self.gpus = mask_of(self.hardware.gpus - view.used_gpus)
        self.cpus = max(0, view.cpus - view.used_cpus)
        self.memory_mb = max(0, view.memory_mb - view.used_memory_mb)

    def fits(self, ask: Ask) -> bool:
        """Whether the ask fits, given that as many GPUs as it wants are free."""
        if self.cpus < ask.cpus or self.memory_mb < ask.memory_mb:
            return False
        return not ask.gpu_ids or not mask_of(ask.gpu_ids) & ~self.gpus

    def busy_of(self, gpu_ids: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(index for index in gpu_ids if not self.gpus >> index & 1)

    def take(self, ask: Ask) -> Allocation:
        """Give the ask its exact GPUs and fill up with the lowest free ones. The ask must fit."""
        taken = mask_of(ask.gpu_ids)
        spare = self.gpus & ~taken
        for _ in range(ask.gpus - len(ask.gpu_ids)):
            lowest = spare & -spare
            taken |= lowest
            spare ^= lowest
        self.gpus = spare
        self.cpus -= ask.cpus
        self.memory_mb -= ask.memory_mb
        return Allocation(self.name, tuple(indices_of(taken)), ask.cpus, ask.memory_mb)


def mask_of(indices: Iterable[int]) -> int:
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


def indices_of(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
