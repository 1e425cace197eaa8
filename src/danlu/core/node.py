"""A machine and its accelerators, as the cluster knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NodeState(StrEnum):
    UP = "up"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Gpu:
    index: int
    uuid: str
    name: str
    memory_mb: int
    drained: bool = False


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What an agent says of its own machine."""

    name: str
    cpus: int
    memory_mb: int
    gpus: tuple[Gpu, ...]
    boot_id: str
    simulated: bool = False
    runs_as_root: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the cluster: its last known facts, and what people decided about it."""

    facts: NodeFacts
    state: NodeState
    since: float
    drained: bool = False

    @property
    def name(self) -> str:
        return self.facts.name
