"""What hardware there is, to tell whether an ask could ever run. Kept with the board, and made anew only when
a node changes: a submission to a thousand nodes looks at none of them twice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from danlu.control.running.node_view import view_node
from danlu.core.blockers import Blocker
from danlu.core.nodes.node import Node
from danlu.core.resources import Ask
from danlu.scheduling.capacity import can_ever_run, find_able
from danlu.scheduling.snapshot import NodeView

MOST_REMEMBERED = 1024
"""Asks. People ask for the same few things all day."""


class Hardware:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self._why_never: dict[Ask, Blocker | None] = {}

    @cached_property
    def by_name(self) -> dict[str, Node]:
        return {node.name: node for node in self.nodes}

    def why_never(self, ask: Ask) -> Blocker | None:
        """What stands in the way of an ask that could never run; None if it could."""
        # Asked by several threads at a time: what one has found, another may just have forgotten.
        try:
            return self._why_never[ask]
        except KeyError:
            why = can_ever_run(ask, self._views)
        if len(self._why_never) >= MOST_REMEMBERED:
            self._why_never.clear()
        self._why_never[ask] = why
        return why

    def find_able(self, ask: Ask) -> list[str]:
        """The nodes on which tasks of the ask could run together, though they may be too few."""
        return find_able(ask, self._views)

    @cached_property
    def _views(self) -> list[NodeView]:
        return [view_node(node, (), {}) for node in self.nodes]
