"""What people say about the nodes of a job, and the rules that it has to keep. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from danlu.core.errors import Invalid
from danlu.core.job import JobSpec
from danlu.core.nodes.node import Node, NodeRole
from danlu.wire.fields import AUTO
from danlu.wire.jobs import JobFields

MOST_NODES = 1024
DEBUG_LIMIT_S = 15 * 60.0
"""How long a job may stay on a node that is there for trying things out."""


def parse_nodes(text: str) -> tuple[int | None, int]:
    """The least and the most nodes: `2` has no least of its own, `1:4` has. Raises ValueError."""
    match = re.fullmatch(r"\s*(?:(\d{1,9})\s*:)?\s*(\d{1,9})\s*", text, re.ASCII)
    if match is None:
        raise ValueError(text)
    most = int(match[2])
    least = most if match[1] is None else int(match[1])
    if not 1 <= least <= most <= MOST_NODES:
        raise ValueError(text)
    return (None if least == most else least), most


def is_auto(nodes: str | None) -> bool:
    return nodes is not None and nodes.strip().lower() == AUTO


def write_nodes(spec: JobSpec) -> str:
    if spec.auto is not None and spec.auto.nodes:
        return AUTO
    return f"{spec.nodes_min}:{spec.nodes}" if spec.is_elastic else str(spec.nodes)


def find_bad_places(fields: JobFields) -> Iterator[Invalid]:
    """Every rule about nodes that the fields break by themselves."""
    try:
        said = None if is_auto(fields.nodes) else fields.nodes
        least, most = parse_nodes(said) if said is not None else (None, 1)
    except ValueError:
        least, most = None, 1
        yield Invalid("bad_nodes", field="nodes", nodes=fields.nodes, most=MOST_NODES)
    only, excluded = set(fields.only_nodes or ()), set(fields.exclude_nodes or ())
    if most > 1 and fields.node is not None:
        yield Invalid("node_for_many", field="node", node=fields.node, nodes=fields.nodes)
    if fields.node is not None and only and fields.node not in only:
        yield Invalid("node_not_among", field="only_nodes", node=fields.node)
    if fields.node is not None and fields.node in excluded:
        yield Invalid("node_not_among", field="exclude_nodes", node=fields.node)
    if only and (left := len(only - excluded)) < (least or most):
        yield Invalid("too_few_nodes_named", field="only_nodes", left=left, least=least or most)
    if (most > 1 or is_auto(fields.nodes)) and fields.call is not None:
        yield Invalid("call_on_many_nodes", field="nodes", nodes=fields.nodes)
    if fields.gpu_model and not (fields.gpus or fields.gpu_ids or fields.share):
        yield Invalid("gpu_model_without_gpus", field="gpu_model")


def find_bad_service(fields: JobFields) -> Iterator[Invalid]:
    """A service has no end of its own, so nothing about it may need one."""
    if not fields.service:
        return
    if fields.array is not None:
        yield Invalid("service_array", field="array")
    if fields.time_limit_s is not None:
        yield Invalid("service_time_limit", field="time_limit_s")
    if fields.call is not None:
        yield Invalid("service_call", field="service")


def find_unknown_nodes(spec: JobSpec, names: Collection[str]) -> Iterator[Invalid]:
    said = {"node": (spec.node,), "only_nodes": spec.only_nodes, "exclude_nodes": spec.exclude_nodes}
    for field, named in said.items():
        for name in named:
            if name is not None and name not in names:
                yield Invalid("no_such_node", field=field, node=name, nodes=", ".join(names))


def keep_short(spec: JobSpec, nodes: Iterable[Node]) -> JobSpec:
    """A job for a debug node with the time limit of such a node, where it is not shorter already."""
    if _names_debug(spec, nodes) and not spec.service:
        return replace(spec, time_limit_s=min(spec.time_limit_s or DEBUG_LIMIT_S, DEBUG_LIMIT_S))
    return spec


def find_too_long(spec: JobSpec, nodes: Iterable[Node]) -> Iterator[Invalid]:
    """What a job asks of a debug node that no job gets there."""
    if not _names_debug(spec, nodes):
        return
    if spec.service:
        yield Invalid("service_on_debug_node", field="service", node=spec.node)
    elif spec.time_limit_s is not None and spec.time_limit_s > DEBUG_LIMIT_S:
        minutes = int(DEBUG_LIMIT_S // 60)
        yield Invalid("debug_time_limit", field="time_limit_s", node=spec.node, minutes=minutes)


def _names_debug(spec: JobSpec, nodes: Iterable[Node]) -> bool:
    return spec.node is not None and any(
        node.name == spec.node and node.role is NodeRole.DEBUG for node in nodes
    )
