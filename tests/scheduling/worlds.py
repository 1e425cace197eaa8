"""Small clusters and lines in which everything that can happen happens often.

Hypothesis draws the sizes and a seed, and a generator of its own makes each world from them: drawing every
field through Hypothesis gave worlds in which five of six passes started nothing.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from danlu.core.nodes.node import NodeRole
from danlu.core.resources import Ask, make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot

NAMES = ("a", "b", "c", "d", "e", "f", "g")
MODELS = ("A100", "A100 80GB", "V100", "")
USERS = ("ann", "bo", "cy")
NOW = 10.0
OUTSIDE: list[dict[str, Any]] = [
    {"held": True},
    {"not_before": NOW - 5},
    {"not_before": NOW + 5},
    {"not_before": NOW + 5_000_000},
    {"waits_for": (90,)},
    {"failed_predecessors": (91, 92), "held": True},
]
PRIORITY = st.sampled_from([1.0, -2.0, -1.0, 0.0, 0.5, 2.0, 3.0])
PRIORITIES = st.fixed_dictionaries({}, optional=dict.fromkeys(USERS, PRIORITY))


def make_node(rng: Random, name: str) -> NodeView:
    gpu_ids = tuple(sorted(rng.sample(range(6), rng.choice([0, 1, 3, 4, 4, 5]))))
    quarantined = rng.random() < 0.05
    return NodeView(
        name=name,
        cpus=rng.randint(2, 10),
        memory_mb=rng.randint(2, 10),
        gpu_ids=gpu_ids,
        up=rng.random() > 0.1,
        drained=quarantined or rng.random() < 0.1,
        drained_gpus=frozenset(index for index in gpu_ids if rng.random() < 0.1),
        used_gpus=frozenset(index for index in gpu_ids if rng.random() < 0.2),
        used_cpus=rng.randint(0, 4),
        used_memory_mb=rng.randint(0, 4),
        gpu_models=make_models(rng, len(gpu_ids)),
        role=rng.choice([*NodeRole, *[NodeRole.COMPUTE] * 16]),
        quarantined=quarantined,
    )


def make_models(rng: Random, gpus: int) -> tuple[str, ...]:
    """Mostly all alike, at times of several models, at times unknown."""
    kind = rng.random()
    if kind < 0.2:
        return ()
    if kind < 0.4:
        return tuple(rng.choice(MODELS) for _ in range(gpus))
    return (rng.choice(MODELS[:2]),) * gpus


def make_shape(rng: Random) -> Ask:
    exact = rng.sample(range(6), rng.randint(1, 2)) if rng.random() < 0.2 else ()
    nodes = rng.choice([1, 1, 1, 2, 2, 3])
    return make_ask(
        gpus=rng.choice([0, 1, 1, 1, 2, 3]),
        gpu_ids=tuple(exact),
        cpus=rng.choice([None, None, None, 0, 1, 2, 4]),
        memory_mb=rng.choice([None, None, None, 1, 3]),
        node=rng.choice(NAMES) if nodes == 1 and rng.random() < 0.12 else None,
        nodes=nodes,
        nodes_min=rng.randint(1, nodes) if rng.random() < 0.3 else None,
        spread=rng.random() < 0.2,
        only_nodes=tuple(rng.sample(NAMES, 4)) if rng.random() < 0.12 else (),
        exclude_nodes=tuple(rng.sample(NAMES, 1)) if rng.random() < 0.15 else (),
        gpu_model=rng.choice(["a100", "80gb", "V1"]) if rng.random() < 0.12 else None,
    )


def make_job(rng: Random, job_id: int, shapes: list[Ask]) -> WaitingJob:
    return WaitingJob(
        id=job_id,
        owner=rng.choice(USERS),
        ask=rng.choice(shapes),
        position=rng.choice([0.5, 1.0, 2.0, 3.0]),
        urgent=rng.random() < 0.15,
        **(rng.choice(OUTSIDE) if rng.random() < 0.15 else {}),
    )


def make_snapshot(seed: int, nodes: int, jobs: int) -> Snapshot:
    rng = Random(seed)
    shapes = [make_shape(rng) for _ in range(rng.randint(1, 8))]
    gpus_in_use = {user: rng.randint(0, 4) for user in rng.sample(USERS, 2)}
    return Snapshot(
        now=NOW,
        nodes=tuple(make_node(rng, name) for name in rng.sample(NAMES, nodes)),
        waiting=tuple(make_job(rng, number, shapes) for number in range(1, jobs + 1)),
        gpus_in_use=gpus_in_use,
    )


def snapshots() -> st.SearchStrategy[Snapshot]:
    sizes = st.sampled_from(
        [(0, 3), (1, 0), (1, 6), (2, 12), (3, 12), (3, 20), (4, 20), (4, 25), (5, 30), (7, 30)]
    )
    return st.builds(lambda seed, size: make_snapshot(seed, *size), st.integers(0, 2**40), sizes)


def policies(
    *orderings: Ordering, paused: st.SearchStrategy[bool] | None = None
) -> st.SearchStrategy[Policy]:
    chosen = st.sampled_from(orderings or tuple(Ordering))
    locked = st.sampled_from([frozenset(), frozenset(), frozenset(USERS[:1])])
    return st.builds(Policy, chosen, PRIORITIES, paused if paused is not None else st.just(False), locked)
