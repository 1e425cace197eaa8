"""What a job asks for that no node could ever give, and which field is to blame. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from danlu.control.jobs.node_rules import find_unknown_nodes
from danlu.control.running.hardware import Hardware
from danlu.core.blockers import NodeNotForJobs, NoSuchHardware
from danlu.core.errors import Invalid
from danlu.core.job import JobSpec
from danlu.core.nodes.node import Node
from danlu.core.resources import Ask
from danlu.scheduling.roles import may_use


def find_lacks(spec: JobSpec, hardware: Hardware) -> Iterator[Invalid]:
    """Why it could never start. Says what it asks for, and what there is."""
    if unknown := list(find_unknown_nodes(spec, hardware.by_name)):
        yield from unknown
        return
    ask = spec.ask
    match hardware.why_never(ask):
        case NodeNotForJobs(node, role):
            yield Invalid("node_not_for_jobs", field="node", node=node, role=role)
        case NoSuchHardware(mixed=mixed, able=able) if mixed:
            yield Invalid("only_mixed_nodes", field="nodes", ask=ask, mixed=mixed, able=able)
        case NoSuchHardware(able=able) if able:
            field, names = _field_of_too_few(ask, hardware), hardware.find_able(ask)
            yield Invalid("too_few_such_nodes", field=field, ask=ask, able=able, names=names)
        case NoSuchHardware():
            allowed = [node for node in hardware.nodes if may_use(ask, node.name, node.role)]
            field = _field_to_blame(spec, allowed)
            models = sorted({gpu.name for node in allowed for gpu in node.managed_gpus})
            if not allowed:
                yield Invalid("no_node_for_it", field=field, ask=ask)
            elif field == "gpu_model" and models:
                named = ", ".join(models)
                yield Invalid("no_such_gpu_model", field=field, model=ask.gpu_model, models=named)
            else:
                yield Invalid("no_such_hardware", field=field, ask=ask, nodes=allowed)


def _field_of_too_few(ask: Ask, hardware: Hardware) -> str:
    """If it would be enough with any model, it is the model."""
    if ask.gpu_model and hardware.why_never(replace(ask, gpu_model="")) is None:
        return "gpu_model"
    return "nodes"


def _field_to_blame(spec: JobSpec, nodes: list[Node]) -> str:
    ask = spec.ask
    if not nodes and ask.exclude_nodes:
        return "exclude_nodes"
    if len(nodes) < ask.nodes_min and ask.nodes > 1:
        return "nodes"
    if ask.stage and nodes and not any(node.facts.stages for node in nodes):
        return "stage"
    if ask.gpu_model and not any(_has_model(node, ask.gpu_model) for node in nodes):
        return "gpu_model"
    if nodes and all(node.facts.cpus < ask.cpus for node in nodes):
        return "cpus"
    if nodes and all(node.facts.memory_mb < ask.memory_mb for node in nodes):
        return "memory_mb"
    if ask.gpu_memory_mb and all(
        gpu.memory_mb < ask.gpu_memory_mb for node in nodes for gpu in node.managed_gpus
    ):
        return "gpu_memory_mb"
    return "gpu_ids" if len(ask.gpu_ids) >= max(spec.gpus, 1) else "gpus"


def _has_model(node: Node, model: str) -> bool:
    return any(model.casefold() in gpu.name.casefold() for gpu in node.managed_gpus)
