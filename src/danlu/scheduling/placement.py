"""Where a job goes: the node with the fewest free GPUs that still fits, and on it the lowest indices.

A set of nodes is an integer with one bit per node, in the order of names: the lowest bit of an
intersection is the first node by name. Within a pass resources only shrink, so a node that once did not
fit an ask is never looked at again for that ask.
"""

from __future__ import annotations

from collections.abc import Iterable

from danlu.core.resources import Allocation, Ask
from danlu.scheduling.free_node import FreeNode, Hardware, indices_of
from danlu.scheduling.snapshot import NodeView


class _Search:
    """The search of one ask through a pass; `hopeful` are the nodes not yet found unfit."""

    __slots__ = ("ask", "hopeful")

    def __init__(self, ask: Ask, hopeful: int) -> None:
        self.ask = ask
        self.hopeful = hopeful


class FreeNodes:
    """All nodes in service, in buckets by free GPUs, and inside a bucket by free CPUs."""

    def __init__(self, nodes: Iterable[NodeView], *, with_memory: bool = False) -> None:
        views = sorted((node for node in nodes if node.in_service), key=lambda node: node.name)
        self._nodes = [FreeNode(view, 1 << rank, with_memory=with_memory) for rank, view in enumerate(views)]
        self._by_name = {node.name: node for node in self._nodes}
        self._of_hardware: dict[Hardware, int] = {}
        sizes = range(1 + max((len(view.gpu_ids) for view in views), default=0))
        self._with_gpus = [0 for _ in sizes]
        self._with_cpus: list[dict[int, int]] = [{} for _ in sizes]
        self._all = (1 << len(self._nodes)) - 1
        self._searches: dict[Ask, _Search] = {}
        for node in self._nodes:
            self._of_hardware[node.hardware] = self._of_hardware.get(node.hardware, 0) | node.bit
            self._put(node)

    def could_ever_place(self, ask: Ask) -> bool:
        """Whether some node in service could run the ask if nothing else ran on it."""
        if ask.node is not None:
            named = self._by_name.get(ask.node)
            return named is not None and named.hardware.satisfies(ask)
        return any(hardware.satisfies(ask) for hardware in self._of_hardware)

    def place(self, ask: Ask) -> Allocation | None:
        """Take the ask's resources from the node that fits it best, or None if none fits now."""
        if ask.share and ask.gpus:
            return self._place_shared(ask)
        node = self._find(self._search(ask))
        if node is None:
            return None
        self._remove(node)
        allocation = node.take(ask)
        self._put(node)
        return allocation

    def _place_shared(self, ask: Ask) -> Allocation | None:
        """Join the cards with most free memory that have enough of it; of several, the lowest of the first
        node by name."""
        best: tuple[int, FreeNode, tuple[int, ...]] | None = None
        for node in self.among(self._search(ask).hopeful):
            gpu_ids = self._shared_on(node, ask)
            if gpu_ids is None:
                # It will not fit later in this pass either: resources only shrink.
                self._search(ask).hopeful &= ~node.bit
                continue
            least_mb = min(node.cards.free_mb[index] for index in gpu_ids) if node.cards else 0
            if best is None or least_mb > best[0]:
                best = least_mb, node, gpu_ids
        if best is None:
            return None
        _, node, gpu_ids = best
        self._remove(node)
        allocation = node.take_shared(ask, gpu_ids)
        self._put(node)
        return allocation

    @staticmethod
    def _shared_on(node: FreeNode, ask: Ask) -> tuple[int, ...] | None:
        """The GPUs of a node that the ask would join."""
        if node.cards is None or node.cpus < ask.cpus or node.memory_mb < ask.memory_mb:
            return None
        room = node.cards.with_room(ask)
        if not set(ask.gpu_ids) <= set(room) or len(room) < ask.gpus:
            return None
        others = [index for index in room if index not in ask.gpu_ids]
        return (*ask.gpu_ids, *others[: ask.gpus - len(ask.gpu_ids)])

    def most_free_memory_mb(self, nodes: int) -> int:
        """The most memory that any one card of these nodes has free for somebody who shares."""
        cards = [node.cards for node in self.among(nodes) if node.cards is not None]
        return max((free_mb for each in cards for free_mb in each.free_mb.values()), default=0)

    def foreign(self, nodes: int) -> int:
        """How many GPUs of these nodes are in use by processes that are not ours."""
        return sum(node.foreign for node in self.among(nodes))

    def able(self, ask: Ask) -> int:
        """The nodes that could run the ask if nothing else ran on them."""
        able = 0
        for hardware, nodes in self._of_hardware.items():
            if hardware.satisfies(ask):
                able |= nodes
        return able & self._named(ask)

    def among(self, nodes: int) -> list[FreeNode]:
        return [self._nodes[rank] for rank in indices_of(nodes)]

    def most_gpus(self, nodes: int) -> int:
        """The most free GPUs that any one of the nodes has."""
        return max(free_gpus for free_gpus, bucket in enumerate(self._with_gpus) if bucket & nodes)

    def most_cpus(self, nodes: int, gpus: int) -> int:
        """The most free CPUs beside so many free GPUs."""
        cells = (cell for cells in self._with_cpus[gpus:] for cell in cells.items())
        return max(free_cpus for free_cpus, cell in cells if cell & nodes)

    def most_memory_mb(self, nodes: int, gpus: int, cpus: int) -> int:
        """The most free memory beside so many free GPUs and CPUs."""
        return max(
            node.memory_mb
            for node in self._nodes
            if node.cpus >= cpus and node.gpus.bit_count() >= gpus and node.bit & nodes
        )

    def _named(self, ask: Ask) -> int:
        if ask.node is None:
            return self._all
        named = self._by_name.get(ask.node)
        return named.bit if named is not None else 0

    def _search(self, ask: Ask) -> _Search:
        search = self._searches.get(ask)
        if search is None:
            search = self._searches[ask] = _Search(ask, self._named(ask))
        return search

    def _find(self, search: _Search) -> FreeNode | None:
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
        ask = search.ask
        candidates = nodes
        while candidates:
            bit = candidates & -candidates
            node = self._nodes[bit.bit_length() - 1]
            if node.fits(ask):
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

    def _put(self, node: FreeNode) -> None:
        free_gpus = node.gpus.bit_count()
        self._with_gpus[free_gpus] |= node.bit
        cells = self._with_cpus[free_gpus]
        cells[node.cpus] = cells.get(node.cpus, 0) | node.bit

    def _remove(self, node: FreeNode) -> None:
        free_gpus = node.gpus.bit_count()
        self._with_gpus[free_gpus] ^= node.bit
        cells = self._with_cpus[free_gpus]
        cells[node.cpus] ^= node.bit
        if not cells[node.cpus]:
            del cells[node.cpus]
