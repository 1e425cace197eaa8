"""Sharing a GPU, having it to oneself, and slots: who may be on a card together."""

from __future__ import annotations

from typing import Any

from danlu.core.blockers import ExactGpusBusy, ExactGpusFaulty, GpuMemoryBusy, GpusBusy, NoSuchHardware
from danlu.core.resources import make_ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.snapshot import NodeView
from tests.scheduling.builders import a_job, a_node, run


def sharing(gpu_memory_mb: int = 0, gpus: int = 1, **fields: Any) -> WaitingJob:
    job = a_job(gpus, **fields)
    return WaitingJob(
        id=job.id,
        owner=job.owner,
        ask=make_ask(gpus, job.ask.gpu_ids, share=True, gpu_memory_mb=gpu_memory_mb),
        position=job.position,
    )


def alone(gpus: int = 1, *, no_sharing: bool = True, gpu_memory_mb: int = 0) -> WaitingJob:
    ask = make_ask(gpus, no_sharing=no_sharing, gpu_memory_mb=gpu_memory_mb)
    return WaitingJob(id=0, owner="ann", ask=ask, position=0.0)


def cards(*free_mb: int, memory_mb: int = 24_000, **fields: Any) -> NodeView:
    """A node with one GPU for each amount of free memory."""
    count = len(free_mb)
    return a_node(gpus=count, gpu_memory_mb=(memory_mb,) * count, gpu_free_mb=free_mb, **fields)


class TestSharing:
    def test_it_joins_the_card_with_most_free_memory_though_somebody_holds_it(self) -> None:
        outcome = run([cards(9_000, 20_000, 12_000, busy=[0, 1, 2])], [sharing(8_000)])
        assert outcome.where(1) == ("forge", (1,))
        assert outcome.plan.decisions[0].allocation.gpu_memory_mb == 8_000

    def test_of_all_nodes(self) -> None:
        nodes = [cards(9_000, busy=[0]), cards(10_000, busy=[0], name="zinc"), cards(9_500, name="anvil")]
        assert run(nodes, [sharing(1_000)]).where(1) == ("zinc", (0,))

    def test_without_an_ask_it_counts_half_the_card(self) -> None:
        assert run([cards(11_999)], [sharing()]).why(1) == (GpuMemoryBusy(1, 0, 11_999, None),)
        outcome = run([cards(12_000)], [sharing()])
        assert outcome.plan.decisions[0].allocation.promised_mb(24_000) == 12_000

    def test_on_unlike_cards_it_is_half_of_each(self) -> None:
        node = a_node(gpus=2, gpu_memory_mb=(24_000, 80_000), gpu_free_mb=(12_000, 40_000))
        assert run([node], [sharing(gpus=2), sharing()]).started == [1]

    def test_promises_of_one_pass_add_up(self) -> None:
        outcome = run([cards(24_000)], [sharing(10_000), sharing(10_000), sharing(10_000)])
        assert outcome.started == [1, 2]
        assert outcome.why(3) == (GpuMemoryBusy(1, 10_000, 4_000, None),)

    def test_it_does_not_wait_behind_the_head_of_the_queue_and_holds_back_nobody(self) -> None:
        outcome = run(
            [cards(24_000, 24_000, busy=[0])], [a_job(2), sharing(30_000 - 6_000), sharing(9_000), a_job(1)]
        )
        assert outcome.why(1) == (GpusBusy(2, 1, None),)
        assert outcome.started == [2, 3]

    def test_nobody_gets_a_card_to_himself_that_somebody_shares(self) -> None:
        outcome = run([cards(24_000)], [sharing(1_000), a_job(1)])
        assert outcome.started == [1]

    def test_nobody_joins_a_card_that_is_closed_drained_or_broken(self) -> None:
        node = cards(24_000, 23_000, 22_000, 2_000, closed_gpus=frozenset({0}))
        node = NodeView(
            **{
                **{name: getattr(node, name) for name in node.__slots__},
                "drained_gpus": frozenset({1}),
                "faulty_gpus": frozenset({2}),
            }
        )
        assert run([node], [sharing(1_000)]).where(1) == ("forge", (3,))

    def test_several_cards_and_exact_ones(self) -> None:
        node = cards(5_000, 20_000, 9_000)
        assert run([node], [sharing(4_000, gpus=2)]).where(1) == ("forge", (1, 2))
        assert run([node], [sharing(4_000, gpu_ids=(0,))]).where(1) == ("forge", (0,))
        assert run([node], [sharing(6_000, gpu_ids=(0,))]).why(1) == (GpuMemoryBusy(1, 6_000, 5_000, None),)

    def test_no_card_is_large_enough(self) -> None:
        assert isinstance(run([cards(24_000)], [sharing(25_000)]).why(1)[0], NoSuchHardware)


class TestHavingItToOneself:
    def test_foreign_processes_keep_it_busy_and_are_named(self) -> None:
        node = a_node(gpus=2, busy=[0], foreign_gpus=frozenset({0}))
        outcome = run([node], [a_job(2)])
        assert outcome.why(1) == (GpusBusy(2, 1, None, foreign=1),)

    def test_a_broken_gpu_is_never_given_and_whoever_names_it_is_told(self) -> None:
        node = a_node(gpus=2, faulty_gpus=frozenset({0}))
        outcome = run([node], [a_job(1), a_job(0, gpu_ids=(0,))])
        assert outcome.where(1) == ("forge", (1,))
        assert outcome.why(2) == (ExactGpusFaulty(None, (0,)),)

    def test_memory_of_a_free_card_is_its_size_not_what_is_free_of_it(self) -> None:
        node = cards(23_500, 80_000 - 500, memory_mb=24_000)
        assert run([node], [alone(no_sharing=False, gpu_memory_mb=24_000)]).started == [1]
        assert isinstance(
            run([node], [alone(no_sharing=False, gpu_memory_mb=24_001)]).why(1)[0], NoSuchHardware
        )


class TestSlots:
    def test_as_many_jobs_as_a_card_has_slots_and_none_twice_on_one(self) -> None:
        node = a_node(gpus=2, slots_left=((0, 2),))
        outcome = run([node], [a_job(1), a_job(1), a_job(1), a_job(1)])
        assert [each.allocation.gpu_ids for each in outcome.plan.decisions] == [(0,), (0,), (1,)]
        assert outcome.why(4) == (GpusBusy(1, 0, None),)
        assert run([node], [a_job(2)]).where(1) == ("forge", (0, 1))

    def test_who_wants_no_sharing_wants_a_whole_card(self) -> None:
        node = a_node(gpus=1, slots_left=((0, 3),), partly_used=frozenset({0}))
        assert run([node], [alone()]).why(1) == (GpusBusy(1, 0, None, whole=True),)
        whole = a_node(gpus=1, slots_left=((0, 4),))
        assert run([whole], [alone(), a_job(1)]).started == [1]

    def test_an_exact_card_of_which_only_a_slot_is_free_is_busy_for_who_wants_it_whole(self) -> None:
        node = a_node(gpus=2, slots_left=((0, 2),), partly_used=frozenset({0}))
        whole = WaitingJob(0, "ann", make_ask(gpu_ids=(0,), no_sharing=True), 0.0)
        outcome = run([node], [whole, a_job(1)])
        assert outcome.why(1) == (ExactGpusBusy(None, (0,)),)
        assert outcome.started == [2]

    def test_promises_bind_those_in_slots_too(self) -> None:
        node = cards(24_000, slots_left=((0, 3),))
        asks = [alone(no_sharing=False, gpu_memory_mb=10_000) for _ in range(3)]
        assert run([node], asks).started == [1, 2]
