"""The board as the scheduler wants to see it."""

from __future__ import annotations

from collections import defaultdict

from danlu.core.node import Node, NodeState
from danlu.core.resources import Allocation
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot, WaitingJob
from danlu.store.board import Board, Holding


def make_snapshot(board: Board, now: float) -> Snapshot:
    in_use: dict[str, int] = defaultdict(int)
    for holding in board.holdings:
        in_use[holding.owner] += len(holding.allocation.gpu_ids)
    waiting = tuple(
        WaitingJob(
            id=job.id,
            user=job.owner,
            ask=job.ask,
            position=job.position,
            urgent=job.urgent,
            held=job.held,
            not_before=job.not_before,
            waits_for=job.waits_for,
            failed_predecessors=job.failed,
        )
        for job in board.line
    )
    return Snapshot(now, view_nodes(board.nodes, board.holdings), waiting, in_use)


def make_policy(board: Board) -> Policy:
    return Policy(Ordering(board.scheduling.policy), board.priorities, board.scheduling.paused)


def view_nodes(nodes: list[Node], holdings: list[Holding]) -> tuple[NodeView, ...]:
    held: dict[str, list[Allocation]] = defaultdict(list)
    for holding in holdings:
        held[holding.allocation.node].append(holding.allocation)
    return tuple(_view_node(node, held[node.name]) for node in nodes)


def _view_node(node: Node, held: list[Allocation]) -> NodeView:
    return NodeView(
        name=node.name,
        cpus=node.facts.cpus,
        memory_mb=node.facts.memory_mb,
        gpu_ids=tuple(gpu.index for gpu in node.facts.gpus),
        up=node.state is NodeState.UP,
        drained=node.drained,
        drained_gpus=frozenset(gpu.index for gpu in node.facts.gpus if gpu.drained),
        used_gpus=frozenset(index for each in held for index in each.gpu_ids),
        used_cpus=sum(each.cpus for each in held),
        used_memory_mb=sum(each.memory_mb for each in held),
    )
