"""The cluster in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danlu.control.running.live_board import LiveBoard
from danlu.core.nodes.node import NodeState


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    waiting: int
    running: int
    nodes: int
    nodes_up: int
    gpus: int
    gpus_used: int
    paused: bool
    policy: str
    disk_full: bool


async def read_status(
    board: LiveBoard, areas: Mapping[str, int], *, disk_full: bool = False
) -> ClusterStatus:
    """`areas` says how many jobs wait and run."""
    await board.refresh()
    places, scheduling = board.places(), board.scheduling
    up = [node for node, _ in places if node.state is NodeState.UP]
    return ClusterStatus(
        waiting=areas["waiting"],
        running=areas["running"],
        nodes=len(places),
        nodes_up=len(up),
        gpus=sum(gpu.managed for node in up for gpu in node.facts.gpus),
        # A GPU that several share is one.
        gpus_used=sum(
            len({index for holding in held for index in holding.allocation.gpu_ids}) for _, held in places
        ),
        paused=scheduling.paused,
        policy=scheduling.policy,
        disk_full=disk_full,
    )
