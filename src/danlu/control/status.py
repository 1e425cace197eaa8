"""The cluster in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.core.node import NodeState
from danlu.store.board import read_holdings
from danlu.store.jobs import ListQuery, count_areas
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


def read_status(connection: Connection) -> Status:
    nodes = list_nodes(connection)
    up = [node for node in nodes if node.state is NodeState.UP]
    counts = count_areas(connection, ListQuery())
    scheduling = read_scheduling(connection)
    return Status(
        waiting=counts["waiting"],
        running=counts["running"],
        nodes=len(nodes),
        nodes_up=len(up),
        gpus=sum(len(node.facts.gpus) for node in up),
        gpus_used=sum(len(holding.allocation.gpu_ids) for holding in read_holdings(connection)),
        paused=scheduling.paused,
        policy=scheduling.policy,
    )
