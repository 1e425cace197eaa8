"""The nodes on which nothing starts for the moment, though they are there."""

from __future__ import annotations

from collections.abc import Callable

from danlu.core.task import TaskFact, TaskKey


class ClosedNodes:
    """The reconciler writes which they are, and why; the board reads them. `on_open` is called when one opens
    because of what it has told.

    `unsettled` nodes have not told yet what they run, make no sense, or run `orphans`: tasks that no job
    wants. `returning` ones are being written down as back, `silent` ones do not answer just now.
    """

    def __init__(self, on_open: Callable[[], None] = lambda: None) -> None:
        self._on_open = on_open
        self.unsettled: frozenset[str] = frozenset()
        self.returning: frozenset[str] = frozenset()
        self.silent: frozenset[str] = frozenset()
        self.orphans: set[tuple[TaskKey, str]] = set()

    @property
    def names(self) -> frozenset[str]:
        return self.unsettled | self.returning | self.silent

    def note_end(self, fact: TaskFact) -> None:
        """A node told this end. Once none of its orphans is left, it is open again."""
        if (fact.key, fact.node) not in self.orphans:
            return
        self.orphans.discard((fact.key, fact.node))
        if not any(node == fact.node for _, node in self.orphans):
            self.unsettled -= {fact.node}
            self._on_open()
