"""Jobs that take what nodes there are: when they get more, and when they make room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from danlu.core.resources import Allocation, Ask, make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.elastic import Resize, RunningElastic, limit_ask, resize
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot
from tests.scheduling.builders import NOW, a_job, a_node
from tests.scheduling.worlds import make_snapshot

FIFO = Policy(Ordering.FIFO)
ELASTIC = make_ask(4, nodes=4, nodes_min=1)


def running(*names: str, job_id: int = 7, ask: Ask = ELASTIC) -> RunningElastic:
    return RunningElastic(job_id, ask, tuple(Allocation(name, tuple(range(ask.gpus))) for name in names))


def held_by(*jobs: RunningElastic, nodes: str) -> tuple[NodeView, ...]:
    """Nodes with four GPUs each, all of them taken where a job is."""
    taken = {each.node for job in jobs for each in job.allocations}
    return tuple(a_node(name, 4, busy=range(4) if name in taken else ()) for name in nodes)


def decide(
    nodes: Iterable[NodeView], waiting: Iterable[WaitingJob], *jobs: RunningElastic, policy: Policy = FIFO
) -> list[Resize]:
    line = tuple(replace(job, id=100 + place, position=float(place)) for place, job in enumerate(waiting))
    snapshot = Snapshot(NOW, tuple(nodes), line)
    return resize(snapshot, schedule(snapshot, policy), jobs)


class TestGrowing:
    def test_it_takes_what_nobody_wants(self) -> None:
        job = running("a")
        assert decide(held_by(job, nodes="abc"), [], job) == [Resize(7, 3)]

    def test_up_to_what_it_asked_for(self) -> None:
        job = running("a", "b", "c", "d")
        assert decide(held_by(job, nodes="abcdef"), [], job) == []
        assert decide(held_by(running("a"), nodes="abcdef"), [], running("a")) == [Resize(7, 4)]

    def test_not_while_somebody_in_the_queue_waits_for_room(self) -> None:
        job = running("a")
        nodes = (*held_by(job, nodes="abc"), a_node("big", 8, busy=[0]))
        assert decide(nodes, [a_job(8)], job) == []
        assert decide(nodes, [a_job(8, held=True)], job) == [Resize(7, 4)]

    def test_not_what_the_same_pass_gave_to_another(self) -> None:
        job = running("a")
        assert decide(held_by(job, nodes="abc"), [a_job(1), a_job(4)], job) == []
        assert decide(held_by(job, nodes="abc"), [a_job(1)], job) == [Resize(7, 2)]

    def test_not_what_another_grows_into(self) -> None:
        first, second = running("a", job_id=7), running("b", job_id=8)
        assert decide(held_by(first, second, nodes="abc"), [], second, first) == [Resize(7, 2)]

    def test_not_while_scheduling_is_paused(self) -> None:
        job = running("a")
        assert decide(held_by(job, nodes="ab"), [], job, policy=Policy(paused=True)) == []

    def test_gpus_that_somebody_else_uses_are_not_given_back(self) -> None:
        job = running("a", ask=make_ask(2, nodes=4, nodes_min=1))
        foreign = a_node("a", 2, busy=[0, 1], foreign_gpus=frozenset({0}))
        assert decide([foreign, a_node("b", 2)], [], job) == []


class TestShrinking:
    def test_it_gives_back_as_much_as_the_head_of_the_queue_needs(self) -> None:
        job = running("a", "b", "c", "d")
        nodes = held_by(job, nodes="abcd")
        assert decide(nodes, [a_job(4)], job) == [Resize(7, 3, gives_way_to=100)]
        gang = a_job(4, where={"nodes": 2})
        assert decide(nodes, [gang, a_job(1)], job) == [Resize(7, 2, gives_way_to=100)]

    def test_but_keeps_what_it_needs(self) -> None:
        job = running("a", "b", ask=make_ask(4, nodes=4, nodes_min=2))
        assert decide(held_by(job, nodes="ab"), [a_job(1)], job) == []

    def test_not_in_vain(self) -> None:
        job = running("a", "b")
        nodes = (*held_by(job, nodes="ab"), a_node("big", 8, busy=range(8)))
        assert decide(nodes, [a_job(8), a_job(1)], job) == []

    def test_only_if_it_can_start_again_whoever_goes_first(self) -> None:
        job = running("b", "c", ask=make_ask(2, nodes=2, nodes_min=1))
        nodes = [a_node("a", 1), a_node("b", 2, busy=[0, 1]), a_node("c", 2, busy=[0, 1])]
        assert decide(nodes, [a_job(1, where={"nodes": 2, "spread": True})], job) == []
        assert decide(nodes, [a_job(1, where={"nodes": 2})], job) == [Resize(7, 1, gives_way_to=100)]

    def test_one_at_a_time_whoever_has_most_to_give(self) -> None:
        small, large = running("a", "b", job_id=8), running("c", "d", "e", job_id=7)
        nodes = held_by(small, large, nodes="abcde")
        assert decide(nodes, [a_job(4)], small, large) == [Resize(7, 2, gives_way_to=100)]

    def test_jobs_that_need_no_gpu_do_not_hide_the_head(self) -> None:
        job = running("a", "b")
        nodes = (*held_by(job, nodes="ab"), a_node("c", cpus=32, used_cpus=32))
        assert decide(nodes, [a_job(cpus=32), a_job(4)], job) == [Resize(7, 1, gives_way_to=101)]

    def test_with_its_limit_it_does_not_take_the_room_again(self) -> None:
        job = running("a", "b", "c", "d")
        head = a_job(4, user="bo", id=100, position=5.0)
        (smaller,) = decide(held_by(job, nodes="abcd"), [head], job)
        again = WaitingJob(7, "ann", job.ask, position=1.0)
        line = Snapshot(NOW, held_by(nodes="abcd"), (again, head), {"bo": 9})
        assert [d.job_id for d in schedule(line, FIFO).decisions] == [7]
        limited = replace(line, waiting=(replace(again, ask=limit_ask(job.ask, smaller.nodes)), head))
        for policy in (FIFO, Policy(Ordering.BALANCE)):
            decisions = schedule(limited, policy).decisions
            assert {d.job_id: len(d.allocations) for d in decisions} == {7: 3, 100: 1}


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([(3, 12), (4, 15), (5, 20), (7, 25)]))
def test_a_resize_comes_out_as_it_was_meant(seed: int, size: tuple[int, int]) -> None:
    """A job that shrinks lets the head start and starts again itself, whichever of them goes first; one that
    grows then has more nodes."""
    begun = make_snapshot(seed, *size)
    jobs = begin(begun, at_most=1 if seed % 2 else 4)
    assume(jobs)
    held = [each for job in jobs for each in job.allocations]
    snapshot = replace(
        begun,
        nodes=tuple(change(node, held, 1) for node in begun.nodes),
        waiting=begun.waiting[: seed // 2 % 4],
    )
    plan = schedule(snapshot, FIFO)
    found = resize(snapshot, plan, jobs)
    given = [each for decision in plan.decisions for each in decision.allocations]
    after = [change(node, given, 1) for node in snapshot.nodes]
    line = {job.id: job for job in snapshot.waiting}
    for each in found:
        job = next(job for job in jobs if job.job_id == each.job_id)
        room = Snapshot(NOW, tuple(change(node, job.allocations, -1) for node in after))
        self = WaitingJob(job.job_id, "ann", limit_ask(job.ask, each.nodes), position=2.0)
        assert job.ask.nodes_min <= each.nodes <= job.ask.nodes
        if each.gives_way_to is None:
            (grown,) = schedule(replace(room, waiting=(self,)), FIFO).decisions
            assert len(grown.allocations) == each.nodes > len(job.allocations)
        else:
            assert each.nodes < len(job.allocations)
            head = replace(line[each.gives_way_to], left=1)
            for position in (1.0, 3.0):
                both = (self, replace(head, position=position, urgent=False))
                assert len(schedule(replace(room, waiting=both), FIFO).decisions) == 2


def begin(snapshot: Snapshot, at_most: int) -> list[RunningElastic]:
    """Some of the jobs in the queue, as if they were elastic and had been started on so many nodes."""
    asks = {
        100 + job.id: replace(job.ask, nodes=4, nodes_min=1, node=None, gpu_ids=())
        for job in snapshot.waiting[-3:]
    }
    line = tuple(WaitingJob(each, "ann", limit_ask(ask, at_most), each) for each, ask in asks.items())
    plan = schedule(replace(snapshot, waiting=line), FIFO)
    return [RunningElastic(each.job_id, asks[each.job_id], each.allocations) for each in plan.decisions]


def change(node: NodeView, held: Iterable[Allocation], sign: int) -> NodeView:
    """With what is held of it taken out or given back."""
    here = [each for each in held if each.node == node.name]
    gpus = {index for each in here for index in each.gpu_ids}
    return replace(
        node,
        used_gpus=node.used_gpus | gpus if sign > 0 else node.used_gpus - gpus,
        used_cpus=node.used_cpus + sign * sum(each.cpus for each in here),
        used_memory_mb=node.used_memory_mb + sign * sum(each.memory_mb for each in here),
    )
