"""A node as the scheduler wants to see it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from danlu.core.holding import Holding
from danlu.core.nodes.doctor import find_unfit
from danlu.core.nodes.node import Gpu, GpuReading, Node, NodeState, is_foreign_busy
from danlu.scheduling.snapshot import NodeView


def view_node(
    node: Node, holdings: Iterable[Holding], readings: Mapping[int, GpuReading], closed: bool = False
) -> NodeView:
    """A node, what is held of it, what its GPUs are doing, and whether it is closed for the moment."""
    on_gpu: dict[int, list[Holding]] = defaultdict(list)
    cpus = memory_mb = 0
    for holding in holdings:
        cpus += holding.allocation.cpus
        memory_mb += holding.allocation.memory_mb
        for index in holding.allocation.gpu_ids:
            on_gpu[index].append(holding)
    gpus = [gpu for gpu in node.facts.gpus if gpu.managed]
    plain = not readings and all(gpu.slots == 1 for gpu in gpus)
    foreign = frozenset(
        gpu.index for gpu in gpus if gpu.index in readings and is_foreign_busy(readings[gpu.index])
    )
    unfit = tuple(dict.fromkeys(finding.check for finding in find_unfit(node)))
    slots_left = {gpu.index: _slots_left(gpu, on_gpu.get(gpu.index, ())) for gpu in gpus}
    return NodeView(
        name=node.name,
        cpus=node.facts.cpus,
        memory_mb=node.facts.memory_mb,
        gpu_ids=tuple(gpu.index for gpu in gpus),
        up=node.state is NodeState.UP,
        drained=node.drained or bool(node.quarantine) or closed or bool(unfit),
        drained_gpus=frozenset(gpu.index for gpu in gpus if gpu.drained),
        used_gpus=foreign | {index for index, left in slots_left.items() if left <= 0},
        used_cpus=cpus,
        used_memory_mb=memory_mb,
        faulty_gpus=frozenset(gpu.index for gpu in gpus if gpu.fault),
        foreign_gpus=foreign,
        slots_left=() if plain else tuple((index, left) for index, left in slots_left.items() if left > 1),
        partly_used=frozenset(index for index in on_gpu if slots_left.get(index, 0) > 0),
        closed_gpus=frozenset(
            index for index, held in on_gpu.items() if any(each.allocation.no_sharing for each in held)
        ),
        gpu_memory_mb=tuple(gpu.memory_mb for gpu in gpus),
        gpu_free_mb=tuple(
            free_memory_mb(gpu, on_gpu.get(gpu.index, ()), readings.get(gpu.index)) for gpu in gpus
        ),
        gpu_models=tuple(gpu.name for gpu in gpus),
        role=node.role,
        quarantined=bool(node.quarantine),
        closed=closed and not node.drained,
        unfit=unfit,
        stages=node.facts.stages,
        removed_gpus=frozenset(gpu.index for gpu in node.facts.gpus if not gpu.managed),
    )


def _slots_left(gpu: Gpu, held: Iterable[Holding]) -> int:
    """How many more jobs may have it to themselves; none while a job shares it or has it whole."""
    holders = list(held)
    if any(each.allocation.share or each.allocation.no_sharing for each in holders):
        return 0
    return gpu.slots - len(holders)


def free_memory_mb(gpu: Gpu, held: Iterable[Holding], reading: GpuReading | None) -> int:
    """What of a card's memory is neither promised nor in use. Each holder counts with what it was promised or
    with what it uses, whichever is more; what no job of ours uses counts as it is."""
    promised = {each.job_id: each.allocation.promised_mb(gpu.memory_mb) for each in held}
    if reading is None:
        return gpu.memory_mb - sum(promised.values())
    measured: dict[int, int] = defaultdict(int)
    for process in reading.processes:
        if process.job_id is not None:
            measured[process.job_id] += process.memory_mb
    others_mb = max(0, reading.used_mb - sum(measured.values()))
    ours_mb = sum(
        max(promised.get(job, 0), measured.get(job, 0)) for job in promised.keys() | measured.keys()
    )
    return max(0, gpu.memory_mb - ours_mb - others_mb)
