"""What is left of one node while a pass gives it away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.models import gpus_of_model
from danlu.scheduling.snapshot import NodeView

ANY_MEMORY_MB = 1 << 40
"""Of a card whose memory is not known."""


class Gpus(NamedTuple):
    """The GPUs of a node; many nodes share one value."""

    usable: frozenset[int]
    """Those of `ids` that may be given to jobs. Their memory and models are told in the same order."""
    ids: tuple[int, ...] = ()
    memory_mb: tuple[int, ...] = ()
    models: tuple[str, ...] = ()

    def satisfy(self, ask: Ask, model: str | None = None) -> bool:
        """Whether they are enough for the ask; with a `model`, those of that one alone."""
        gpus = self.usable
        if ask.gpu_memory_mb and self.memory_mb:
            sizes = zip(self.ids, self.memory_mb, strict=True)
            gpus = gpus.intersection(index for index, size_mb in sizes if size_mb >= ask.gpu_memory_mb)
        if ask.gpu_model or model is not None:
            gpus &= gpus_of_model(self.ids, self.models, ask.gpu_model, model)
        return len(gpus) >= ask.gpus and (not ask.gpu_ids or gpus.issuperset(ask.gpu_ids))


class PlacedAsk:
    """An ask that is tried on many nodes; with a `model`, all on GPUs of that one. `exact` is the mask of the
    GPUs that it names; it is `picky` if not every free GPU will do."""

    __slots__ = ("ask", "exact", "model", "picky")

    def __init__(self, ask: Ask, model: str | None) -> None:
        self.ask = ask
        self.model = model
        self.exact = mask_of(ask.gpu_ids)
        self.picky = bool(ask.no_sharing or ask.gpu_memory_mb or ask.gpu_model) or model is not None


class FreeNode:
    """What is left of a node in service. `gpus` has one bit per GPU that is free for a job that wants it to
    itself. `cards` is there only in a pass in which a job asks for a card's memory."""

    __slots__ = (
        "_foreign",
        "_kept_gpus",
        "_kept_mb",
        "_partly_used",
        "_slots",
        "bit",
        "cards",
        "cpus",
        "gpus",
        "hardware",
        "memory_mb",
        "name",
        "role",
    )

    def __init__(self, view: NodeView, bit: int, *, with_memory: bool) -> None:
        self.name = view.name
        self.role = view.role
        self.bit = bit
        self.hardware = Gpus(view.usable_gpus, view.gpu_ids, view.gpu_memory_mb, view.gpu_models)
        self.gpus = mask_of(self.hardware.usable - view.used_gpus)
        self.cpus = max(0, view.cpus - view.used_cpus)
        self.memory_mb = max(0, view.memory_mb - view.used_memory_mb)
        self.cards = Cards(view) if with_memory else None
        self._slots = dict(view.slots_left)
        self._partly_used = mask_of(view.partly_used)
        self._foreign = view.foreign_gpus
        self._kept_gpus = 0
        self._kept_mb: dict[int, int] = {}

    @property
    def foreign(self) -> int:
        """How many of its GPUs are in use by processes that are not ours."""
        return len(self._foreign)

    def fits(self, wish: PlacedAsk) -> bool:
        """Whether the ask fits, given that as many GPUs as it wants are free."""
        ask = wish.ask
        if self.cpus < ask.cpus or self.memory_mb < ask.memory_mb:
            return False
        gpus = self.gpus
        if wish.picky:
            gpus = self.suitable(ask, wish.model)
            if gpus.bit_count() < ask.gpus:
                return False
        return not wish.exact & ~gpus

    def has_room(self, wish: PlacedAsk) -> bool:
        """Whether the ask fits now, by itself or beside others if it shares."""
        if wish.ask.share and wish.ask.gpus:
            return self.shared_on(wish.ask, wish.model) is not None
        return self.gpus.bit_count() >= wish.ask.gpus and self.fits(wish)

    def busy_of(self, ask: Ask, model: str | None = None) -> tuple[int, ...]:
        """The exact GPUs of an ask that it cannot have now."""
        gpus = self.suitable(ask, model)
        return tuple(index for index in ask.gpu_ids if not gpus >> index & 1)

    def shared_on(self, ask: Ask, model: str | None = None) -> tuple[int, ...] | None:
        """The GPUs that an ask would join, those with most free memory; None if it does not fit."""
        if self.cpus < ask.cpus or self.memory_mb < ask.memory_mb:
            return None
        return self.cards_for(ask, model)

    def cards_for(self, ask: Ask, model: str | None = None) -> tuple[int, ...] | None:
        """The same, whatever else the ask lacks on this node."""
        if self.cards is None:
            return None
        room = self.cards.with_room(ask)
        if ask.gpu_model or model is not None:
            of_model = self._of_model(ask, model)
            room = [index for index in room if index in of_model]
        if not set(ask.gpu_ids) <= set(room) or len(room) < ask.gpus:
            return None
        others = [index for index in room if index not in ask.gpu_ids]
        return (*ask.gpu_ids, *others[: ask.gpus - len(ask.gpu_ids)])

    def joinable(self, ask: Ask) -> tuple[int | None, int]:
        """The most memory that so many cards as an ask would share have free on each, None where not so many
        may be joined; and how many of those that it might want are closed to it."""
        if self.cards is None:
            return None, 0
        wanted = set(ask.gpu_ids) if len(ask.gpu_ids) == ask.gpus else set(self._of_model(ask, None))
        wanted &= self.hardware.usable
        free_mb = {index: mb for index, mb in self.cards.free_mb.items() if index in wanted}
        closed = len(wanted) - len(free_mb)
        if len(free_mb) < ask.gpus or not free_mb.keys() >= set(ask.gpu_ids):
            return None, closed
        named = [free_mb.pop(index) for index in ask.gpu_ids]
        most = [*named, *sorted(free_mb.values(), reverse=True)[: ask.gpus - len(named)]]
        return min(most), closed

    def take(self, ask: Ask, model: str | None = None) -> Allocation:
        """Give the ask its exact GPUs and fill up with the lowest free ones. The ask must fit."""
        if ask.share and ask.gpus:
            return self._allocate(ask, tuple(sorted(self.shared_on(ask, model) or ())))
        taken = mask_of(ask.gpu_ids)
        spare = self.suitable(ask, model) & ~taken
        for _ in range(ask.gpus - len(ask.gpu_ids)):
            lowest = spare & -spare
            taken |= lowest
            spare ^= lowest
        return self._allocate(ask, tuple(indices_of(taken)))

    def hold(self, given: Allocation) -> None:
        """Take out what a job was given. No job gets a GPU to itself that another one shares."""
        self.cpus -= given.cpus
        self.memory_mb -= given.memory_mb
        for index in given.gpu_ids:
            if given.share:
                self.gpus &= ~(1 << index)
            else:
                self._take_slot(index, whole=given.no_sharing)
            if self.cards is not None:
                self.cards.hold(index, given)

    def give_back(self, held: Allocation) -> None:
        """As if the job that holds this had let go of it. Where it cannot be told whether a GPU is then free
        for a job that wants it to itself, it is not."""
        self.cpus += held.cpus
        self.memory_mb += held.memory_mb
        if held.share:
            return
        for index in self.hardware.usable.intersection(held.gpu_ids) - self._foreign:
            if self.gpus >> index & 1:
                self._slots[index] = self._slots.get(index, 1) + 1
            self.gpus |= 1 << index

    def keep(self, gpus: int) -> None:
        """From now on no job gets these GPUs, nor joins the holder of one."""
        self._kept_gpus = self.gpus & gpus
        self.gpus &= ~gpus
        if self.cards is not None:
            free_mb = self.cards.free_mb
            self._kept_mb = {index: free_mb.pop(index) for index in indices_of(gpus) if index in free_mb}

    def release(self) -> None:
        """Keep nothing any more."""
        self.gpus |= self._kept_gpus
        if self.cards is not None:
            self.cards.free_mb |= self._kept_mb
        self._kept_gpus, self._kept_mb = 0, {}

    def remember(self) -> Callable[[], None]:
        """Returns what makes it again as it is now."""
        gpus, cpus, memory_mb, partly_used = self.gpus, self.cpus, self.memory_mb, self._partly_used
        slots, free_mb = dict(self._slots), dict(self.cards.free_mb) if self.cards else {}

        def restore() -> None:
            self.gpus, self.cpus, self.memory_mb, self._partly_used = gpus, cpus, memory_mb, partly_used
            self._slots = slots
            if self.cards:
                self.cards.free_mb = free_mb

        return restore

    def suitable(self, ask: Ask, model: str | None = None) -> int:
        """The free GPUs that are whole, large enough, or of the model, where that is asked for."""
        gpus = self.gpus & ~self._partly_used if ask.no_sharing else self.gpus
        if ask.gpu_model or model is not None:
            gpus &= _mask_of_model(self.hardware.ids, self.hardware.models, ask.gpu_model, model)
        if ask.gpu_memory_mb and self.cards is not None:
            for index in indices_of(gpus):
                # A card that no job holds is measured by its size: the little in use on it counts as free.
                shared_with = self._partly_used >> index & 1
                if self.cards.size_mb(index, free=bool(shared_with)) < ask.gpu_memory_mb:
                    gpus &= ~(1 << index)
        return gpus

    def _of_model(self, ask: Ask, model: str | None) -> frozenset[int]:
        return gpus_of_model(self.hardware.ids, self.hardware.models, ask.gpu_model, model)

    def _take_slot(self, index: int, *, whole: bool) -> None:
        left = self._slots.get(index, 1)
        if whole or left <= 1:
            self.gpus &= ~(1 << index)
        else:
            self._slots[index] = left - 1
            self._partly_used |= 1 << index

    def _allocate(self, ask: Ask, gpu_ids: tuple[int, ...]) -> Allocation:
        given = Allocation(
            self.name, gpu_ids, ask.cpus, ask.memory_mb, ask.share, ask.no_sharing, ask.gpu_memory_mb
        )
        self.hold(given)
        return given


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

    def hold(self, index: int, given: Allocation) -> None:
        if given.no_sharing:
            self.free_mb.pop(index, None)
        elif index in self.free_mb:
            self.free_mb[index] -= given.promised_mb(self._memory_mb[index])


def mask_of(indices: Iterable[int]) -> int:
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


@lru_cache(maxsize=4096)
def _mask_of_model(gpu_ids: tuple[int, ...], models: tuple[str, ...], part: str, exactly: str | None) -> int:
    return mask_of(gpus_of_model(gpu_ids, models, part, exactly))


def indices_of(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
