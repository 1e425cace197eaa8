"""Who is in the queue, who goes first, who holds back whom."""

from __future__ import annotations

import pytest

from danlu.core.blockers import (
    BehindInQueue,
    CpusBusy,
    ExactGpusBusy,
    ExactGpusDrained,
    GpusBusy,
    Held,
    MemoryBusy,
    NodesUnavailable,
    NodeUnavailable,
    NoSuchHardware,
    NotYet,
    OwnerLocked,
    PredecessorsFailed,
    PredecessorsRunning,
    SchedulingPaused,
    TooFewGpus,
)
from danlu.core.ending import LONGEST_BACKOFF_S
from danlu.core.resources import make_ask
from danlu.scheduling.capacity import can_ever_run
from tests.scheduling.builders import NOW, a_job, a_node, run


class TestFifo:
    def test_the_oldest_goes_first(self) -> None:
        outcome = run([a_node(gpus=4)], [a_job(gpus=2), a_job(gpus=2), a_job(gpus=1)])
        assert outcome.started == [1, 2]
        assert outcome.why(3) == (GpusBusy(wanted=1, free=0, node=None),)

    def test_position_goes_before_id(self) -> None:
        outcome = run([a_node(gpus=1)], [a_job(gpus=1), a_job(gpus=1, position=0.5)])
        assert outcome.started == [2]
        assert outcome.plan.order == (2, 1)

    def test_at_one_position_the_smaller_id_goes_first(self) -> None:
        outcome = run(
            [a_node(gpus=1)], [a_job(gpus=1, id=9, position=1.0), a_job(gpus=1, id=8, position=1.0)]
        )
        assert outcome.started == [8]

    def test_urgent_goes_first(self) -> None:
        outcome = run([a_node(gpus=1)], [a_job(gpus=1), a_job(gpus=1, urgent=True)])
        assert outcome.started == [2]

    def test_urgent_takes_nothing_from_a_running_job(self) -> None:
        outcome = run([a_node(gpus=1, busy=[0])], [a_job(gpus=1, urgent=True)])
        assert outcome.started == []


class TestStrictQueue:
    def test_the_head_holds_back_all_gpu_jobs_behind_it(self) -> None:
        outcome = run([a_node(gpus=4, busy=[0])], [a_job(gpus=4), a_job(gpus=1), a_job(gpus=1)])
        assert outcome.started == []
        assert outcome.why(1) == (GpusBusy(wanted=4, free=3, node=None),)
        assert outcome.why(2) == (BehindInQueue(head=1, place=2),)
        assert outcome.why(3) == (BehindInQueue(head=1, place=3),)

    def test_an_urgent_head_holds_back_the_others_too(self) -> None:
        outcome = run([a_node(gpus=4, busy=[0])], [a_job(gpus=1), a_job(gpus=4, urgent=True)])
        assert outcome.why(1) == (BehindInQueue(head=2, place=2),)

    def test_places_are_of_those_that_wait_for_free_gpus_in_the_order_of_their_turns(self) -> None:
        jobs = [
            a_job(gpus=1, held=True),
            a_job(gpus=4),
            a_job(cpus=64),
            a_job(gpus=1, waits_for=(2,)),
            a_job(gpus=1, user="bob"),
            a_job(gpus=1, urgent=True),
        ]
        for paused in (False, True):
            outcome = run([a_node(gpus=4, busy=[0, 1, 2, 3])], jobs, paused=paused)
            assert outcome.plan.places == {6: 1, 2: 2, 5: 3}
        outcome = run([a_node(gpus=4, busy=[0, 1, 2, 3])], jobs)
        assert outcome.why(5) == (BehindInQueue(head=6, place=outcome.plan.places[5]),)

    def test_a_cpu_only_job_passes_the_head(self) -> None:
        outcome = run([a_node(gpus=4, busy=[0])], [a_job(gpus=4), a_job(), a_job(gpus=1)])
        assert outcome.started == [2]

    def test_a_cpu_only_job_that_does_not_fit_holds_back_nobody(self) -> None:
        outcome = run([a_node(gpus=1, used_cpus=10)], [a_job(cpus=8), a_job(gpus=1), a_job(cpus=2)])
        assert outcome.started == [2, 3]
        assert outcome.why(1) == (CpusBusy(wanted=8, free=6, node=None),)

    def test_any_job_that_fits_passes_one_that_waits_for_exact_gpus(self) -> None:
        outcome = run([a_node(gpus=4, busy=[0])], [a_job(gpu_ids=(0,)), a_job(gpus=1), a_job(gpus=2)])
        assert outcome.started == [2, 3]
        assert outcome.why(1) == (ExactGpusBusy(node=None, gpu_ids=(0,)),)

    def test_while_the_head_waits_for_exact_gpus_nobody_else_becomes_the_head(self) -> None:
        jobs = [a_job(gpu_ids=(0,)), a_job(gpus=4), a_job(gpus=1)]
        outcome = run([a_node(gpus=4, busy=[0])], jobs)
        assert outcome.started == [3]
        assert outcome.why(2) == (GpusBusy(wanted=4, free=3, node=None, first=False),)

    def test_behind_an_ordinary_head_a_job_for_exact_gpus_changes_nothing(self) -> None:
        jobs = [a_job(gpus=4), a_job(gpu_ids=(0,)), a_job(gpus=1)]
        assert run([a_node(gpus=4, busy=[0])], jobs).started == []

    def test_a_job_whose_exact_gpus_are_free_but_not_the_rest_is_an_ordinary_head(self) -> None:
        outcome = run([a_node(gpus=4, busy=[1, 2])], [a_job(gpus=3, gpu_ids=(0,)), a_job(gpus=1)])
        assert outcome.why(1) == (GpusBusy(wanted=3, free=2, node=None),)
        assert outcome.why(2) == (BehindInQueue(head=1, place=2),)

    def test_exact_gpus_free_on_a_node_too_small_do_not_count(self) -> None:
        nodes = [a_node("big", gpus=4, busy=[0]), a_node("tiny", gpus=1)]
        outcome = run(nodes, [a_job(gpus=3, gpu_ids=(0,)), a_job(gpus=1)])
        assert outcome.why(1) == (ExactGpusBusy(node=None, gpu_ids=(0,)),)
        assert outcome.started == [2]

    def test_a_gpu_job_that_lacks_cpus_or_memory_says_so(self) -> None:
        full = a_node(gpus=1, used_cpus=12, used_memory_mb=60_000)
        assert run([full], [a_job(gpus=1, cpus=8)]).why(1) == (CpusBusy(8, 4, None, gpus=1),)
        assert run([full], [a_job(gpus=1, memory_mb=5_000)]).why(1) == (
            MemoryBusy(5_000, 4_000, None, gpus=1),
        )

    def test_cpus_free_on_a_node_that_never_could_run_it_do_not_count(self) -> None:
        nodes = [a_node("big", gpus=1, busy=[0], cpus=64), a_node("small", gpus=1)]
        assert run(nodes, [a_job(gpus=1, cpus=32)]).why(1) == (GpusBusy(wanted=1, free=0, node=None),)


class TestOutsideTheQueue:
    """These wait for something else than resources and hold back no other job."""

    def test_held(self) -> None:
        outcome = run([a_node(gpus=1)], [a_job(gpus=1, held=True), a_job(gpus=1)])
        assert outcome.started == [2]
        assert outcome.why(1) == (Held(),)
        assert outcome.plan.order == (2, 1)

    def test_a_retry_before_its_time(self) -> None:
        outcome = run([a_node(gpus=1)], [a_job(gpus=1, not_before=NOW + 1), a_job(gpus=1)])
        assert outcome.started == [2]
        assert outcome.why(1) == (NotYet(NOW + 1),)

    def test_a_retry_at_its_time_starts(self) -> None:
        assert run([a_node(gpus=1)], [a_job(gpus=1, not_before=NOW)]).started == [1]

    def test_a_retry_after_the_longest_pause_still_waits_for_it(self) -> None:
        latest = NOW + 2 * LONGEST_BACKOFF_S
        assert run([a_node(gpus=1)], [a_job(gpus=1, not_before=latest)]).why(1) == (NotYet(latest),)

    @pytest.mark.parametrize("too_late_s", [1.0, 365 * 86_400.0])
    def test_a_retry_dated_by_a_wrong_clock_starts(self, too_late_s: float) -> None:
        job = a_job(gpus=1, not_before=NOW + 2 * LONGEST_BACKOFF_S + too_late_s)
        assert run([a_node(gpus=1)], [job]).started == [1]

    def test_predecessors(self) -> None:
        jobs = [a_job(gpus=1, waits_for=(7, 8)), a_job(gpus=1, failed_predecessors=(7,)), a_job(gpus=1)]
        outcome = run([a_node(gpus=1)], jobs)
        assert outcome.started == [3]
        assert outcome.why(1) == (PredecessorsRunning((7, 8)),)
        assert outcome.why(2) == (PredecessorsFailed((7,)),)

    def test_hardware_that_does_not_exist(self) -> None:
        jobs = [
            a_job(gpus=5),
            a_job(gpu_ids=(9,)),
            a_job(gpu_ids=(10**12,)),
            a_job(cpus=17),
            a_job(memory_mb=64_001),
            a_job(node="nowhere"),
            a_job(gpus=1),
        ]
        outcome = run([a_node(gpus=4)], jobs)
        assert outcome.started == [7]
        assert outcome.why(1) == (NoSuchHardware(gpus=5, cpus=0, memory_mb=0, node=None),)
        assert outcome.why(2) == (NoSuchHardware(gpus=1, cpus=0, memory_mb=0, node=None, gpu_ids=(9,)),)
        assert outcome.why(6) == (NoSuchHardware(gpus=0, cpus=1, memory_mb=0, node="nowhere"),)
        assert all(outcome.why(number)[0].code == "no_such_hardware" for number in range(1, 7))

    def test_a_named_node_that_is_lost_or_drained(self) -> None:
        nodes = [a_node("gone", gpus=1, up=False), a_node("shut", gpus=1, drained=True)]
        outcome = run(nodes, [a_job(gpus=1, node="gone"), a_job(gpus=1, node="shut")])
        assert outcome.why(1) == (NodeUnavailable("gone", drained=False),)
        assert outcome.why(2) == (NodeUnavailable("shut", drained=True),)

    def test_only_lost_or_drained_nodes_could_run_it(self) -> None:
        nodes = [
            a_node("shut", gpus=2, drained=True),
            a_node("gone", gpus=2, up=False),
            a_node("half", gpus=2, drained_gpus=frozenset({0})),
            a_node("small", gpus=1),
        ]
        outcome = run(nodes, [a_job(gpus=2), a_job(gpus=1)])
        others = ("gone", "shut")
        assert outcome.why(1) == (TooFewGpus(2, 1, "half", drained=(0,), others=others),)
        assert outcome.started == [2]
        away = NodesUnavailable(others, states=("lost", "drained"))
        assert run(nodes[:2], [a_job(gpus=2)]).why(1) == (away,)

    def test_exact_gpus_that_are_drained(self) -> None:
        node = a_node(gpus=2, drained_gpus=frozenset({1}))
        outcome = run([node], [a_job(gpu_ids=(0, 1)), a_job(gpus=1)])
        assert outcome.why(1) == (ExactGpusDrained(node=None, gpu_ids=(1,)),)
        assert outcome.started == [2]

    def test_all_reasons_are_told(self) -> None:
        outcome = run([a_node()], [a_job(gpus=1, held=True, waits_for=(7,))])
        assert [reason.code for reason in outcome.why(1)] == [
            "held",
            "predecessors_running",
            "no_such_hardware",
        ]


class TestPaused:
    def test_nothing_starts_and_every_job_says_so_first(self) -> None:
        outcome = run([a_node(gpus=1)], [a_job(gpus=1), a_job(held=True), a_job()], paused=True)
        assert outcome.started == []
        assert outcome.why(1) == outcome.why(3) == (SchedulingPaused(),)
        assert outcome.why(2) == (SchedulingPaused(), Held())
        assert outcome.plan.order == (1, 3, 2)


class TestLocked:
    def test_nothing_of_a_locked_user_starts_and_it_holds_back_nobody(self) -> None:
        jobs = [a_job(gpus=1, user="bo"), a_job(user="bo", held=True), a_job(gpus=1), a_job(user="bo")]
        outcome = run([a_node(gpus=1)], jobs, locked=frozenset({"bo"}))
        assert outcome.started == [3]
        assert outcome.why(1) == outcome.why(4) == (OwnerLocked(),)
        assert outcome.why(2) == (OwnerLocked(), Held())


def test_jobs_of_one_shape_share_their_blockers() -> None:
    shapes = [a_job(cpus=16), a_job(gpus=9), a_job(held=True), a_job(waits_for=(90,))]
    outcome = run([a_node(used_cpus=1)], shapes * 2)
    for number in range(1, 5):
        assert outcome.why(number) is outcome.why(number + 4)


def test_an_ask_that_a_lost_node_could_run_is_accepted_at_submit() -> None:
    nodes = [a_node("gone", gpus=4, up=False), a_node("here", gpus=1)]
    assert can_ever_run(make_ask(4), nodes) is None
    assert can_ever_run(make_ask(5), nodes) == NoSuchHardware(gpus=5, cpus=0, memory_mb=0, node=None)
    assert can_ever_run(make_ask(4, node="here"), nodes) == NoSuchHardware(4, 0, 0, "here")
