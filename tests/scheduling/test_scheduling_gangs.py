"""Jobs over several nodes: all of them or none, of one model, where they may be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.core.blockers import (
    BehindInQueue,
    ExactGpusBusyOnNodes,
    GpuMemoryBusy,
    GpusBusy,
    NodeNotForJobs,
    NodesBusy,
    NodesUnavailable,
    NodeUnavailable,
    NoSuchHardware,
    TooFewNodes,
)
from danlu.core.nodes.node import NodeRole
from danlu.core.resources import make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.capacity import can_ever_run
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot
from tests.scheduling.builders import NOW, a_job, a_node, run


def a_gang(nodes: int, gpus: int = 0, nodes_min: int | None = None, **where: Any) -> WaitingJob:
    own = {name: where.pop(name) for name in ("gpu_ids", "cpus", "user", "array", "left") if name in where}
    return a_job(gpus, where={"nodes": nodes, "nodes_min": nodes_min, **where}, **own)


def of(model: str, name: str, gpus: int = 4, **fields: Any) -> NodeView:
    return a_node(name, gpus, gpu_models=(model,) * gpus, **fields)


THREE = [a_node("a", 4), a_node("b", 4), a_node("c", 4)]


class TestWhole:
    def test_one_task_on_each_node_ranks_in_the_order_of_names(self) -> None:
        outcome = run([a_node("b", 4), a_node("c", 8), a_node("a", 4, busy=[0])], [a_gang(3, 2)])
        assert outcome.nodes_of(1) == ["a", "b", "c"]
        assert [each.gpu_ids for each in outcome.plan.decisions[0].allocations] == [(1, 2), (0, 1), (0, 1)]

    def test_all_or_none(self) -> None:
        outcome = run([a_node("a", 4), a_node("b", 4, busy=[0])], [a_gang(2, 4)])
        assert outcome.started == []
        assert outcome.why(1) == (NodesBusy(2, 1, 1, gpus=4, cpus=0, memory_mb=0),)

    def test_racing_gangs_never_hold_each_others_halves(self) -> None:
        outcome = run(THREE, [a_gang(2, 4), a_gang(2, 4), a_gang(2, 4)])
        assert outcome.started == [1]
        assert outcome.why(2) == (NodesBusy(2, 1, 1, gpus=4, cpus=0, memory_mb=0),)
        assert outcome.why(3) == (BehindInQueue(head=2, place=2),)

    def test_one_that_does_not_fit_holds_back_gpu_jobs_but_not_others(self) -> None:
        outcome = run([a_node("a", 4), a_node("b", 4, busy=[0])], [a_gang(2, 4), a_job(1), a_job()])
        assert outcome.started == [3]
        assert outcome.why(2) == (BehindInQueue(head=1, place=2),)

    def test_without_gpus_on_the_nodes_with_fewest_free_gpus_and_most_cpus(self) -> None:
        nodes = [a_node("a", 4), a_node("b"), a_node("c", used_cpus=4), a_node("d", used_cpus=2)]
        assert run(nodes, [a_gang(2, cpus=4)]).nodes_of(1) == ["b", "d"]

    def test_what_it_lacks_without_gpus(self) -> None:
        outcome = run([a_node("a"), a_node("b", used_cpus=9)], [a_gang(2, cpus=8)])
        assert outcome.why(1) == (NodesBusy(2, 1, 1, gpus=0, cpus=8, memory_mb=0),)

    def test_all_its_gpus_count_for_its_owner(self) -> None:
        jobs = [a_gang(2, 2, user="bo"), a_job(4, "bo"), a_job(2, "cy"), a_job(2, "cy")]
        outcome = run(THREE, jobs, Ordering.BALANCE)
        assert outcome.started == [1, 3, 4, 2]

    def test_each_task_of_an_array_is_a_gang(self) -> None:
        outcome = run([*THREE, a_node("d", 4)], [a_gang(2, 4, left=3)])
        assert outcome.started == [1, 1]
        assert outcome.nodes_of(1) == ["a", "b", "c", "d"]
        assert outcome.why(1)[0].code == "nodes_busy"

    def test_exact_gpus_on_every_node_and_others_may_pass_while_it_waits_for_them(self) -> None:
        nodes = [a_node("a", 4), a_node("b", 4, busy=[1]), a_node("c", 4)]
        assert run(nodes, [a_gang(2, gpu_ids=(1, 2))]).nodes_of(1) == ["a", "c"]
        outcome = run(nodes, [a_gang(3, gpu_ids=(1, 2)), a_job(2)])
        assert outcome.why(1) == (ExactGpusBusyOnNodes((1, 2), wanted=3, ready=2),)
        assert outcome.started == [2]

    def test_shared_cards_on_several_nodes(self) -> None:
        nodes = [
            a_node(name, 1, busy=[0], gpu_memory_mb=(24_000,), gpu_free_mb=(free,))
            for name, free in (("a", 9_000), ("b", 2_000), ("c", 8_000), ("d", 12_000))
        ]
        asks = {"share": True, "gpu_memory_mb": 5_000}
        outcome = run(nodes, [a_gang(2, 1, **asks), a_gang(2, 1, **asks), a_gang(2, 1, **asks)])
        assert outcome.nodes_of(1) == ["a", "d"]
        assert outcome.nodes_of(2) == ["c", "d"]
        assert outcome.why(3) == (NodesBusy(2, 0, 0, gpus=1, cpus=0, memory_mb=0, gpu_memory_mb=5_000),)

    def test_a_pass_is_cut_short_by_the_tasks_that_it_starts(self) -> None:
        line = tuple(replace(a_gang(3, cpus=1), id=number, position=1.0) for number in (1, 2, 3, 4))
        plan = schedule(Snapshot(NOW, tuple(THREE), line), Policy(), most_starts=5)
        assert [each.job_id for each in plan.decisions] == [1, 2]
        assert plan.more


class TestElastic:
    def test_as_many_nodes_as_there_are(self) -> None:
        assert run(THREE, [a_gang(5, 4, nodes_min=2)]).nodes_of(1) == ["a", "b", "c"]
        assert run(THREE, [a_gang(2, 4, nodes_min=1)]).nodes_of(1) == ["a", "b"]

    def test_but_not_fewer_than_it_needs(self) -> None:
        busy = [a_node("a", 4), a_node("b", 4, busy=[0]), a_node("c", 4, busy=[0])]
        assert run(busy, [a_gang(3, 4, nodes_min=2)]).why(1)[0] == NodesBusy(2, 1, 1, 4, 0, 0)
        assert run(busy, [a_gang(3, 4, nodes_min=1)]).nodes_of(1) == ["a"]

    def test_what_it_can_never_have_all_of_is_no_obstacle(self) -> None:
        ask = make_ask(4, nodes=9, nodes_min=3)
        assert can_ever_run(ask, THREE) is None
        assert isinstance(can_ever_run(make_ask(4, nodes=9, nodes_min=4), THREE), NoSuchHardware)


class TestPackAndSpread:
    NODES = (a_node("a", 8), a_node("b", 8, busy=[0, 1]), a_node("c", 8, busy=[0, 1, 2, 3]), a_node("d", 8))

    def test_the_fewest_free_gpus_that_still_fit_unless_it_spreads(self) -> None:
        assert run(self.NODES, [a_gang(2, 4)]).nodes_of(1) == ["b", "c"]
        assert run(self.NODES, [a_gang(2, 4, spread=True)]).nodes_of(1) == ["a", "d"]

    def test_one_node_too(self) -> None:
        spread = a_job(2, where={"spread": True})
        outcome = run(self.NODES, [spread, spread, spread])
        assert [outcome.where(number) for number in (1, 2, 3)] == [
            ("a", (0, 1)),
            ("d", (0, 1)),
            ("a", (2, 3)),
        ]

    def test_of_equal_gpus_most_cpus(self) -> None:
        nodes = [a_node("a", 4, used_cpus=3), a_node("b", 4, used_cpus=1), a_node("c", 4, used_cpus=2)]
        assert run(nodes, [a_job(1, where={"spread": True})]).where(1) == ("b", (0,))

    def test_without_gpus_most_cpus_wherever(self) -> None:
        nodes = [a_node("a", 4), a_node("b", used_cpus=1)]
        assert run(nodes, [a_job(where={"spread": True})]).where(1) == ("a", ())
        assert run(nodes, [a_job()]).where(1) == ("b", ())


class TestModels:
    def test_all_ranks_have_gpus_of_one_model(self) -> None:
        nodes = [of("A100", "a"), of("V100", "b"), of("A100", "c")]
        assert run(nodes, [a_gang(2, 1)]).nodes_of(1) == ["a", "c"]

    def test_of_the_models_that_fit_the_fullest(self) -> None:
        nodes = [of("A100", "a"), of("A100", "b"), of("V100", "c", busy=[0]), of("V100", "d")]
        assert run(nodes, [a_gang(2, 1)]).nodes_of(1) == ["c", "d"]
        assert run(nodes, [a_gang(2, 1, spread=True)]).nodes_of(1) == ["a", "b"]

    def test_an_elastic_one_takes_the_model_of_which_it_gets_most_nodes(self) -> None:
        nodes = [
            of("A100", "a", busy=[0, 1]),
            of("A100", "b"),
            of("V100", "c"),
            of("V100", "d"),
            of("V100", "e"),
        ]
        assert run(nodes, [a_gang(4, 1, nodes_min=1)]).nodes_of(1) == ["c", "d", "e"]

    def test_when_only_a_mix_is_free_it_waits_and_says_so(self) -> None:
        nodes = [of("A100", "a"), of("A100", "b", busy=[0, 1, 2, 3]), of("V100", "c")]
        assert run(nodes, [a_gang(2, 1)]).why(1) == (NodesBusy(2, 1, mixed=2, gpus=1, cpus=0, memory_mb=0),)

    def test_when_there_is_only_a_mix_it_is_refused_and_says_so(self) -> None:
        nodes = [of("A100", "a"), of("V100", "b")]
        (never,) = run(nodes, [a_gang(2, 1)]).why(1)
        assert never == can_ever_run(make_ask(1, nodes=2), nodes)
        assert never == NoSuchHardware(1, 0, 0, None, wanted_nodes=2, mixed=2, able=1)

    def test_without_gpus_models_do_not_matter(self) -> None:
        assert run([of("A100", "a"), of("V100", "b")], [a_gang(2)]).nodes_of(1) == ["a", "b"]

    def test_a_node_with_two_models_serves_both(self) -> None:
        both = a_node("b", 4, gpu_models=("V100", "A100", "V100", "A100"))
        nodes = [of("A100", "a", 2), both]
        outcome = run(nodes, [a_gang(2, 2)])
        assert [each.gpu_ids for each in outcome.plan.decisions[0].allocations] == [(0, 1), (1, 3)]
        assert isinstance(can_ever_run(make_ask(3, nodes=2), nodes), NoSuchHardware)

    def test_only_gpus_of_the_model_count_in_whatever_case(self) -> None:
        nodes = [
            of("NVIDIA A100-SXM4-80GB", "a", busy=[0, 1, 2]),
            a_node("b", 4, gpu_models=("NVIDIA V100", "NVIDIA A100", "NVIDIA V100", "NVIDIA A100")),
        ]
        outcome = run(nodes, [a_job(2, where={"gpu_model": "a100"}), a_job(2, where={"gpu_model": "A100"})])
        assert outcome.where(1) == ("b", (1, 3))
        assert outcome.why(2) == (GpusBusy(2, 1, None, gpu_model="A100"),)

    def test_shared_ones_too(self) -> None:
        node = a_node(gpus=2, gpu_memory_mb=(24_000,) * 2, gpu_free_mb=(9_000, 20_000), gpu_models=("A", "B"))
        wants = {"share": True, "gpu_memory_mb": 8_000, "gpu_model": "a"}
        outcome = run([node], [a_job(1, where=wants), a_job(1, where=wants)])
        assert outcome.where(1) == ("forge", (0,))
        assert outcome.why(2) == (GpuMemoryBusy(1, 8_000, 1_000, None),)

    def test_a_model_that_nobody_has(self) -> None:
        (never,) = run([of("V100", "a")], [a_job(1, where={"gpu_model": "H100"})]).why(1)
        assert never == NoSuchHardware(1, 0, 0, None, gpu_model="H100")

    def test_a_model_is_no_matter_for_who_wants_no_gpu(self) -> None:
        assert run([a_node()], [a_job(where={"gpu_model": "H100"})]).started == [1]

    def test_exact_gpus_of_another_model_are_never_given(self) -> None:
        node = a_node(gpus=2, gpu_models=("A100", "V100"))
        assert isinstance(
            run([node], [a_job(gpu_ids=(1,), where={"gpu_model": "A100"})]).why(1)[0], NoSuchHardware
        )


class TestLists:
    def test_only_and_never(self) -> None:
        assert run(THREE, [a_gang(2, 1, exclude_nodes=("a",))]).nodes_of(1) == ["b", "c"]
        assert run(THREE, [a_gang(2, 1, only_nodes=("c", "a"))]).nodes_of(1) == ["a", "c"]
        assert run(THREE, [a_job(1, where={"exclude_nodes": ("a", "b")})]).nodes_of(1) == ["c"]
        assert run(THREE, [a_job(1, where={"only_nodes": ("a", "b"), "exclude_nodes": ("a",)})]).nodes_of(
            1
        ) == ["b"]

    def test_too_few_of_them(self) -> None:
        (never,) = run(THREE, [a_gang(2, 1, only_nodes=("a", "zinc"))]).why(1)
        assert never == NoSuchHardware(1, 0, 0, None, wanted_nodes=2, only_nodes=("a", "zinc"), able=1)

    def test_nodes_out_of_service_are_named(self) -> None:
        nodes = [a_node("a", 4), a_node("b", 4, drained=True), a_node("c", 4, up=False), a_node("d", 1)]
        assert run(nodes, [a_gang(2, 4)]).why(1) == (TooFewNodes(2, 1, ("b", "c")),)
        broken = a_node("b", 4, faulty_gpus=frozenset({0}))
        assert run([a_node("a", 4), broken], [a_gang(2, 4)]).why(1) == (TooFewNodes(2, 1, ("b",)),)


class TestRoles:
    GATE = a_node("gate", 4, role=NodeRole.LOGIN)
    BENCH = a_node("bench", 1, role=NodeRole.DEBUG)
    DOCK = a_node("dock", 1, role=NodeRole.TRANSFER)

    def test_only_compute_nodes_take_jobs_that_do_not_name_them(self) -> None:
        (never,) = run([self.GATE, self.BENCH, self.DOCK], [a_job()]).why(1)
        assert isinstance(never, NoSuchHardware)
        assert run([self.BENCH, a_node("work", 4)], [a_job(1)]).where(1) == ("work", (0,))

    def test_debug_and_transfer_nodes_take_those_that_do(self) -> None:
        nodes = [self.BENCH, self.DOCK, a_node("work", 4)]
        assert run(nodes, [a_job(1, node="bench")]).where(1) == ("bench", (0,))
        assert run(nodes, [a_job(1, where={"only_nodes": ("bench",)})]).where(1) == ("bench", (0,))
        assert run(nodes, [a_job(node="dock")]).where(1) == ("dock", ())
        assert run(nodes, [a_gang(2, only_nodes=("bench", "dock"))]).nodes_of(1) == ["bench", "dock"]

    @pytest.mark.parametrize(("node", "gpus", "role"), [("gate", 0, "login"), ("dock", 1, "transfer")])
    def test_the_others_say_what_they_are_there_for(self, node: str, gpus: int, role: str) -> None:
        nodes = [self.GATE, self.DOCK, a_node("work", 4)]
        assert run(nodes, [a_job(gpus, node=node)]).why(1) == (NodeNotForJobs(node, role),)
        assert can_ever_run(make_ask(gpus, node=node), nodes) == NodeNotForJobs(node, role)


def test_a_node_in_quarantine_counts_as_drained_and_says_so() -> None:
    flaky = a_node("a", 1, drained=True, quarantined=True)
    assert run([flaky], [a_job(1, node="a")]).why(1) == (NodeUnavailable("a", True, quarantined=True),)
    assert run([flaky], [a_job(1)]).why(1) == (NodesUnavailable(("a",), states=("quarantined",)),)
