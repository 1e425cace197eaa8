"""A head of the queue that waits for exact GPUs: others pass it, and no job takes a GPU that it waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from danlu.core.blockers import (
    BehindInQueue,
    CpusBusy,
    ExactGpusBusy,
    ExactGpusBusyOnNodes,
    GpuMemoryBusy,
    GpusBusy,
    GpusKept,
    MemoryBusy,
)
from danlu.core.resources import Allocation
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.placement import FreeNodes
from danlu.scheduling.plan import Plan
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot
from tests.scheduling.builders import a_job, a_node, run

CARD_MB = 100


def test_others_go_round_the_gpus_that_the_head_waits_for() -> None:
    nodes = [a_node(gpus=4, busy=[1])]
    outcome = run(nodes, [a_job(gpu_ids=(0, 1)), a_job(gpus=1), a_job(gpus=1), a_job(gpus=1)])
    assert [outcome.where(2), outcome.where(3)] == [("forge", (2,)), ("forge", (3,))]
    assert outcome.why(1) == (ExactGpusBusy(None, (1,)),)
    assert outcome.why(4) == (GpusKept(head=1, gpu_ids=(0, 1), nodes=("forge",)),)


def test_once_they_are_free_the_head_starts() -> None:
    outcome = run([a_node(gpus=4, busy=[2, 3])], [a_job(gpu_ids=(0, 1)), a_job(gpus=1)])
    assert outcome.started == [1]


def test_only_the_node_nearest_to_having_them_free_keeps_them() -> None:
    nodes = [a_node("a", gpus=2, busy=[0, 1]), a_node("b", gpus=2, busy=[0]), a_node("c", gpus=2, busy=[1])]
    outcome = run(nodes, [a_job(gpu_ids=(0, 1)), a_job(gpus=1), a_job(gpus=1)])
    assert outcome.where(2) == ("c", (0,))
    assert outcome.why(3) == (GpusKept(head=1, gpu_ids=(0, 1), nodes=("b",)),)


def test_a_named_node_keeps_them() -> None:
    nodes = [a_node("a", gpus=2, busy=[0]), a_node("b", gpus=2, busy=[0])]
    outcome = run(nodes, [a_job(gpu_ids=(0, 1), node="b"), a_job(gpus=1), a_job(gpus=1)])
    assert outcome.where(2) == ("a", (1,))
    assert outcome.why(3) == (GpusKept(head=1, gpu_ids=(0, 1), nodes=("b",)),)


def test_who_needs_more_than_what_is_kept_is_told_of_all_that_is_free() -> None:
    outcome = run([a_node(gpus=4, busy=[1])], [a_job(gpu_ids=(0, 1)), a_job(gpus=4)])
    assert outcome.why(2) == (GpusBusy(wanted=4, free=3, node=None, first=False),)


def test_another_that_wants_exactly_what_is_kept_is_told_so() -> None:
    outcome = run(
        [a_node(gpus=4, busy=[1])], [a_job(gpu_ids=(0, 1)), a_job(gpu_ids=(0,)), a_job(gpu_ids=(1,))]
    )
    assert outcome.why(2) == (GpusKept(head=1, gpu_ids=(0, 1), nodes=("forge",)),)
    assert outcome.why(3) == (ExactGpusBusy(None, (1,)),)


def test_as_many_nodes_keep_them_as_the_head_needs() -> None:
    nodes = [a_node(name, gpus=2, busy=busy) for name, busy in zip("abc", ([0], [], []), strict=True)]
    head = a_job(gpu_ids=(0,), where={"nodes": 3})
    outcome = run(nodes, [head, a_job(gpus=2), a_job(gpus=1, where={"nodes": 3})])
    assert outcome.why(1) == (ExactGpusBusyOnNodes((0,), wanted=3, ready=2),)
    assert outcome.why(2) == (GpusKept(head=1, gpu_ids=(0,), nodes=("b", "c")),)
    assert outcome.nodes_of(3) == ["a", "b", "c"]
    assert all(given_.gpu_ids == (1,) for given_ in outcome.plan.decisions[0].allocations)


def test_a_gang_that_lacks_only_what_is_kept_is_told_so() -> None:
    nodes = [a_node("a", gpus=1, busy=[0]), a_node("b", gpus=1), a_node("c", gpus=1)]
    head = a_job(gpu_ids=(0,), where={"nodes": 3, "nodes_min": 3})
    outcome = run(nodes, [head, a_job(gpus=1, where={"nodes": 2})])
    assert outcome.why(2) == (GpusKept(head=1, gpu_ids=(0,), nodes=("b", "c")),)


class TestSharing:
    def card(self, **fields: Any) -> NodeView:
        """Two cards; on the first one runs a job that does not mind company."""
        memory = {"gpu_memory_mb": (CARD_MB, CARD_MB), "gpu_free_mb": (80, 60)}
        return a_node(gpus=2, busy=[0], **{**memory, **fields})

    def test_who_shares_joins_another_card_than_the_one_that_is_waited_for(self) -> None:
        sharer = a_job(gpus=1, where={"share": True, "gpu_memory_mb": 50})
        assert run([self.card()], [sharer]).where(1) == ("forge", (0,))
        outcome = run([self.card()], [a_job(gpu_ids=(0,)), sharer, sharer])
        assert outcome.where(2) == ("forge", (1,))
        assert outcome.why(3) == (GpusKept(head=1, gpu_ids=(0,), nodes=("forge",)),)

    def test_who_shares_and_fits_nowhere_is_told_of_the_memory(self) -> None:
        sharer = a_job(gpus=1, where={"share": True, "gpu_memory_mb": 90})
        outcome = run([self.card()], [a_job(gpu_ids=(0,)), sharer])
        assert outcome.why(2) == (GpuMemoryBusy(gpus=1, wanted_mb=90, free_mb=80, node=None),)

    def test_the_exact_gpus_of_an_ordinary_head_are_kept_from_who_shares(self) -> None:
        head = a_job(gpus=2, gpu_ids=(1,))
        sharer = a_job(gpus=1, where={"share": True, "gpu_memory_mb": 50})
        outcome = run([self.card(gpu_free_mb=(40, CARD_MB))], [head, a_job(gpus=1), sharer])
        assert outcome.why(1) == (GpusBusy(wanted=2, free=1, node=None),)
        assert outcome.why(2) == (BehindInQueue(head=1, place=2),)
        assert outcome.why(3) == (GpusKept(head=1, gpu_ids=(1,), nodes=("forge",)),)

    def test_no_slot_is_taken_of_a_card_that_is_waited_for_whole(self) -> None:
        slots = a_node(gpus=2, busy=[1], slots_left=((0, 3),), partly_used=frozenset({0}))
        head = a_job(gpu_ids=(0,), where={"no_sharing": True})
        outcome = run([slots], [head, a_job(gpus=1)])
        assert outcome.why(1) == (ExactGpusBusy(None, (0,)),)
        assert outcome.why(2) == (GpusKept(head=1, gpu_ids=(0,), nodes=("forge",)),)


def make_world(seed: int) -> Snapshot:
    """A few nodes and a line that begins with a job for exact GPUs; some share, some want a card whole, some
    cards have slots."""
    rng = Random(seed)
    nodes = tuple(make_node(rng, name) for name in "abc"[: rng.randint(1, 3)])
    head = a_job(
        gpus=rng.choice([0, 0, 3]),
        gpu_ids=tuple(rng.sample(range(4), rng.randint(1, 2))),
        node=rng.choice([None, None, "a"]),
        where={"no_sharing": rng.random() < 0.3, "nodes": 1},
        id=1,
        position=1.0,
        user="ann",
    )
    others = tuple(make_newcomer(rng, number) for number in range(2, 14))
    return Snapshot(10.0, nodes, (head, *others))


def make_node(rng: Random, name: str) -> NodeView:
    used = frozenset(index for index in range(4) if rng.random() < 0.5)
    slotted = tuple(
        (index, rng.randint(2, 3)) for index in range(4) if index not in used and rng.random() < 0.2
    )
    return NodeView(
        name,
        cpus=8,
        memory_mb=100,
        gpu_ids=(0, 1, 2, 3),
        used_gpus=used,
        slots_left=slotted,
        partly_used=frozenset(index for index, _ in slotted if rng.random() < 0.5),
        gpu_memory_mb=(CARD_MB,) * 4,
        gpu_free_mb=tuple(rng.choice([20, 60, CARD_MB]) for _ in range(4)),
        closed_gpus=frozenset(index for index in used if rng.random() < 0.3),
        used_cpus=rng.randint(0, 6),
        used_memory_mb=rng.randint(0, 60),
    )


def make_newcomer(rng: Random, number: int) -> WaitingJob:
    where: dict[str, Any] = rng.choice(
        [{}, {}, {"no_sharing": True}, {"share": True, "gpu_memory_mb": 50}, {"share": True}, {"nodes": 2}]
    )
    gpu_ids = (rng.randrange(4),) if rng.random() < 0.2 else ()
    user = rng.choice(["ann", "bo"])
    return a_job(
        rng.randint(0, 2),
        user,
        gpu_ids=gpu_ids,
        cpus=rng.choice([None, None, 3, 6]),
        memory_mb=rng.choice([None, None, 30, 60]),
        where=where,
        id=number,
        position=number,
    )


worlds = st.builds(make_world, st.integers(0, 2**40))


def kept_nodes(snapshot: Snapshot, head: WaitingJob) -> list[str]:
    """The slow way: the node that could run it and lacks the fewest of its GPUs, the first by name."""
    lacking = []
    for node in snapshot.nodes:
        if head.ask.node in (None, node.name) and set(head.ask.gpu_ids) <= set(node.gpu_ids):
            taken = node.used_gpus | (node.partly_used if head.ask.no_sharing else frozenset())
            lacking.append((len(set(head.ask.gpu_ids) & taken), node.name))
    return [min(lacking)[1]]


@settings(max_examples=500, deadline=None)
@given(worlds)
def test_nobody_behind_the_head_takes_a_gpu_that_it_waits_for(snapshot: Snapshot) -> None:
    plan = schedule(snapshot, Policy(Ordering.FIFO))
    head = snapshot.waiting[0]
    assume(head.id in plan.blockers)
    nodes = kept_nodes(snapshot, head)
    for decision in plan.decisions:
        for given_ in decision.allocations:
            assert given_.node not in nodes or not set(given_.gpu_ids) & set(head.ask.gpu_ids)


@settings(max_examples=500, deadline=None)
@given(worlds)
def test_who_is_told_that_gpus_are_kept_would_fit_with_them_and_nobody_else(snapshot: Snapshot) -> None:
    plan = schedule(snapshot, Policy(Ordering.FIFO))
    head = snapshot.waiting[0]
    assume(head.id in plan.blockers)
    strict = not isinstance(plan.blockers[1][0], ExactGpusBusy)
    seen = {head.ask}
    for job in snapshot.waiting[1:]:
        if job.id not in plan.blockers or job.ask in seen or (strict and job.ask.needs_free_gpus):
            continue
        seen.add(job.ask)
        free = FreeNodes(snapshot.nodes, with_memory=True)
        for decision in plan.decisions:
            if decision.job_id < job.id:
                free.hold(decision.allocations)
        told = isinstance(plan.blockers[job.id][0], GpusKept)
        assert bool(free.place(job.ask)) == told


@settings(max_examples=500, deadline=None)
@given(worlds, st.sampled_from(Ordering))
def test_what_is_said_to_be_missing_is_missing(snapshot: Snapshot, ordering: Ordering) -> None:
    """No job is told that more is free than it wants."""
    for reasons in schedule(snapshot, Policy(ordering)).blockers.values():
        match reasons[0]:
            case GpusBusy(wanted=wanted, free=free) | CpusBusy(wanted=wanted, free=free):
                assert free < wanted
            case MemoryBusy(wanted_mb=wanted, free_mb=free):
                assert free < wanted
            case GpuMemoryBusy(wanted_mb=wanted, free_mb=free, closed=closed, joinable=joinable):
                assert free < (wanted or CARD_MB / 2)
                assert joinable or closed


@settings(max_examples=60, deadline=None)
@given(worlds, st.integers(0, 2**40))
def test_the_head_starts_however_many_others_come(snapshot: Snapshot, seed: int) -> None:
    """Every round a job ends, and newcomers of all kinds are there at once to take the place."""
    rng = Random(seed)
    cluster = Cluster(snapshot)
    head, newcomers = cluster.waiting[0], list(snapshot.waiting[1:])
    for number in range(1_000, 1_000 + 200):
        plan = schedule(cluster.snapshot, Policy(Ordering.FIFO))
        cluster.start(plan)
        if head.id in {decision.job_id for decision in plan.decisions}:
            return
        if not isinstance(plan.blockers[head.id][0], ExactGpusBusy):
            return  # From here on the queue is strict, as it is for all jobs.
        newcomers = [make_newcomer(rng, number * 10 + each) for each in range(3)]
        cluster.waiting = [head, *newcomers]
        cluster.end_one(rng)
    raise AssertionError("it never started")


class Cluster:
    """Cards with one slot, who holds them, and a line that never ends."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.nodes = [replace(node, slots_left=(), partly_used=frozenset()) for node in snapshot.nodes]
        self.waiting = list(snapshot.waiting)
        self.running = [
            Allocation(node.name, (index,)) for node in self.nodes for index in sorted(node.used_gpus)
        ]

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(10.0, tuple(map(self._view, self.nodes)), tuple(self.waiting))

    def _view(self, node: NodeView) -> NodeView:
        here = [held for held in self.running if held.node == node.name]
        promised = Counter[int]()
        for held in here:
            for index in held.gpu_ids:
                promised[index] += held.promised_mb(CARD_MB)
        return replace(
            node,
            used_gpus=frozenset(index for held in here for index in held.gpu_ids),
            closed_gpus=frozenset(index for held in here if held.no_sharing for index in held.gpu_ids),
            gpu_free_mb=tuple(max(0, CARD_MB - promised[index]) for index in node.gpu_ids),
            used_cpus=sum(held.cpus for held in here),
            used_memory_mb=sum(held.memory_mb for held in here),
        )

    def start(self, plan: Plan) -> None:
        self.running += [each for decision in plan.decisions for each in decision.allocations]

    def end_one(self, rng: Random) -> None:
        if self.running:
            # The one that has run longest, or any: no job runs for ever.
            del self.running[0 if rng.random() < 0.5 else rng.randrange(len(self.running))]


@pytest.mark.parametrize("ordering", Ordering)
def test_an_urgent_head_keeps_them_too(ordering: Ordering) -> None:
    head = a_job(gpu_ids=(0, 1), urgent=True)
    outcome = run([a_node(gpus=2, busy=[1])], [a_job(gpus=1), head], ordering)
    assert outcome.why(1) == (GpusKept(head=2, gpu_ids=(0, 1), nodes=("forge",)),)
