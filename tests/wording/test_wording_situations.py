"""Situations of a cluster, and the sentence that the owner of a waiting job reads in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from danlu.core.nodes.node import NodeRole
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.snapshot import NodeView
from danlu.wording.sentences import sentence_of_blocker
from tests.scheduling.builders import NOW, a_job, a_node, run

GB = 1024


def a_sharer(gpu_memory_mb: int | None = None, gpus: int = 1, **fields: Any) -> WaitingJob:
    return a_job(gpus, where={"share": True, "gpu_memory_mb": gpu_memory_mb}, **fields)


def cards(*free_gb: int, closed: Sequence[int] = (), name: str = "forge", **fields: Any) -> NodeView:
    """GPUs of 80 GB of which so much is free; the jobs on the closed ones share with no other."""
    count = len(free_gb)
    return a_node(
        name,
        gpus=count,
        gpu_memory_mb=(80 * GB,) * count,
        gpu_free_mb=tuple(each * GB for each in free_gb),
        closed_gpus=frozenset(closed),
        **{"busy": range(count), **fields},
    )


@dataclass(frozen=True)
class Situation:
    """`job` waits, behind those in `before`."""

    name: str
    nodes: list[NodeView]
    job: WaitingJob
    english: str
    chinese: str
    before: list[WaitingJob] = field(default_factory=list)


SITUATIONS = [
    Situation(
        "one of four GPUs is drained",
        [a_node(gpus=4, drained_gpus=frozenset({1}))],
        a_job(gpus=4),
        "It needs 4 GPU(s) on one node; forge has 3 in service (drained: GPU 1).",
        "需要同一节点上有 4 块 GPU；forge 目前只有 3 块可用（排空：GPU 1）。",
    ),
    Situation(
        "one is drained, one is broken, and the other node is away",
        [
            a_node(gpus=4, drained_gpus=frozenset({1}), faulty_gpus=frozenset({3})),
            a_node("anvil", gpus=4, up=False),
        ],
        a_job(gpus=3),
        "It needs 3 GPU(s) on one node; forge has 2 in service (drained: GPU 1, faulty: GPU 3). "
        "Other nodes that could run it are out of service: anvil.",
        "需要同一节点上有 3 块 GPU；forge 目前只有 2 块可用（排空：GPU 1，故障：GPU 3）。"
        "其他能运行它的节点不可用：anvil。",
    ),
    Situation(
        "the node that it names has a drained GPU",
        [a_node(gpus=4, drained_gpus=frozenset({1})), a_node("anvil", gpus=4, busy=[0])],
        a_job(gpus=4, node="forge"),
        "It needs 4 GPU(s) on one node; forge has 3 in service (drained: GPU 1).",
        "需要同一节点上有 4 块 GPU；forge 目前只有 3 块可用（排空：GPU 1）。",
    ),
    Situation(
        "every node is out of service, each in its own way",
        [
            a_node("a", gpus=1, drained=True),
            a_node("b", gpus=1, up=False),
            a_node("c", gpus=1, drained=True, quarantined=True),
            a_node("d", gpus=1, drained=True, closed=True),
            a_node("e", gpus=1, drained=True, unfit=("disk", "clock")),
        ],
        a_job(gpus=1),
        "Every node that could run it is out of service: a (drained), b (cannot be reached), c "
        "(quarantined), d (has just come back), e (its disk is full or cannot be written). "
        "Such a node returns to service by itself once the problem is fixed (danlu nodes says more).",
        "能运行它的节点都不可用：a（排空）, b（失联）, c（被隔离）, d（刚刚恢复）, e（磁盘已满或无法写入）。"
        "自动检查发现的问题排除后会自行恢复（详见 danlu nodes）。",
    ),
    Situation(
        "a hundred nodes are not all named",
        [a_node(f"n{number:02}", gpus=1, up=False) for number in range(100)],
        a_job(gpus=1),
        "Every node that could run it is out of service: "
        + "".join(f"n0{number} (cannot be reached), " for number in range(8))
        + "….",
        "能运行它的节点都不可用：" + "".join(f"n0{number}（失联）, " for number in range(8)) + "…。",
    ),
    Situation(
        "exact GPUs are drained on one node and broken on the other",
        [a_node("a", gpus=1, drained_gpus=frozenset({0})), a_node("b", gpus=1, faulty_gpus=frozenset({0}))],
        a_job(gpu_ids=(0,)),
        "It needs exactly GPU 0, which is faulty (danlu gpus says why).",
        "它指定的 GPU 0出现故障（原因见 danlu gpus）。",
    ),
    Situation(
        "a GPU was removed while it waits",
        [a_node(gpus=3, removed_gpus=frozenset({3})), a_node("tiny", gpus=1)],
        a_job(gpus=4),
        "No node has what it asks for (4 GPU); it is waiting for such hardware to join. GPUs of forge "
        "were removed from Danlu: with them it might start (danlu gpu add).",
        "没有任何节点能满足它的要求（4 块 GPU），正在等待这样的硬件加入。"
        "forge 上有 GPU 已移出丹炉，加回后或可启动（danlu gpu add）。",
    ),
    Situation(
        "no node has such hardware, with or without what was removed",
        [a_node(gpus=3, removed_gpus=frozenset({3}))],
        a_job(gpus=8),
        "No node has what it asks for (8 GPU); it is waiting for such hardware to join.",
        "没有任何节点能满足它的要求（8 块 GPU），正在等待这样的硬件加入。",
    ),
    Situation(
        "a sharer behind a job that shares with no other",
        [cards(70, closed=[0])],
        a_sharer(8 * GB),
        "It wants to share 1 GPU(s), but too few can be shared: 1 GPU(s) are held by jobs that do not share "
        "(--no-sharing).",
        "它要共享 1 块 GPU，但可共享的不够：1 块由不愿共享（--no-sharing）的任务占用。",
    ),
    Situation(
        "a sharer for whom one card is closed and the other full",
        [cards(70, 4, closed=[0])],
        a_sharer(8 * GB),
        "It wants to share 1 GPU(s) with 8 GB free; the most free on any GPU now is 4 GB. 1 more GPU(s) "
        "are held by jobs that do not share (--no-sharing).",
        "它要共享 1 块 GPU，需要 8 GB空闲显存，目前单卡最多空闲 4 GB。"
        "另有 1 块由不愿共享（--no-sharing）的任务占用。",
    ),
    Situation(
        "a sharer of a card that it names",
        [cards(4, 70)],
        a_sharer(8 * GB, gpu_ids=(0,)),
        "It wants to share 1 GPU(s) with 8 GB free; the most free on any GPU now is 4 GB.",
        "它要共享 1 块 GPU，需要 8 GB空闲显存，目前单卡最多空闲 4 GB。",
    ),
    Situation(
        "a sharer of a card that it names and that is closed",
        [cards(70, 70, closed=[0])],
        a_sharer(8 * GB, gpu_ids=(0,)),
        "It wants to share 1 GPU(s), but too few can be shared: 1 GPU(s) are held by jobs that do not share "
        "(--no-sharing).",
        "它要共享 1 块 GPU，但可共享的不够：1 块由不愿共享（--no-sharing）的任务占用。",
    ),
    Situation(
        "a sharer of two cards of which one has room",
        [cards(70, 4), cards(70, 6, name="anvil")],
        a_sharer(8 * GB, gpus=2),
        "It wants to share 2 GPU(s) of one node with 8 GB free on each; the most free on that many now is "
        "6 GB.",
        "它要共享同一节点的 2 块 GPU，每块需要 8 GB空闲显存，目前最多各空闲 6 GB。",
    ),
    Situation(
        "a sharer for whom there is memory on a card, and no CPU beside it",
        [cards(70, used_cpus=14), cards(1, name="anvil")],
        a_sharer(8 * GB, cpus=8),
        "It needs 8 free CPU(s) in addition to its 1 GPU(s) on one node; the most free now is 2.",
        "需要同一节点上除 1 块 GPU 外还有 8 个空闲 CPU，目前最多只有 2 个。",
    ),
    Situation(
        "CPUs are free where no GPU is",
        [a_node(gpus=1, used_cpus=12), a_node("anvil", gpus=1, busy=[0])],
        a_job(gpus=1, cpus=8),
        "It needs 8 free CPU(s) in addition to its 1 GPU(s) on one node; the most free now is 4.",
        "需要同一节点上除 1 块 GPU 外还有 8 个空闲 CPU，目前最多只有 4 个。",
    ),
    Situation(
        "memory is free where no GPU is",
        [a_node(gpus=1, used_memory_mb=63_000), a_node("anvil", gpus=1, busy=[0])],
        a_job(gpus=1, memory_mb=8 * GB),
        "It needs 8 GB of free memory in addition to its 1 GPU(s) on one node; the most free now is 1000 MB.",
        "需要同一节点上除 1 块 GPU 外还有 8 GB 空闲内存，目前最多只有 1000 MB。",
    ),
    Situation(
        "a job without GPUs",
        [a_node(used_cpus=12)],
        a_job(cpus=8),
        "It needs 8 free CPU(s) on one node; the most free now is 4.",
        "需要同一节点上有 8 个空闲 CPU，目前最多只有 4 个。",
    ),
    Situation(
        "who is next in the queue",
        [a_node(gpus=4, busy=[0])],
        a_job(gpus=4),
        "It is next in the queue and needs 4 free GPU(s) on one node; the most free now is 3.",
        "已轮到它，需要同一节点上有 4 块空闲 GPU，目前最多只有 3 块。",
    ),
    Situation(
        "who might pass a head that waits for exact GPUs is not next in the queue",
        [a_node(gpus=4, busy=[0])],
        a_job(gpus=4),
        "It needs 4 free GPU(s) on one node; the most free now is 3.",
        "需要同一节点上有 4 块空闲 GPU，目前最多只有 3 块。",
        before=[a_job(gpu_ids=(0,))],
    ),
    Situation(
        "who would fit with what is kept for the head",
        [a_node(gpus=2, busy=[0])],
        a_job(gpus=1),
        "It would fit on GPU 0, 1 of forge, but that is kept for job 1, which is first in the queue "
        "and needs exactly that.",
        "用上 forge 的 GPU 0, 1 就放得下它，但这已为任务 1 保留：后者排在队首，指定要用它。",
        before=[a_job(gpu_ids=(0, 1))],
    ),
    Situation(
        "GPUs of a model and a size",
        [a_node(gpus=4, busy=[0], gpu_memory_mb=(80 * GB,) * 4, gpu_models=("A100",) * 4)],
        a_job(gpus=4, where={"gpu_memory_mb": 40 * GB, "gpu_model": "A100"}),
        "It is next in the queue and needs 4 free A100 GPU(s) with 40 GB each on one node; the most free "
        "now is 3.",
        "已轮到它，需要同一节点上有 4 块空闲的 A100 GPU（每块 40 GB 显存），目前最多只有 3 块。",
    ),
    Situation(
        "only slots of the GPUs are free",
        [a_node(gpus=2, slots_left=((0, 1), (1, 2)), partly_used=frozenset({0}))],
        a_job(gpus=2, where={"no_sharing": True}),
        "It is next in the queue and needs 2 free GPU(s) to itself on one node; the most free now is 1.",
        "已轮到它，需要同一节点上有 2 块空闲 GPU（无人共用），目前最多只有 1 块。",
    ),
    Situation(
        "processes that Danlu did not start",
        [a_node(gpus=2, busy=[0], foreign_gpus=frozenset({0}), gpu_models=("A100",) * 2)],
        a_job(gpus=2, where={"gpu_model": "a100"}),
        "It is next in the queue and needs 2 free a100 GPU(s) on one node; the most free now is 1. 1 "
        "GPU(s) are in use by processes that Danlu did not start (danlu gpus lists them).",
        "已轮到它，需要同一节点上有 2 块空闲的 a100 GPU，目前最多只有 1 块。"
        "有 1 块 GPU 正被 Danlu 之外的进程占用（详见 danlu gpus）。",
    ),
    Situation(
        "a login node is no node for jobs",
        [a_node("gate", gpus=4, role=NodeRole.LOGIN)],
        a_job(gpus=1, node="gate"),
        "Its node gate is a login node and takes no jobs; name another node, or none.",
        "指定的节点 gate 是登录节点，不运行任务；请改用其他节点，或不指定节点。",
    ),
]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_what_is_said(situation: Situation) -> None:
    number = len(situation.before) + 1
    blockers = run(situation.nodes, [*situation.before, situation.job]).why(number)
    assert sentence_of_blocker("en-x-cli", blockers[0], number, NOW) == situation.english
    assert sentence_of_blocker("zh-x-cli", blockers[0], number, NOW) == situation.chinese
