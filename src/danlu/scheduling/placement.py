"""Where a job goes: the nodes with the fewest free GPUs that still fit, and on them the lowest indices; or,
where it says so, those that have most to spare.

Within a pass resources only shrink, so a node that once did not fit an ask is never looked at again for that
ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.free_node import FreeNode, PlacedAsk, indices_of, mask_of
from danlu.scheduling.nodes_in_service import NodesInService
from danlu.scheduling.snapshot import NodeView


class _Search(PlacedAsk):
    """The search of one ask through a pass; `hopeful` are the nodes not yet found unfit."""

    __slots__ = ("hopeful",)

    def __init__(self, ask: Ask, model: str | None, hopeful: int) -> None:
        super().__init__(ask, model)
        self.hopeful = hopeful


class KeptGpus(NamedTuple):
    """GPUs that only the head of the queue gets, on these nodes."""

    head: int
    gpus: int
    nodes: int


class FreeNodes(NodesInService):
    """The nodes in service, and who of those that ask may have what is left of them."""

    def __init__(self, nodes: Iterable[NodeView], *, with_memory: bool = False) -> None:
        super().__init__(nodes, with_memory=with_memory)
        self._searches: dict[Ask, _Search] = {}
        self._of_models: dict[tuple[Ask, str], _Search] = {}
        self.kept: KeptGpus | None = None
        self._released = 0

    def place(self, ask: Ask) -> tuple[Allocation, ...]:
        """Take the ask's resources from the nodes that fit it best, one allocation for each of its tasks; all
        that it needs at least, or nothing."""
        if ask.nodes > 1:
            return self._place_on_several(ask)
        if ask.share and ask.gpus:
            node = next(iter(self._most_memory(self._search(ask))), None)
        elif ask.spread:
            node = next(self._fitting(self._search(ask)), None)
        else:
            node = self._find(self._search(ask))
        return (self._take(node, ask),) if node is not None else ()

    @contextmanager
    def trial(self, given_back: Iterable[Allocation]) -> Iterator[None]:
        # What did not fit may fit when something is given back, and the other way round.
        self._forget_searches()
        try:
            with super().trial(given_back):
                yield
        finally:
            self._forget_searches()

    def ready(self, ask: Ask, model: str | None) -> int:
        """The nodes that have room for a task of an ask now."""
        nodes = sum(node.bit for node in self._fitting_in_any_way(self._search(ask, model)))
        # A search of this pass may have given up those that keep nothing just now.
        return nodes | self.ready_if_released(ask, model)

    def keep(self, head: int, ask: Ask) -> None:
        """Keep the exact GPUs of the ask from all other jobs, on the nodes nearest to having them all free.

        No job takes one of them any more, so that from pass to pass these nodes only come nearer, and once
        they are there the head starts."""
        gpus = mask_of(ask.gpu_ids)
        nearest = self._nearest(ask)
        for node in self.among(nearest):
            self._remove(node)
            node.keep(gpus)
            self._put(node)
        self.kept = KeptGpus(head, gpus, nearest)

    @contextmanager
    def nothing_kept(self) -> Iterator[KeptGpus | None]:
        """As if nothing were kept for any job; what is kept."""
        kept, self.kept = self.kept, None
        if kept is None:
            yield None
            return
        for node in self.among(kept.nodes):
            self._remove(node)
            node.release()
            self._put(node)
        self._released = kept.nodes
        try:
            yield kept
        finally:
            self._released = 0
            for node in self.among(kept.nodes):
                self._remove(node)
                node.keep(kept.gpus)
                self._put(node)
            self.kept = kept

    def ready_if_released(self, ask: Ask, model: str | None = None) -> int:
        """The nodes that have room for a task of the ask only while they keep nothing."""
        if not self._released:
            return 0
        wish = PlacedAsk(ask, model)
        return sum(
            node.bit for node in self.among(self._released & self._allowed(ask)) if node.has_room(wish)
        )

    def _nearest(self, ask: Ask) -> int:
        """As many nodes as the ask needs at least that lack the fewest of its exact GPUs, the first by name;
        all with GPUs of one model if it wants several."""
        best: tuple[int, int] | None = None
        for model in self.models_for(ask) if ask.nodes > 1 else [None]:
            busy = self.by_busy_gpus(ask, self.able(ask, model), model)
            lacking: dict[int, int] = {}
            for gpu_ids, nodes in busy.items():
                lacking[len(gpu_ids)] = lacking.get(len(gpu_ids), 0) | nodes
            in_order = ((count, node) for count in sorted(lacking) for node in self.among(lacking[count]))
            chosen = list(islice(in_order, ask.nodes_min))
            if len(chosen) == ask.nodes_min:
                found = sum(count for count, _ in chosen), sum(node.bit for _, node in chosen)
                best = found if best is None or found[0] < best[0] else best
        return best[1] if best is not None else 0

    def _place_on_several(self, ask: Ask) -> tuple[Allocation, ...]:
        """One task on each of as many nodes as there are up to what it asks for, all with GPUs of one model:
        the one that serves most of its tasks, and of those the one whose nodes have the fewest free GPUs."""
        best: tuple[tuple[int, int], str | None, list[FreeNode]] | None = None
        for model in self.models_for(ask):
            search = self._search(ask, model)
            chosen = list(islice(self._fitting_in_any_way(search), ask.nodes))
            if len(chosen) < ask.nodes_min:
                continue
            free_gpus = self._free_gpus(ask, model)
            standing = -len(chosen), -free_gpus if ask.spread else free_gpus
            if best is None or standing < best[0]:
                best = standing, model, chosen
        if best is None:
            return ()
        _, model, chosen = best
        return tuple(self._take(node, ask, model) for node in sorted(chosen, key=lambda node: node.bit))

    def _take(self, node: FreeNode, ask: Ask, model: str | None = None) -> Allocation:
        self._remove(node)
        allocation = node.take(ask, model)
        self._put(node)
        return allocation

    def _search(self, ask: Ask, model: str | None = None) -> _Search:
        if model is not None:
            return self._search_model(ask, model)
        search = self._searches.get(ask)
        if search is None:
            search = self._searches[ask] = _Search(ask, None, self._hopeful(ask, self._allowed(ask)))
        return search

    def _search_model(self, ask: Ask, model: str) -> _Search:
        search = self._of_models.get((ask, model))
        if search is None:
            self.models_for(ask)
            nodes = self._models[model] & self._allowed(ask) if self._models else 0
            search = self._of_models[ask, model] = _Search(ask, model, self._hopeful(ask, nodes))
        return search

    def _hopeful(self, ask: Ask, nodes: int) -> int:
        """Those of the nodes on which the exact GPUs of the ask are free, if it names some."""
        if not ask.gpu_ids or ask.share:
            return nodes
        return nodes & self.with_free(mask_of(ask.gpu_ids))

    def _forget_searches(self) -> None:
        self._searches.clear()
        self._of_models.clear()

    def _find(self, search: _Search) -> FreeNode | None:
        """The same as the first of `_fitting` for one that does not spread, only faster."""
        gpus = search.ask.gpus
        for free_gpus in range(gpus, len(self._with_gpus)):
            bucket = self._with_gpus[free_gpus] & search.hopeful
            if bucket:
                node = self._first_fitting(search, bucket) if gpus else self._roomiest(search, free_gpus)
                if node is not None:
                    return node
                search.hopeful &= ~bucket
        return None

    def _first_fitting(self, search: _Search, nodes: int) -> FreeNode | None:
        candidates = nodes
        while candidates:
            bit = candidates & -candidates
            node = self._nodes[bit.bit_length() - 1]
            if node.fits(search):
                break
            candidates ^= bit
        search.hopeful &= ~(nodes ^ candidates)
        return node if candidates else None

    def _roomiest(self, search: _Search, free_gpus: int) -> FreeNode | None:
        """For a CPU-only job: most free CPUs first, so that each GPU of the bucket keeps some beside it."""
        cells = self._with_cpus[free_gpus]
        for free_cpus in sorted(cells, reverse=True):
            if free_cpus < search.ask.cpus:
                break
            nodes = cells[free_cpus] & search.hopeful
            if nodes:
                node = self._first_fitting(search, nodes)
                if node is not None:
                    return node
        return None

    def _fitting_in_any_way(self, search: _Search) -> Iterator[FreeNode]:
        shares = search.ask.share and search.ask.gpus
        return self._most_memory(search) if shares else self._fitting(search)

    def _fitting(self, search: _Search) -> Iterator[FreeNode]:
        """The nodes that the ask fits now, the best first."""
        for cell in self._cells(search.ask):
            for rank in indices_of(cell & search.hopeful):
                node = self._nodes[rank]
                if node.fits(search):
                    yield node
                else:
                    search.hopeful &= ~node.bit

    def _cells(self, ask: Ask) -> Iterator[int]:
        """Nodes with as many free GPUs and CPUs as asked for, in the order in which the ask wants them; those
        that are alike together, by name."""
        if ask.spread and not ask.gpus:
            cells = [(cpus, gpus) for gpus, bucket in enumerate(self._with_cpus) for cpus in bucket]
            for cpus, gpus in sorted(cells, key=lambda cell: (-cell[0], cell[1])):
                yield self._with_cpus[gpus][cpus]
            return
        sizes = range(ask.gpus, len(self._with_gpus))
        for gpus in reversed(sizes) if ask.spread else sizes:
            if ask.gpus and not ask.spread:
                yield self._with_gpus[gpus]
            else:
                bucket = self._with_cpus[gpus]
                yield from (bucket[cpus] for cpus in sorted(bucket, reverse=True) if cpus >= ask.cpus)

    def _most_memory(self, search: _Search) -> Iterator[FreeNode]:
        """For who shares: the nodes whose cards he would join have most free memory; of several, the first by
        name."""
        found: list[tuple[int, FreeNode]] = []
        for node in self.among(search.hopeful):
            gpu_ids = node.shared_on(search.ask, search.model)
            if gpu_ids is None or node.cards is None:
                # It will not fit later in this pass either: resources only shrink.
                search.hopeful &= ~node.bit
            else:
                found.append((min(node.cards.free_mb[index] for index in gpu_ids), node))
        found.sort(key=lambda each: -each[0])
        yield from (node for _, node in found)
