"""Nodes and jobs in a few words. Ids and ages follow the order in which a test lists its jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from danlu.core.blockers import Blocker
from danlu.core.resources import make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.plan import Plan
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot

NOW = 1_000.0


def a_node(name: str = "forge", gpus: int = 0, busy: Sequence[int] = (), **fields: Any) -> NodeView:
    node = NodeView(name, cpus=16, memory_mb=64_000, gpu_ids=tuple(range(gpus)), used_gpus=frozenset(busy))
    return replace(node, **fields)


def a_job(
    gpus: int = 0,
    user: str = "ann",
    *,
    gpu_ids: tuple[int, ...] = (),
    cpus: int | None = None,
    memory_mb: int | None = None,
    node: str | None = None,
    where: Mapping[str, Any] | None = None,
    **fields: Any,
) -> WaitingJob:
    """`where` is what it says of its nodes and their GPUs: `nodes`, `gpu_model` and so on."""
    ask = make_ask(gpus, gpu_ids, cpus, memory_mb, node, **(where or {}))
    return replace(WaitingJob(id=0, owner=user, ask=ask, position=0.0), **fields)


@dataclass(frozen=True)
class Outcome:
    """A plan, asked for as a person would: by the job's number in the test's list, from 1."""

    plan: Plan

    @property
    def started(self) -> list[int]:
        return [decision.job_id for decision in self.plan.decisions]

    def where(self, job_id: int) -> tuple[str, tuple[int, ...]]:
        allocation = next(d.allocation for d in self.plan.decisions if d.job_id == job_id)
        return allocation.node, allocation.gpu_ids

    def nodes_of(self, job_id: int) -> list[str]:
        """Of its ranks, one after the other."""
        return [each.node for d in self.plan.decisions if d.job_id == job_id for each in d.allocations]

    def why(self, job_id: int) -> tuple[Blocker, ...]:
        return self.plan.blockers[job_id]


def run(
    nodes: Sequence[NodeView],
    jobs: Sequence[WaitingJob],
    ordering: Ordering = Ordering.FIFO,
    priorities: Mapping[str, float] | None = None,
    in_use: Mapping[str, int] | None = None,
    paused: bool = False,
    locked: frozenset[str] = frozenset(),
) -> Outcome:
    numbered = tuple(
        replace(job, id=job.id or number, position=job.position or float(number))
        for number, job in enumerate(jobs, start=1)
    )
    snapshot = Snapshot(NOW, tuple(nodes), numbered, in_use or {})
    return Outcome(schedule(snapshot, Policy(ordering, priorities or {}, paused, locked)))
