"""The cluster in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.core.node import NodeState
from danlu.store.board import read_holdings
from danlu.store.nodes import list_nodes
from danlu.store.settings import read_scheduling


@dataclass(frozen=True, slots=True)
class Status:
    waiting: int
    running: int
    nodes: int
    nodes_up: int
    gpus: int
    gpus_used: int
    paused: bool
    policy: str


def read_status(connection: Connection, areas: Mapping[str, int]) -> Status:
    """`areas` says how many jobs wait and run."""
    nodes = list_nodes(connection)
    up = [node for node in nodes if node.state is NodeState.UP]
    scheduling = read_scheduling(connection)
    return Status(
        waiting=areas["waiting"],
        running=areas["running"],
        nodes=len(nodes),
        nodes_up=len(up),
        gpus=sum(gpu.managed for node in up for gpu in node.facts.gpus),
        # A GPU that several share is one.
        gpus_used=len(
            {
                (holding.allocation.node, index)
                for holding in read_holdings(connection)
                for index in holding.allocation.gpu_ids
            }
        ),
        paused=scheduling.paused,
        policy=scheduling.policy,
    )
