"""A job that could never start is refused with what it asks for, what there is, and what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.api.errors import problem_of
from danlu.control.jobs.specs import make_spec, problems_of
from danlu.control.jobs.unsatisfiable import find_lacks
from danlu.control.running.hardware import Hardware
from danlu.core.errors import DanluError
from danlu.core.nodes.node import Gpu, Node, NodeFacts, NodeRole, NodeState
from danlu.wire.jobs import JobFields
from danlu.wire.server import Problem


def a_node(name: str, gpus: int = 4, model: str = "A100", role: NodeRole = NodeRole.COMPUTE) -> Node:
    cards = tuple(Gpu(index, f"GPU-{name}-{index}", f"NVIDIA {model}", 80_000) for index in range(gpus))
    return Node(NodeFacts(name, 16, 64_000, cards, "boot"), NodeState.UP, 0.0, role=role)


THREE = Hardware([a_node("n1"), a_node("n2"), a_node("n3")])
TWO_MODELS = Hardware([a_node("n1"), a_node("n2"), a_node("n3", model="V100")])


def refusals(hardware: Hardware, **fields: Any) -> list[DanluError]:
    wanted = JobFields(command="train", directory="/work", **fields)
    return [*problems_of(wanted, "/")] or [*find_lacks(make_spec(wanted, "/"), hardware)]


def told(hardware: Hardware, **fields: Any) -> tuple[Problem, Problem]:
    """The one refusal, in English and in Chinese."""
    (refusal,) = refusals(hardware, **fields)
    english, chinese = problem_of("en", refusal), problem_of("zh", refusal)
    assert english.hint
    assert chinese.hint
    return english, chinese


def test_more_nodes_than_there_are() -> None:
    english, chinese = told(THREE, nodes="4", gpus=2)
    assert (english.code, english.field) == ("too_few_such_nodes", "nodes")
    assert english.message == (
        "There are too few nodes for this: the job asks for 2 GPU on each of 4 nodes; only 3 could ever "
        "provide that (n1, n2, n3)."
    )
    assert chinese.message == "节点不够：要求 4 个节点，每个 2 块 GPU；能满足的只有 3 个（n1, n2, n3）。"


def test_a_gpu_that_was_removed_is_not_counted() -> None:
    cards = a_node("n1").facts.gpus
    facts = replace(a_node("n1").facts, gpus=(*cards[:3], replace(cards[3], managed=False)))
    english, chinese = told(Hardware([replace(a_node("n1"), facts=facts), a_node("n2", gpus=2)]), gpus=4)
    assert (english.code, english.field) == ("no_such_hardware", "gpus")
    assert english.message == (
        "No node can ever run this: the job asks for 4 GPU; the largest node is n1 (3 GPU, 1 more removed "
        "from Danlu: danlu gpu add, 16 CPU, 62.5 GB)."
    )
    assert "n1 (3 GPU, 另有 1 块已移出丹炉，可用 danlu gpu add 加回, 16 CPU, 62.5 GB)" in chinese.message


def test_the_largest_node_is_told_with_what_was_asked_for() -> None:
    english, _ = told(THREE, gpu_ids=[7])
    assert (english.field, english.message.partition("; ")[2]) == (
        "gpu_ids",
        "the largest node is n1 (4 GPU, with ids 0,1,2,3, 16 CPU, 62.5 GB).",
    )
    english, _ = told(THREE, gpus=1, gpu_memory_mb=200_000)
    assert (english.field, english.message.partition("; ")[2]) == (
        "gpu_memory_mb",
        "the largest node is n1 (4 GPU, up to 78.1 GB on a GPU, 16 CPU, 62.5 GB).",
    )


def test_a_node_that_takes_no_jobs_is_not_the_largest() -> None:
    gate = a_node("gate", gpus=8, role=NodeRole.LOGIN)
    english, _ = told(Hardware([gate, a_node("n1")]), gpus=6)
    assert "the largest node is n1 (4 GPU" in english.message
    english, chinese = told(Hardware([gate]), gpus=1)
    assert (english.code, english.field) == ("no_node_for_it", "gpus")
    assert english.message == "No node may run this: 1 GPU."
    assert chinese.message == "没有可以运行它的节点：1 块 GPU。"


def test_a_model_that_too_few_nodes_have() -> None:
    english, chinese = told(TWO_MODELS, nodes="2", gpus=1, gpu_model="V100")
    assert (english.code, english.field) == ("too_few_such_nodes", "gpu_model")
    assert "V100" in english.message
    assert "only 1 could ever provide that (n3)" in english.message
    assert "只有 1 个（n3）" in chinese.message


def test_a_model_that_nobody_has() -> None:
    english, chinese = told(TWO_MODELS, gpus=1, gpu_model="B200")
    assert (english.code, english.field) == ("no_such_gpu_model", "gpu_model")
    assert english.message.startswith("None of the GPUs it may use is a B200; there are: ")
    assert "V100" in english.message
    assert "没有型号 B200" in chinese.message


def test_fewer_nodes_named_than_wanted() -> None:
    english, chinese = told(THREE, nodes="3", only_nodes=["n1", "n2"])
    assert (english.code, english.field) == ("too_few_nodes_named", "only_nodes")
    assert english.message == "The job asks for at least 3 nodes, but may use only 2 of them."
    assert chinese.message == "至少要求 3 个节点，但允许使用的只有 2 个。"


def test_too_many_excluded() -> None:
    english, _ = told(THREE, nodes="2:3", exclude_nodes=["n1", "n3"])
    assert (english.code, english.field) == ("too_few_such_nodes", "nodes")
    assert "2:3 nodes, not on n1, n3; only 1 could ever provide that (n2)" in english.message


def test_enough_nodes_but_of_two_models() -> None:
    english, chinese = told(TWO_MODELS, nodes="3", gpus=1)
    assert (english.code, english.field) == ("only_mixed_nodes", "nodes")
    assert "3 nodes could provide that, but their GPU models differ: at most 2" in english.message
    assert "型号相同的最多 2 个" in chinese.message
    assert refusals(TWO_MODELS, nodes="2", gpus=1) == []


def test_more_on_each_node_than_any_has() -> None:
    english, _ = told(THREE, nodes="2", gpus=5)
    assert (english.code, english.field) == ("no_such_hardware", "gpus")
    assert "5 GPU on each of 2 nodes; the largest node is n1 (4 GPU" in english.message


@pytest.mark.parametrize(("role", "word"), [(NodeRole.LOGIN, "登录"), (NodeRole.TRANSFER, "传输")])
def test_a_node_that_is_there_for_something_else(role: NodeRole, word: str) -> None:
    hardware = Hardware([a_node("n1"), a_node("door", role=role)])
    english, chinese = told(hardware, node="door", gpus=1)
    assert (english.code, english.field) == ("node_not_for_jobs", "node")
    assert english.message == f"Node door does not take such jobs: it is a {role.value} node."
    assert chinese.message == f"节点 door 是{word}节点，不接受这样的任务。"


def test_not_all_names_of_a_large_cluster_are_told() -> None:
    hardware = Hardware([a_node(f"n{number}") for number in range(10, 30)])
    english, _ = told(hardware, nodes="99")
    assert "only 20 could ever provide that (n10, n11, n12, n13, n14, n15, n16, n17, …)" in english.message
