"""Which node, and which of its GPUs."""

from __future__ import annotations

from danlu.core.blockers import CpusBusy, ExactGpusBusy, GpusBusy
from danlu.core.resources import Allocation
from tests.scheduling.builders import a_job, a_node, run


def test_the_node_with_fewest_free_gpus_that_fits() -> None:
    nodes = [a_node("a", gpus=8), a_node("b", gpus=4, busy=[0]), a_node("c", gpus=4, busy=[0, 1, 2])]
    assert run(nodes, [a_job(gpus=2)]).where(1) == ("b", (1, 2))


def test_ties_go_by_name() -> None:
    assert run([a_node("b", gpus=2), a_node("a", gpus=2)], [a_job(gpus=1)]).where(1) == ("a", (0,))


def test_the_lowest_free_indices() -> None:
    assert run([a_node(gpus=6, busy=[0, 2])], [a_job(gpus=3)]).where(1) == ("forge", (1, 3, 4))


def test_indices_may_have_gaps() -> None:
    assert run([a_node(gpu_ids=(2, 5, 7))], [a_job(gpus=2)]).where(1) == ("forge", (2, 5))


def test_a_named_node() -> None:
    nodes = [a_node("a", gpus=1), a_node("b", gpus=8)]
    assert run(nodes, [a_job(gpus=1, node="b")]).where(1) == ("b", (0,))


def test_a_busy_named_node_is_waited_for() -> None:
    outcome = run([a_node("a", gpus=1), a_node("b", gpus=1, busy=[0])], [a_job(gpus=1, node="b")])
    assert outcome.why(1) == (GpusBusy(wanted=1, free=0, node="b"),)


def test_fewer_exact_gpus_than_asked_are_filled_up() -> None:
    assert run([a_node(gpus=4)], [a_job(gpus=3, gpu_ids=(2,))]).where(1) == ("forge", (0, 1, 2))


def test_more_exact_gpus_than_asked_raise_the_number() -> None:
    assert run([a_node(gpus=4)], [a_job(gpus=1, gpu_ids=(3, 1))]).where(1) == ("forge", (1, 3))


def test_exact_gpus_on_whichever_node_has_them_free() -> None:
    nodes = [a_node("a", gpus=1), a_node("b", gpus=4, busy=[3]), a_node("c", gpus=8)]
    assert run(nodes, [a_job(gpu_ids=(3,))]).where(1) == ("c", (3,))


def test_busy_exact_gpus_are_those_of_the_nearest_node() -> None:
    nodes = [a_node("a", gpus=4, busy=[0, 1, 2]), a_node("b", gpus=4, busy=[2])]
    assert run(nodes, [a_job(gpu_ids=(1, 2))]).why(1) == (ExactGpusBusy(node=None, gpu_ids=(2,)),)


def test_lost_and_drained_nodes_and_drained_gpus_are_not_used() -> None:
    nodes = [
        a_node("gone", gpus=1, up=False),
        a_node("shut", gpus=1, drained=True),
        a_node("here", gpus=4, drained_gpus=frozenset({0})),
    ]
    outcome = run(nodes, [a_job(gpus=2), a_job(gpus=1), a_job(gpus=1)])
    assert outcome.where(1) == ("here", (1, 2))
    assert outcome.where(2) == ("here", (3,))
    assert outcome.why(3) == (GpusBusy(wanted=1, free=0, node=None),)


def test_a_node_without_the_cpus_or_the_memory_is_passed_over() -> None:
    nodes = [
        a_node("a", gpus=1, used_cpus=15),
        a_node("b", gpus=2, used_memory_mb=63_000),
        a_node("c", gpus=8),
    ]
    outcome = run(nodes, [a_job(gpus=1, cpus=4, memory_mb=8_000)] * 2)
    assert outcome.where(1) == ("c", (0,))
    assert outcome.where(2) == ("c", (1,))


def test_a_gpu_job_that_asks_no_cpus_starts_on_a_node_without_any_left() -> None:
    assert run([a_node(gpus=1, used_cpus=99)], [a_job(gpus=1)]).started == [1]


def test_cpu_only_jobs_leave_gpu_nodes_alone() -> None:
    nodes = [a_node("a", gpus=4), a_node("b", gpus=4, busy=range(4)), a_node("c", used_cpus=2)]
    outcome = run(nodes, [a_job(cpus=16), a_job(cpus=14), a_job(cpus=16), a_job(cpus=1)])
    assert outcome.where(1) == ("b", ())
    assert outcome.where(2) == ("c", ())
    assert outcome.where(3) == ("a", ())
    assert outcome.why(4) == (CpusBusy(wanted=1, free=0, node=None),)


def test_cpu_only_jobs_take_the_node_with_most_free_cpus() -> None:
    nodes = [a_node("a", used_cpus=8), a_node("b", used_cpus=4), a_node("c", used_cpus=4)]
    assert run(nodes, [a_job(cpus=2)]).where(1) == ("b", ())


def test_an_allocation_holds_what_was_asked() -> None:
    plan = run([a_node(gpus=1)], [a_job(gpus=1, cpus=3, memory_mb=500)]).plan
    assert plan.decisions[0].allocation == Allocation("forge", (0,), cpus=3, memory_mb=500)
