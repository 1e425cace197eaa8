"""Numbers that are left to Danlu."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.core.auto import AutoReason
from danlu.core.resources import Ask, make_ask
from danlu.scheduling.auto import (
    AutoLimits,
    AutoWish,
    ChosenNumbers,
    MemoryTooLarge,
    _Table,
    choose,
    choose_for_later,
)
from danlu.scheduling.capacity import can_ever_run
from danlu.scheduling.snapshot import NodeView
from tests.scheduling.builders import a_job, a_node, run
from tests.scheduling.worlds import NAMES, make_node, make_shape

GB = 1024


def cards(name: str, *sizes_gb: int, model: str = "A100", **fields: object) -> NodeView:
    return a_node(
        name,
        len(sizes_gb),
        gpu_memory_mb=tuple(size * GB for size in sizes_gb),
        gpu_models=(model,) * len(sizes_gb),
        **fields,
    )


def decide(
    *nodes: NodeView, need_gb: int = 0, spread: bool = False, **ask: object
) -> ChosenNumbers | MemoryTooLarge:
    wish = AutoWish(True, spread, need_gb * GB)
    return choose(wish, make_ask(**({"gpus": 1} | ask)), nodes, AutoLimits(8, 4))


class TestGpusByMemory:
    @pytest.mark.parametrize(
        ("need_gb", "gpus", "each_gb"), [(1, 1, 1), (24, 1, 24), (25, 2, 12.5), (48, 2, 24), (90, 4, 22.5)]
    )
    def test_the_fewest_that_hold_it(self, need_gb, gpus, each_gb):
        chosen = decide(cards("a", 24, 24, 24, 24), need_gb=need_gb)
        assert (chosen.gpus, chosen.gpu_memory_mb) == (gpus, each_gb * GB)
        assert chosen.reason is AutoReason.MEMORY

    def test_a_larger_card_takes_fewer(self):
        small, large = cards("a", *[24] * 8), cards("b", 80, 80)
        assert decide(small, large, need_gb=70).gpus == 1
        assert decide(small, large, need_gb=70, exclude_nodes=("b",)).gpus == 3

    def test_cards_of_different_sizes_count_as_the_smallest_of_them(self):
        assert decide(cards("a", 40, 24, 24), need_gb=60).gpus == 3
        assert decide(cards("a", 40, 24), need_gb=60) == MemoryTooLarge(48 * GB)

    def test_what_is_in_service_goes_first(self):
        down = cards("b", 80, up=False)
        assert decide(cards("a", 24, 24, 24, 24), down, need_gb=80).gpus == 4
        assert decide(cards("a", 24, 24), down, need_gb=80).gpus == 1

    def test_what_no_node_holds_is_refused_and_says_what_one_does(self):
        assert decide(cards("a", *[24] * 10), cards("b", 80), need_gb=200) == MemoryTooLarge(192 * GB)

    def test_over_several_nodes_if_that_is_left_open_too(self):
        nodes = [cards(name, 24, 24) for name in "abcde"]
        chosen = decide(*nodes, need_gb=100, spread=True)
        assert (chosen.nodes_min, chosen.nodes, chosen.gpus) == (3, 4, 2)
        assert chosen.gpu_memory_mb == -(-100 * GB // 6)

    def test_each_of_a_number_of_nodes_that_was_said_holds_a_copy(self):
        nodes = [cards("a", 24, 24), cards("b", 24, 24), cards("c", 80)]
        assert decide(*nodes, need_gb=40, nodes=2).gpus == 2
        assert decide(*nodes, need_gb=60, nodes=2) == MemoryTooLarge(48 * GB)


class TestGpusByWhatIsFree:
    def test_as_many_as_the_best_node_has_free(self):
        chosen = decide(cards("a", 24, 24, 24, busy=[0]), cards("b", 24, 24, 24, 24, busy=[1, 2, 3]))
        assert (chosen.gpus, chosen.reason, chosen.node) == (2, AutoReason.FREE, "a")

    def test_one_if_none_is_free(self):
        chosen = decide(cards("a", 24, 24, busy=[0, 1]))
        assert (chosen.gpus, chosen.reason) == (1, AutoReason.NONE_FREE)

    def test_nobody_gets_more_than_the_limit(self):
        chosen = decide(cards("a", *[24] * 16))
        assert (chosen.gpus, chosen.reason) == (8, AutoReason.LIMIT)

    def test_a_node_without_the_cpus_has_nothing_free_for_it(self):
        nodes = cards("a", *[24] * 4, used_cpus=14), cards("b", 24)
        assert decide(*nodes, cpus=4).gpus == 1

    def test_of_several_nodes_each_has_so_many(self):
        nodes = cards("a", *[24] * 4), cards("b", *[24] * 2), cards("c", *[24] * 3, model="V100")
        assert decide(*nodes, nodes=2).gpus == 2


class TestNodes:
    def test_from_one_to_all_that_could_run_it(self):
        nodes = (
            cards("a", 24, 24),
            cards("b", 24, 24, up=False),
            cards("c", 24),
            cards("d", 24, 24, model="T4"),
        )
        chosen = choose(AutoWish(gpus=False, nodes=True), make_ask(2), nodes, AutoLimits(8, 4))
        assert (chosen.nodes_min, chosen.nodes, chosen.gpus) == (1, 2, 2)
        assert chosen.reason is AutoReason.SAID

    def test_one_machine_is_one_node(self):
        chosen = decide(cards("a", 24), spread=True)
        assert (chosen.nodes_min, chosen.nodes) == (1, 1)

    def test_jobs_without_gpus_spread_as_well(self):
        nodes = [a_node(name) for name in "abcdef"]
        wish = AutoWish(gpus=False, nodes=True)
        assert choose(wish, make_ask(), nodes, AutoLimits(8, 4)).nodes == 4


class TestLimits:
    @pytest.mark.parametrize("need_gb", [0, 10, 100, 1000])
    def test_numbers_that_nothing_can_have_are_not_tried(self, monkeypatch, need_gb):
        tried = []
        plain = _Table.fits
        monkeypatch.setattr(_Table, "fits", lambda *asked: tried.append(asked) or plain(*asked))
        nodes = [cards(name, 24, 24) for name in "abc"]
        wish = AutoWish(True, True, need_gb * GB)
        chosen = choose(wish, make_ask(1), nodes, AutoLimits(1024, 1024))
        assert chosen == choose(wish, make_ask(1), nodes, AutoLimits(2, 3))
        # In service and not, on so many nodes, so many of each; and that once more.
        assert len(tried) <= 2 * 2 * 3 * 2

    def test_where_there_is_nothing_one_is_the_least(self):
        assert choose(AutoWish(True, True), make_ask(1), [], AutoLimits()).gpus == 1
        assert choose(AutoWish(True, True), make_ask(1), [a_node("a")], AutoLimits()).gpus == 1
        assert choose(AutoWish(True, True, 9), make_ask(1), [], AutoLimits()) == MemoryTooLarge(0)


class TestForLater:
    """What is too large for all there is, and waits for more."""

    def later(self, *nodes: NodeView, need_gb: int, spread: bool = False, **ask: object) -> tuple[int, ...]:
        wish = AutoWish(True, spread, need_gb * GB)
        chosen = choose_for_later(wish, make_ask(**({"gpus": 1} | ask)), nodes, AutoLimits(8, 4))
        return chosen.gpus, chosen.nodes_min, chosen.nodes, -(-chosen.gpu_memory_mb // GB)

    def test_more_of_the_largest_gpus_there_are(self):
        nodes = cards("a", 24, 24, 24), cards("b", 80)
        assert self.later(*nodes, need_gb=300) == (4, 1, 1, 75)
        assert self.later(*nodes, need_gb=300, nodes=2) == (4, 2, 2, 75)
        assert self.later(*nodes, need_gb=100, only_nodes=("a",)) == (5, 1, 1, 20)

    def test_larger_gpus_where_a_node_may_not_have_so_many(self):
        assert self.later(cards("a", 24), need_gb=400) == (8, 1, 1, 50)

    def test_over_several_nodes_if_that_is_left_open_too(self):
        assert self.later(cards("a", 24), need_gb=400, spread=True) == (6, 3, 3, 23)
        assert self.later(cards("a", 24), need_gb=3200, spread=True) == (8, 4, 4, 100)

    def test_where_there_is_no_gpu_at_all_it_is_in_as_many_parts_as_may_be(self):
        assert self.later(a_node("a"), need_gb=80) == (8, 1, 1, 10)
        assert self.later(need_gb=320, spread=True) == (8, 4, 4, 10)

    def test_what_no_node_can_run_otherwise_goes_by_the_gpus_there_are(self):
        assert self.later(cards("a", 24), need_gb=40, cpus=1000) == (2, 1, 1, 20)


def make_world(rng: Random) -> list[NodeView]:
    nodes = [make_node(rng, name) for name in NAMES[: rng.randint(1, 7)]]
    return [
        replace(node, gpu_memory_mb=tuple(rng.choice([16, 24, 24, 80]) for _ in node.gpu_ids), stages=True)
        for node in nodes
    ]


def make_ask_without_ids(rng: Random) -> Ask:
    return replace(make_shape(rng), gpu_ids=(), gpus=1, gpu_memory_mb=0)


def filled(wish: AutoWish, ask: Ask, chosen: ChosenNumbers) -> Ask:
    nodes = {"nodes": chosen.nodes, "nodes_min": chosen.nodes_min} if wish.nodes else {}
    return replace(ask, gpus=chosen.gpus, gpu_memory_mb=chosen.gpu_memory_mb, **nodes)


@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([0, 10, 30, 60, 100, 200, 400, 900]))
def test_what_is_chosen_can_run_and_is_the_least(seed, spread, need_mb):
    rng = Random(seed)
    nodes, ask = make_world(rng), make_ask_without_ids(rng)
    ask = replace(ask, nodes=1, nodes_min=1) if spread else ask
    wish, limits = AutoWish(True, spread, need_mb), AutoLimits(rng.randint(1, 5), rng.randint(1, 4))
    chosen = choose(wish, ask, nodes, limits)
    assert chosen == choose(wish, ask, rng.sample(nodes, len(nodes)), limits)
    possible = can_ever_run(replace(ask, gpus=1, nodes=max(ask.nodes, 2 if spread else 1)), nodes) is None
    if isinstance(chosen, MemoryTooLarge):
        assert chosen.most_mb < need_mb
        return
    assert 1 <= chosen.gpus <= limits.gpus
    asked = filled(wish, ask, chosen)
    if need_mb or possible:
        assert can_ever_run(asked, nodes) is None
    if spread:
        assert chosen.nodes_min <= chosen.nodes <= max(limits.nodes, 1)
    if need_mb:
        parts = chosen.nodes_min if spread else 1
        assert chosen.gpu_memory_mb * chosen.gpus * parts >= need_mb
        in_service = [node for node in nodes if node.in_service and not node.drained_gpus]
        for fewer in range(1, chosen.gpus):
            each_mb = -(-need_mb // (parts * fewer))
            smaller = replace(asked, gpus=fewer, gpu_memory_mb=each_mb)
            # Nothing in service would have done with fewer.
            assert can_ever_run(smaller, in_service) is not None


class TestStaging:
    """What wants its data copied goes only where that is done: earlier agents would start it without."""

    def test_it_is_placed_where_data_are_staged(self):
        nodes = a_node("a", 2, stages=False), a_node("b", 2)
        outcome = run(nodes, [a_job(1, where={"stage": True}), a_job(1), a_job(2, where={"stage": True})])
        assert outcome.where(1)[0] == "b"
        assert outcome.where(2)[0] == "b"
        assert 3 not in outcome.started

    def test_it_waits_where_no_node_does_that(self):
        for place in ({}, {"only_nodes": ("a",)}, {"nodes": 2, "nodes_min": 1}):
            outcome = run([a_node("a", 2, stages=False)], [a_job(1, where={"stage": True, **place})])
            [blocker] = outcome.why(1)
            assert (blocker.code, blocker.stage) == ("no_such_hardware", True)
