"""What is left of all nodes in service while a pass gives it away.

A set of nodes is an integer with one bit per node, in the order of names: the lowest bit of an
intersection is the first node by name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from operator import or_

from danlu.core.nodes.node import NodeRole
from danlu.core.resources import Allocation, Ask
from danlu.scheduling.free_node import FreeNode, Gpus, PlacedAsk, indices_of
from danlu.scheduling.roles import may_use
from danlu.scheduling.snapshot import NodeView


class AtLeast:
    """Nodes by a number that each has: those that have so much, or more."""

    def __init__(self, numbers: Iterable[tuple[int, int]]) -> None:
        by_number: dict[int, int] = {}
        for number, bit in numbers:
            by_number[number] = by_number.get(number, 0) | bit
        self._numbers = sorted(by_number)
        # The last one stands for more than any has.
        self._nodes = list(
            accumulate((by_number[number] for number in reversed(self._numbers)), or_, initial=0)
        )
        self._nodes.reverse()

    def __getitem__(self, number: int) -> int:
        return self._nodes[bisect_left(self._numbers, number)]


class NodesInService:
    """Nodes in buckets by the number of free GPUs, and inside a bucket by free CPUs; and by which GPUs are
    free, for those who want exact ones."""

    def __init__(self, nodes: Iterable[NodeView], *, with_memory: bool = False) -> None:
        views = sorted((node for node in nodes if node.in_service), key=lambda node: node.name)
        self._nodes = [FreeNode(view, 1 << rank, with_memory=with_memory) for rank, view in enumerate(views)]
        self._by_name = {node.name: node for node in self._nodes}
        self._of_gpus: dict[Gpus, int] = {}
        self._of_cpus = AtLeast((view.cpus, 1 << rank) for rank, view in enumerate(views))
        self._of_memory = AtLeast((view.memory_mb, 1 << rank) for rank, view in enumerate(views))
        sizes = range(1 + max((len(view.gpu_ids) for view in views), default=0))
        self._with_gpus = [0 for _ in sizes]
        self._with_cpus: list[dict[int, int]] = [{} for _ in sizes]
        self._with_mask: dict[int, int] = {}
        self._compute = 0
        self._staging = sum(node.bit for node, view in zip(self._nodes, views, strict=True) if view.stages)
        self._with_foreign = sum(node.bit for node in self._nodes if node.foreign)
        self._models: dict[str, int] | None = None
        self._undo: list[tuple[FreeNode, Callable[[], None]]] | None = None
        for node in self._nodes:
            self._of_gpus[node.hardware] = self._of_gpus.get(node.hardware, 0) | node.bit
            if node.role is NodeRole.COMPUTE:
                self._compute |= node.bit
            self._put(node)

    def could_ever_place(self, ask: Ask) -> bool:
        """Whether nodes in service could run the ask if nothing else ran on them."""
        if ask.nodes > 1:
            return any(self._are_enough(ask, model) for model in self.models_for(ask))
        return bool(self.able(ask))

    def able(self, ask: Ask, model: str | None = None) -> int:
        """The nodes that could run a task of the ask if nothing else ran on them."""
        allowed = self._allowed(ask) & self._of_cpus[ask.cpus] & self._of_memory[ask.memory_mb]
        able = 0
        for gpus, nodes in self._of_gpus.items():
            if nodes & allowed and gpus.satisfy(ask, model):
                able |= nodes
        return able & allowed

    def models_for(self, ask: Ask) -> Sequence[str | None]:
        """The GPU models that all tasks of an ask for several nodes may have; for one without GPUs, any."""
        if not ask.gpus:
            return [None]
        if self._models is None:
            self._models = {}
            for gpus, nodes in self._of_gpus.items():
                for model in gpus.models or ("",):
                    self._models[model] = self._models.get(model, 0) | nodes
        return sorted(model for model in self._models if ask.gpu_model.casefold() in model.casefold())

    def hold(self, given: Iterable[Allocation]) -> None:
        """Take out what jobs were given, on nodes that are in service."""
        for each in given:
            if (node := self._by_name.get(each.node)) is not None:
                self._remove(node)
                node.hold(each)
                self._put(node)

    @contextmanager
    def trial(self, given_back: Iterable[Allocation]) -> Iterator[None]:
        """As if these had been given back; afterwards everything is as it was."""
        self._undo = []
        try:
            for each in given_back:
                if (node := self._by_name.get(each.node)) is not None:
                    self._remove(node)
                    node.give_back(each)
                    self._put(node)
            yield
        finally:
            undo, self._undo = self._undo, None
            for node, restore in reversed(undo):
                self._remove(node)
                restore()
                self._put(node)

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

    def foreign(self, nodes: int) -> int:
        """How many GPUs of these nodes are in use by processes that are not ours."""
        return sum(node.foreign for node in self.among(nodes & self._with_foreign))

    def with_any_free_gpu(self, nodes: int) -> int:
        return nodes & ~self._with_gpus[0]

    def with_free(self, gpus: int) -> int:
        """The nodes on which all of these GPUs are free."""
        found = 0
        for mask, nodes in self._with_mask.items():
            if not gpus & ~mask:
                found |= nodes
        return found

    def by_busy_gpus(self, ask: Ask, nodes: int, model: str | None = None) -> dict[tuple[int, ...], int]:
        """The nodes, by which of the exact GPUs of an ask they cannot give it now."""
        found: dict[tuple[int, ...], int] = {}
        wish = PlacedAsk(ask, model)
        if wish.picky:
            for node in self.among(nodes):
                busy = node.busy_of(ask, model)
                found[busy] = found.get(busy, 0) | node.bit
            return found
        for mask, alike in self._with_mask.items():
            if alike & nodes:
                busy = tuple(indices_of(wish.exact & ~mask))
                found[busy] = found.get(busy, 0) | alike & nodes
        return found

    def _are_enough(self, ask: Ask, model: str | None) -> bool:
        able = self.able(ask, model)
        if model is not None and self._models is not None:
            able &= self._models[model]
        return able.bit_count() >= ask.nodes_min

    def _allowed(self, ask: Ask) -> int:
        """The nodes that the ask may use, be they large enough or not."""
        if ask.node is None and not ask.only_nodes:
            # The same as below, without asking each node: only compute nodes take jobs that do not name them.
            nodes = self._compute
            for name in ask.exclude_nodes:
                if name in self._by_name:
                    nodes &= ~self._by_name[name].bit
            return nodes & self._staging if ask.stage else nodes
        named = (ask.node,) if ask.node is not None else ask.only_nodes
        known = (self._by_name[name] for name in named if name in self._by_name)
        nodes = sum(node.bit for node in known if may_use(ask, node.name, node.role))
        return nodes & self._staging if ask.stage else nodes

    def _free_gpus(self, ask: Ask, model: str | None) -> int:
        if model is None or self._models is None:
            return 0
        nodes = self._models[model] & self._allowed(ask)
        return sum(
            free_gpus * (bucket & nodes).bit_count() for free_gpus, bucket in enumerate(self._with_gpus)
        )

    def _put(self, node: FreeNode) -> None:
        free_gpus = node.gpus.bit_count()
        self._with_gpus[free_gpus] |= node.bit
        cells = self._with_cpus[free_gpus]
        cells[node.cpus] = cells.get(node.cpus, 0) | node.bit
        self._with_mask[node.gpus] = self._with_mask.get(node.gpus, 0) | node.bit

    def _remove(self, node: FreeNode) -> None:
        if self._undo is not None:
            self._undo.append((node, node.remember()))
        free_gpus = node.gpus.bit_count()
        self._with_gpus[free_gpus] ^= node.bit
        cells = self._with_cpus[free_gpus]
        cells[node.cpus] ^= node.bit
        if not cells[node.cpus]:
            del cells[node.cpus]
        self._with_mask[node.gpus] ^= node.bit
        if not self._with_mask[node.gpus]:
            del self._with_mask[node.gpus]
