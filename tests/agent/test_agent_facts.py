"""What a node says of itself."""

from __future__ import annotations

import os
from pathlib import Path

from danlu.agent.gpus.simulation import SimulatedGpus
from danlu.core.nodes.node import Gpu
from tests.agent.story import Node


async def test_facts_of_the_machine(node: Node) -> None:
    facts = await node.agent.facts()
    assert facts.name == "furnace-1"
    assert facts.cpus == len(os.sched_getaffinity(0))
    assert 0 < facts.memory_mb < 1 << 24
    assert facts.boot_id == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert facts.simulated
    assert facts.runs_as_root == (os.geteuid() == 0)
    assert len(facts.gpus) == 4


async def test_simulated_gpus_are_the_same_on_every_start_and_differ_between_nodes() -> None:
    async def look(node: str, count: int) -> tuple[Gpu, ...]:
        return (await SimulatedGpus(node, count).look()).gpus

    one, again, other = await look("a", 2), await look("a", 2), await look("b", 2)
    assert one == again
    assert not {gpu.uuid for gpu in one} & {gpu.uuid for gpu in other}
    assert [(gpu.index, gpu.name, gpu.memory_mb) for gpu in one] == [
        (0, "Simulated GPU", 24576),
        (1, "Simulated GPU", 24576),
    ]
    assert await look("n", 0) == ()
