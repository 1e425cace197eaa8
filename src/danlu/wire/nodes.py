"""Nodes and GPUs on the wire."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.core.node import NodeState


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuRow:
    node: str
    index: int
    uuid: str
    name: str
    memory_mb: int
    drained: bool
    job: int | None
    user: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    name: str
    state: NodeState
    since: float
    drained: bool
    simulated: bool
    runs_as_root: bool
    cpus: int
    cpus_used: int
    memory_mb: int
    memory_used_mb: int
    gpus: list[GpuRow]
    jobs: list[int]
