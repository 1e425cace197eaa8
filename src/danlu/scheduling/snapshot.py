"""All that a pass may know: nodes, waiting jobs, usage and the time. It can be saved and replayed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from danlu.codec import decode, encode
from danlu.core.nodes.node import NodeRole
from danlu.core.waiting_job import ArrayRoom, WaitingJob


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node's totals and what is taken of them. Names are unique within a snapshot.

    `used_gpus` are not free for a job that wants a GPU to itself: all their slots are held, a job shares
    them, or (`foreign_gpus`) processes run there that Danlu did not start. `slots_left` names those of which
    several slots are free, `partly_used` those of which only some are. No job may join `closed_gpus`.
    `gpu_memory_mb` and `gpu_free_mb` go with `gpu_ids`: the card's memory, and what of it is neither
    promised nor used; where they are empty a card has any amount. `gpu_models` go with them too: the names
    of the cards; where that is empty they are not known. Only one that `stages` copies data to its own disk.
    `removed_gpus` are there, too, but were taken away from Danlu. One that is `quarantined` is drained as
    well, and so is one that is `closed`: it is there, and must first be rid of what should not run any more;
    and one that is `unfit`, by the checks of the doctor named there.
    """

    name: str
    cpus: int
    memory_mb: int
    gpu_ids: tuple[int, ...] = ()
    up: bool = True
    drained: bool = False
    drained_gpus: frozenset[int] = frozenset()
    used_gpus: frozenset[int] = frozenset()
    used_cpus: int = 0
    used_memory_mb: int = 0
    faulty_gpus: frozenset[int] = frozenset()
    foreign_gpus: frozenset[int] = frozenset()
    slots_left: tuple[tuple[int, int], ...] = ()
    partly_used: frozenset[int] = frozenset()
    closed_gpus: frozenset[int] = frozenset()
    gpu_memory_mb: tuple[int, ...] = ()
    gpu_free_mb: tuple[int, ...] = ()
    gpu_models: tuple[str, ...] = ()
    role: NodeRole = NodeRole.COMPUTE
    quarantined: bool = False
    closed: bool = False
    stages: bool = True
    unfit: tuple[str, ...] = ()
    removed_gpus: frozenset[int] = frozenset()

    @property
    def usable_gpus(self) -> frozenset[int]:
        gpus = frozenset(self.gpu_ids)
        if self.drained_gpus or self.faulty_gpus:
            return gpus - self.drained_gpus - self.faulty_gpus
        return gpus

    @property
    def in_service(self) -> bool:
        return self.up and not self.drained


class Ordering(StrEnum):
    FIFO = "fifo"
    BALANCE = "balance"


@dataclass(frozen=True, slots=True)
class Policy:
    """How the queue is ordered. A user missing in `priorities` has priority 1; nothing of `locked` users
    starts."""

    ordering: Ordering = Ordering.BALANCE
    priorities: Mapping[str, float] = field(default_factory=dict)
    paused: bool = False
    locked: frozenset[str] = frozenset()
    disk_full: bool = False
    """Nothing can be written down but what ends something: nothing starts."""

    def __post_init__(self) -> None:
        for user, priority in self.priorities.items():
            if math.isnan(priority):
                raise ValueError(f"the priority of {user} is not a number")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of the cluster. The order of `nodes` and `waiting` has no meaning."""

    now: float
    nodes: tuple[NodeView, ...] = ()
    waiting: tuple[WaitingJob, ...] = ()
    gpus_in_use: Mapping[str, int] = field(default_factory=dict)
    arrays: Mapping[int, ArrayRoom] = field(default_factory=dict)
    """Of the arrays that limit how many of their elements run at a time."""


def to_json(snapshot: Snapshot, policy: Policy) -> str:
    """One recorded pass, to be replayed with `from_json`."""
    return json.dumps({"snapshot": encode(snapshot), "policy": encode(policy)})


def from_json(text: str) -> tuple[Snapshot, Policy]:
    record = json.loads(text)
    return (
        decode(Snapshot, record["snapshot"], trusted=True),
        decode(Policy, record["policy"], trusted=True),
    )
