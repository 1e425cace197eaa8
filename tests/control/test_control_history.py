"""The last hour of the nodes: what went in comes out, in order and aligned, and nothing grows for ever."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.control.telemetry.readings_history import LONGEST_S, STEP_S, ReadingsHistory
from danlu.core.nodes.node import GpuReading
from danlu.core.nodes.readings import MachineReading, NodeReading
from danlu.wire.nodes.node import NodeHistory
from tests.control.world import World

BUSY = MachineReading(37.5, 2.0, 12_345, 64_000, 1_500_000.0, 20_000.0)
GPU = GpuReading(0, "GPU-0", 24_576, 8192, 93, 71, 280.4)


def a_reading(number: float = 0, gpus: int = 1) -> NodeReading:
    cards = tuple(replace(GPU, index=index, load=int(number) % 100) for index in range(gpus))
    return NodeReading(cards, replace(BUSY, memory_used_mb=int(number)))


def columns(past: NodeHistory) -> list[list[float | None] | list[int | None]]:
    own = [past.cpu_percent, past.memory_used_mb, past.network_in_bytes_s, past.network_out_bytes_s]
    return [*own, *(c for gpu in past.gpus for c in (gpu.load, gpu.used_mb, gpu.temperature_c, gpu.power_w))]


def test_what_was_measured_is_remembered_as_it_was() -> None:
    history = ReadingsHistory()
    history.note(1000.0, {"n1": NodeReading((GPU, replace(GPU, index=7, load=None, power_w=None)), BUSY)})
    past = history.of_node("n1", 0.0)
    assert past.times == [1000.0]
    assert (past.cpu_percent, past.memory_used_mb) == ([37.5], [12_345])
    assert (past.network_in_bytes_s, past.network_out_bytes_s) == ([1_500_000.0], [20_000.0])
    first, second = past.gpus
    assert (first.index, first.load, first.used_mb, first.temperature_c) == (0, [93], [8192], [71])
    assert first.power_w == [280.4]
    assert (second.index, second.load, second.power_w, second.used_mb) == (7, [None], [None], [8192])


def test_who_was_away_or_broken_leaves_a_gap() -> None:
    history = ReadingsHistory()
    looks = [
        {"n1": a_reading(1), "n2": a_reading(1)},
        {"n2": a_reading(2)},
        {"n1": replace(a_reading(3), machine=None)},
        {"n1": NodeReading((replace(GPU, fault="lost"),), BUSY)},
    ]
    for number, look in enumerate(looks):
        history.note(1000 + 10.0 * number, look)
    past = history.of_node("n1", 0.0)
    assert past.memory_used_mb == [1, None, None, 12_345]
    assert past.gpus[0].load == [1, None, 3, None]
    assert history.of_node("n2", 0.0).memory_used_mb == [1, 2, None, None]


def test_a_node_begins_when_it_was_first_seen_and_one_never_seen_has_nothing() -> None:
    history = ReadingsHistory()
    history.note(1000.0, {"n1": a_reading()})
    history.note(1010.0, {"n1": a_reading(), "n2": a_reading()})
    assert history.of_node("n2", 0.0).times == [1010.0]
    assert history.of_node("n3", 0.0) == NodeHistory(
        node="n3",
        times=[],
        cpu_percent=[],
        memory_used_mb=[],
        network_in_bytes_s=[],
        network_out_bytes_s=[],
        gpus=[],
    )


def test_part_of_the_time_can_be_asked_for() -> None:
    history = ReadingsHistory()
    for number in range(10):
        history.note(10.0 * number, {"n1": a_reading(number)})
    assert history.of_node("n1", 30.0, 50.0).memory_used_mb == [3, 4, 5]
    assert history.of_node("n1", 200.0).times == []


def test_looks_that_follow_too_soon_are_not_kept() -> None:
    history = ReadingsHistory()
    kept = [history.note(at, {"n1": a_reading()}) for at in (0.0, 2.0, 4.0, 6.0, 8.0, 11.0)]
    assert kept == [True, False, False, True, False, True]


def test_a_clock_that_was_set_back_begins_anew() -> None:
    history = ReadingsHistory()
    history.note(5000.0, {"n1": a_reading(1)})
    assert history.note(1000.0, {"n1": a_reading(2)})
    assert (history.of_node("n1", 0.0).times, history.of_node("n1", 0.0).memory_used_mb) == ([1000.0], [2])


@settings(deadline=None)
@given(
    length=st.integers(1, 7),
    looks=st.lists(
        st.dictionaries(st.sampled_from("abc"), st.tuples(st.integers(0, 9000), st.sets(st.integers(0, 2)))),
        max_size=30,
    ),
    since=st.integers(0, 30),
    until=st.integers(0, 30),
)
def test_it_is_the_end_of_everything_noted(
    length: int, looks: list[dict[str, tuple[int, set[int]]]], since: int, until: int
) -> None:
    """Against the obvious implementation: a list of all looks, of which the last ones count."""
    history = ReadingsHistory(longest_s=length, step_s=1.0)
    for at, look in enumerate(looks):
        history.note(
            float(at),
            {
                name: NodeReading(
                    tuple(replace(GPU, index=index, used_mb=8 * mb) for index in sorted(cards)),
                    replace(BUSY, memory_used_mb=mb),
                )
                for name, (mb, cards) in look.items()
            },
        )
    kept = list(enumerate(looks))[-length:]
    for name in "abc":
        past = history.of_node(name, float(since), float(until))
        assert all(len(column) == len(past.times) for column in columns(past))
        told = dict(zip(past.times, past.memory_used_mb, strict=True))
        cards = {gpu.index: dict(zip(past.times, gpu.used_mb, strict=True)) for gpu in past.gpus}
        for at, look in kept:
            if not since <= at <= until:
                assert at not in told
            elif name in look:
                mb, indices = look[name]
                assert told[at] == mb
                for index in indices:
                    assert cards[index][at] == 8 * mb
            else:
                assert told.get(float(at)) is None
        assert past.times == sorted(past.times)
        assert set(past.times) <= {at for at, _ in kept}


def test_nodes_and_gpus_that_are_gone_for_long_are_forgotten() -> None:
    history = ReadingsHistory(longest_s=5, step_s=1)
    history.note(0.0, {"n1": a_reading(gpus=3), "n2": a_reading()})
    for at in range(1, 6):
        history.note(float(at), {"n2": NodeReading((replace(GPU, index=1),), BUSY)})
    assert list(history._nodes) == ["n2"]
    assert [gpu.index for gpu in history.of_node("n2", 0.0).gpus] == [1]


def test_an_hour_fits_at_the_pace_of_the_looks() -> None:
    history = ReadingsHistory()
    for number in range(4000):
        history.note(2.0 * number, {"n1": a_reading(number)})
    times = history.of_node("n1", 0.0).times
    assert times[-1] - times[0] >= LONGEST_S - STEP_S
    assert len(times) <= LONGEST_S / STEP_S


def test_a_node_with_eight_gpus_takes_little() -> None:
    history = ReadingsHistory()
    history.note(0.0, {"n1": a_reading(gpus=8)})
    (node,) = history._nodes.values()
    kept = [node.cpu, node.memory_mb, node.network_in, node.network_out]
    kept += [c for gpu in node.gpus.values() for c in (gpu.load, gpu.used_mb, gpu.temperature_c, gpu.power_w)]
    packed = sum(len(column._packed) * column._packed.itemsize for column in kept)
    assert packed == 720 * (13 + 8 * 6)
    assert sum(sys.getsizeof(column._packed) + sys.getsizeof(column) for column in kept) < 50_000


@pytest.mark.parametrize("value", [-5.0, 1e12])
def test_what_cannot_be_true_is_held_within_bounds(value: float) -> None:
    history = ReadingsHistory()
    gpu = replace(GPU, load=int(value), used_mb=int(value), temperature_c=int(value), power_w=value)
    history.note(
        0.0, {"n1": NodeReading((gpu,), replace(BUSY, cpu_percent=value, memory_used_mb=int(value)))}
    )
    past = history.of_node("n1", 0.0)
    assert all(each is not None and each >= 0 for column in columns(past) for each in column)


async def test_the_monitor_remembers_its_looks(world: World) -> None:
    world.agents.usage["forge"] = BUSY
    world.clock.advance(10)
    await world.control.monitor.look()
    past = world.control.monitor.history.of_node("forge", 0.0)
    assert past.memory_used_mb[-1] == BUSY.memory_used_mb
    assert past.times[-1] == world.clock()
    assert world.control.monitor.machines == {"forge": BUSY}
