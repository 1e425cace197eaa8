"""What is left of one node while a pass gives it away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.snapshot import NodeView

ANY_MEMORY_MB = 1 << 40
"""Of a card that nobody told the memory of."""


class Hardware(NamedTuple):
    """What a node in service offers when it is empty; many nodes share one value."""

    cpus: int
    memory_mb: int
    gpus: frozenset[int]
    gpu_memory_mb: tuple[tuple[int, int], ...] = ()
    """Each GPU's index and memory, where it is told."""

    def satisfies(self, ask: Ask) -> bool:
        if self.cpus < ask.cpus or self.memory_mb < ask.memory_mb:
            return False
        gpus = self.gpus
        if ask.gpu_memory_mb and self.gpu_memory_mb:
            gpus = gpus.intersection(
                index for index, memory_mb in self.gpu_memory_mb if memory_mb >= ask.gpu_memory_mb
            )
        return len(gpus) >= ask.gpus and (not ask.gpu_ids or gpus.issuperset(ask.gpu_ids))


class FreeNode:
    """What is left of a node in service. `gpus` has one bit per GPU that is free for a job that wants it to
    itself. `cards` is there only in a pass in which somebody asks for a card's memory."""

    __slots__ = (
        "_partly_used",
        "_slots",
        "bit",
        "cards",
        "cpus",
        "foreign",
        "gpus",
        "hardware",
        "memory_mb",
        "name",
    )

    def __init__(self, view: NodeView, bit: int, *, with_memory: bool) -> None:
        self.name = view.name
        self.bit = bit
        self.hardware = Hardware(
            view.cpus,
            view.memory_mb,
            view.usable_gpus,
            tuple(zip(view.gpu_ids, view.gpu_memory_mb, strict=True)) if view.gpu_memory_mb else (),
        )
        self.gpus = mask_of(self.hardware.gpus - view.used_gpus)
        self.foreign = len(view.foreign_gpus)
        self.cpus = max(0, view.cpus - view.used_cpus)
        self.memory_mb = max(0, view.memory_mb - view.used_memory_mb)
        self.cards = Cards(view) if with_memory else None
        self._slots = dict(view.slots_left)
        self._partly_used = mask_of(view.partly_used)

    def fits(self, ask: Ask) -> bool:
        """Whether the ask fits, given that as many GPUs as it wants are free."""
        if self.cpus < ask.cpus or self.memory_mb < ask.memory_mb:
            return False
        gpus = self.gpus
        if ask.no_sharing or ask.gpu_memory_mb:
            gpus = self._suitable(ask)
            if gpus.bit_count() < ask.gpus:
                return False
        return not ask.gpu_ids or not mask_of(ask.gpu_ids) & ~gpus

    def busy_of(self, ask: Ask) -> tuple[int, ...]:
        """The exact GPUs of an ask that it cannot have now."""
        gpus = self._suitable(ask)
        return tuple(index for index in ask.gpu_ids if not gpus >> index & 1)

    def take(self, ask: Ask) -> Allocation:
        """Give the ask its exact GPUs and fill up with the lowest free ones. The ask must fit."""
        taken = mask_of(ask.gpu_ids)
        spare = (self._suitable(ask) if ask.no_sharing or ask.gpu_memory_mb else self.gpus) & ~taken
        for _ in range(ask.gpus - len(ask.gpu_ids)):
            lowest = spare & -spare
            taken |= lowest
            spare ^= lowest
        for index in indices_of(taken):
            self._take_slot(index, whole=ask.no_sharing)
            if self.cards is not None:
                self.cards.take(index, ask.gpu_memory_mb, close=ask.no_sharing)
        return self._allocate(ask, tuple(indices_of(taken)))

    def take_shared(self, ask: Ask, gpu_ids: tuple[int, ...]) -> Allocation:
        """Let the ask join these GPUs; nobody gets them to himself any more. It must fit."""
        if self.cards is not None:
            for index in gpu_ids:
                self.cards.take(index, self.cards.need(ask, index))
        self.gpus &= ~mask_of(gpu_ids)
        return self._allocate(ask, tuple(sorted(gpu_ids)))

    def _suitable(self, ask: Ask) -> int:
        """The free GPUs that are whole, or large enough, where that is asked for."""
        gpus = self.gpus & ~self._partly_used if ask.no_sharing else self.gpus
        if ask.gpu_memory_mb and self.cards is not None:
            for index in indices_of(gpus):
                # A card that nobody holds is measured by its size: the little in use on it counts as free.
                shared_with = self._partly_used >> index & 1
                if self.cards.size_mb(index, free=bool(shared_with)) < ask.gpu_memory_mb:
                    gpus &= ~(1 << index)
        return gpus

    def _take_slot(self, index: int, *, whole: bool) -> None:
        left = self._slots.get(index, 1)
        if whole or left <= 1:
            self.gpus &= ~(1 << index)
        else:
            self._slots[index] = left - 1
            self._partly_used |= 1 << index

    def _allocate(self, ask: Ask, gpu_ids: tuple[int, ...]) -> Allocation:
        self.cpus -= ask.cpus
        self.memory_mb -= ask.memory_mb
        return Allocation(
            self.name, gpu_ids, ask.cpus, ask.memory_mb, ask.share, ask.no_sharing, ask.gpu_memory_mb
        )


class Cards:
    """The memory of a node's usable GPUs that is neither promised nor used, for those that may be shared."""

    def __init__(self, view: NodeView) -> None:
        memory = view.gpu_memory_mb or (ANY_MEMORY_MB,) * len(view.gpu_ids)
        free = view.gpu_free_mb or memory
        usable = view.usable_gpus - view.closed_gpus
        self._memory_mb = dict(zip(view.gpu_ids, memory, strict=True))
        self.free_mb = {
            index: free_mb for index, free_mb in zip(view.gpu_ids, free, strict=True) if index in usable
        }

    def size_mb(self, index: int, *, free: bool) -> int:
        """Its memory, or what is free of it."""
        return self.free_mb.get(index, 0) if free else self._memory_mb[index]

    def need(self, ask: Ask, index: int) -> int:
        """What the ask counts for on a card: what it says, else half of it."""
        return ask.gpu_memory_mb or -(-self._memory_mb[index] // 2)

    def with_room(self, ask: Ask) -> list[int]:
        """The GPUs that the ask could join, most free memory first."""
        room = [index for index, free_mb in self.free_mb.items() if free_mb >= self.need(ask, index)]
        return sorted(room, key=lambda index: (-self.free_mb[index], index))

    def take(self, index: int, memory_mb: int, *, close: bool = False) -> None:
        if close:
            self.free_mb.pop(index, None)
        elif index in self.free_mb:
            self.free_mb[index] -= memory_mb


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
