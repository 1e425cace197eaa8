"""A node as the scheduler sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from danlu.control.running.node_view import view_node
from danlu.core.holding import Holding
from danlu.core.nodes.node import Gpu, Node, NodeFacts, NodeRole, NodeState
from danlu.core.resources import Allocation


def a_node(**fields: Any) -> Node:
    gpus = (
        Gpu(0, "u0", "NVIDIA A100", 80_000),
        Gpu(1, "u1", "NVIDIA V100", 16_000),
        Gpu(2, "u2", "NVIDIA T4", 16_000, managed=False),
    )
    return replace(Node(NodeFacts("forge", 8, 1_000, gpus, "boot"), NodeState.UP, 0.0), **fields)


def test_each_gpu_with_its_model() -> None:
    view = view_node(a_node(), (), {})
    assert view.gpu_ids == (0, 1)
    assert view.gpu_models == ("NVIDIA A100", "NVIDIA V100")


def test_what_the_node_is_there_for() -> None:
    assert view_node(a_node(), (), {}).role is NodeRole.COMPUTE
    assert view_node(a_node(role=NodeRole.DEBUG), (), {}).role is NodeRole.DEBUG


def test_one_in_quarantine_is_drained() -> None:
    view = view_node(a_node(quarantine="lost 3 times within 10 minutes"), (), {})
    assert view.drained
    assert view.quarantined
    assert not view.in_service
    drained = view_node(a_node(drained=True), (), {})
    assert (drained.drained, drained.quarantined) == (True, False)


def test_ranks_of_one_job_hold_what_is_theirs_on_each_node() -> None:
    here = Holding(7, "ann", Allocation("forge", (1,), cpus=2, memory_mb=100))
    view = view_node(a_node(), [here], {})
    assert (view.used_gpus, view.used_cpus, view.used_memory_mb) == (frozenset({1}), 2, 100)
