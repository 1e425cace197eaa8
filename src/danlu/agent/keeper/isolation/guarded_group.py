"""A task's group together with what is set up around it, and where that is made."""

from __future__ import annotations

from typing import NamedTuple

from danlu.agent.keeper.isolation.cgroups import Grounds, Group


class GuardedGroup:
    """A task's group and the guards around it, as one group."""

    def __init__(self, group: Group, *guards: Group) -> None:
        self.mode = group.mode
        self.path = group.path
        self._groups = (group, *guards)

    def create(self) -> None:
        for group in self._groups:
            group.create()

    def join(self) -> None:
        for group in self._groups:
            group.join()

    def leave(self) -> None:
        for group in self._groups:
            group.leave()

    def pids(self) -> set[int]:
        return set().union(*(group.pids() for group in self._groups))

    def kill(self) -> None:
        for group in self._groups:
            group.kill()

    def remove(self) -> bool:
        removed = [group.remove() for group in self._groups]
        return all(removed)


class Guarding(NamedTuple):
    """Which guard of a kind tasks get here: "v2", "v1", or "" where there is none."""

    mode: str
    parent: str

    def path_for(self, key: str) -> str:
        return f"{self.parent}/{key}"

    def sweep(self, wanted: set[str]) -> None:
        """Remove empty groups of tasks that the keeper no longer knows. Those of v2 are the tasks' own."""
        if self.mode == "v1":
            Grounds("v1", self.parent).sweep(wanted)
