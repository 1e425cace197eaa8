"""Nodes: their facts come and go, what people decided about them stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.core.events import EventKind
from danlu.core.lab_settings import SchedulingSettings
from danlu.core.nodes.node import Gpu, Node, NodeFacts, NodeState
from danlu.store.nodes.node_rows import (
    change_gpu,
    drop_gpu,
    fault_of,
    get_node,
    list_nodes,
    mark_lost,
    note_faults,
    save_facts,
    set_drained,
    set_gpu_drained,
    set_quarantine,
)
from danlu.store.settings import change_scheduling, read_scheduling
from tests.store.builders import Shop

FORGE = NodeFacts("forge", 16, 64_000, tuple(Gpu(n, f"GPU-{n}", "H200", 141_000) for n in range(2)), "boot-1")


async def the_node(shop: Shop) -> Node:
    node = await shop.read(lambda c: get_node(c, "forge"))
    assert node is not None
    return node


async def news(shop: Shop) -> list[EventKind]:
    return [event.kind for event in await shop.events()]


@pytest.fixture(autouse=True)
async def forge(shop: Shop) -> None:
    await shop.write(lambda tx: save_facts(tx, [FORGE]))


async def test_a_new_node_is_up_with_the_facts_it_told(shop: Shop) -> None:
    assert await the_node(shop) == Node(FORGE, NodeState.UP, since=1_000.0)
    assert await news(shop) == [EventKind.NODE_UP]


async def test_the_same_facts_again_are_no_news(shop: Shop) -> None:
    await shop.write(lambda tx: save_facts(tx, [FORGE]))
    assert await news(shop) == [EventKind.NODE_UP]


async def test_changed_facts_are(shop: Shop) -> None:
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, boot_id="boot-2")]))
    assert (await the_node(shop)).facts.boot_id == "boot-2"
    assert await news(shop) == [EventKind.NODE_UP, EventKind.NODE_CHANGED]


async def test_a_lost_node_stays_visible_with_since_when(shop: Shop) -> None:
    shop.clock.advance(10)
    await shop.write(lambda tx: mark_lost(tx, "forge"))
    shop.clock.advance(10)
    await shop.write(lambda tx: mark_lost(tx, "forge"))
    node = await the_node(shop)
    assert (node.state, node.since) == (NodeState.LOST, 1_010.0)
    assert await news(shop) == [EventKind.NODE_UP, EventKind.NODE_LOST]
    await shop.write(lambda tx: save_facts(tx, [FORGE]))
    assert (await the_node(shop)).since == 1_020.0
    assert (await news(shop))[-1] is EventKind.NODE_UP


async def test_drains_outlive_facts_and_losses(shop: Shop) -> None:
    await shop.write(lambda tx: set_drained(tx, "forge", True, "root"))
    await shop.write(lambda tx: set_gpu_drained(tx, "forge", 1, True, "root"))
    await shop.write(lambda tx: mark_lost(tx, "forge"))
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, cpus=8)]))
    (node,) = await shop.read(list_nodes)
    assert node.drained
    assert [gpu.drained for gpu in node.facts.gpus] == [False, True]


async def test_draining_twice_is_told_once(shop: Shop) -> None:
    for drained in (True, True, False, False):
        await shop.write(lambda tx, d=drained: set_drained(tx, "forge", d, "root"))
        await shop.write(lambda tx, d=drained: set_gpu_drained(tx, "forge", 0, d, "root"))
    assert (await news(shop))[1:] == [
        EventKind.NODE_DRAINED,
        EventKind.GPU_DRAINED,
        EventKind.NODE_UNDRAINED,
        EventKind.GPU_UNDRAINED,
    ]


async def test_scheduling_changes_only_where_it_is_told_to(shop: Shop) -> None:
    assert await shop.read(read_scheduling) == SchedulingSettings("fifo", paused=False)
    await shop.write(lambda tx: change_scheduling(tx, "root", policy="balance"))
    await shop.write(lambda tx: change_scheduling(tx, "root", paused=True))
    await shop.write(lambda tx: change_scheduling(tx, "root", paused=True, policy=None))
    assert await shop.read(read_scheduling) == SchedulingSettings("balance", paused=True)
    assert (await news(shop))[1:] == [EventKind.SCHEDULING_CHANGED] * 2


async def gpus(shop: Shop) -> tuple[Gpu, ...]:
    return (await the_node(shop)).facts.gpus


async def told(shop: Shop) -> list[tuple[str, dict[str, object]]]:
    """What happened since the node came up, with its data."""
    return [(event.kind.value, event.data) for event in (await shop.events())[1:]]


async def test_what_is_decided_about_a_gpu_outlives_its_facts(shop: Shop) -> None:
    await shop.write(lambda tx: change_gpu(tx, "forge", 1, "root", managed=False, slots=3))
    await shop.write(lambda tx: change_gpu(tx, "forge", 1, "root", slots=2))
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, cpus=8)]))
    first, second = await gpus(shop)
    assert (first.managed, first.slots) == (True, 1)
    assert (second.managed, second.slots) == (False, 2)
    await shop.write(lambda tx: change_gpu(tx, "forge", 1, "root", managed=True))
    assert [gpu.managed for gpu in await gpus(shop)] == [True, True]


async def test_each_decision_is_told_once_with_who_made_it(shop: Shop) -> None:
    for managed, slots in ((False, 2), (False, 2), (True, 1), (None, None)):
        await shop.write(
            lambda tx, m=managed, s=slots: change_gpu(tx, "forge", 0, "root", managed=m, slots=s)
        )
    assert await told(shop) == [
        ("gpu.removed", {"gpu": 0}),
        ("gpu.slots", {"gpu": 0, "slots": 2, "before": {"slots": 1}, "after": {"slots": 2}}),
        ("gpu.added", {"gpu": 0}),
        ("gpu.slots", {"gpu": 0, "slots": 1, "before": {"slots": 2}, "after": {"slots": 1}}),
    ]
    assert {event.actor for event in (await shop.events())[1:]} == {"root"}


async def test_a_fault_is_told_with_its_evidence_and_so_is_its_end(shop: Shop) -> None:
    for faults in ({1: "lost"}, {1: "lost"}, {}, {}):
        await shop.write(lambda tx, f=faults: note_faults(tx, "forge", f))
        assert [gpu.fault for gpu in await gpus(shop)] == ["", faults.get(1, "")]
    assert await told(shop) == [
        ("gpu.fault", {"gpu": 1, "fault": "lost"}),
        ("gpu.recovered", {"gpu": 1, "fault": "lost"}),
    ]


async def test_facts_that_were_gathered_earlier_take_no_fault_back(shop: Shop) -> None:
    await shop.write(lambda tx: note_faults(tx, "forge", {0: "lost"}))
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, cpus=8)]))
    assert [gpu.fault for gpu in await gpus(shop)] == ["lost", ""]
    assert await shop.read(lambda c: fault_of(c, "forge", [1])) == ""
    assert await shop.read(lambda c: fault_of(c, "forge", [0, 1])) == "GPU 0 of forge: lost"
    other = replace(FORGE, gpus=(replace(FORGE.gpus[0], uuid="GPU-new"), FORGE.gpus[1]))
    await shop.write(lambda tx: save_facts(tx, [other]))
    assert [gpu.fault for gpu in await gpus(shop)] == ["", ""], "another card is not to blame"


async def test_a_gpu_that_is_gone_takes_what_was_decided_about_it_along(shop: Shop) -> None:
    await shop.write(lambda tx: change_gpu(tx, "forge", 1, "root", managed=False, slots=4))
    await shop.write(lambda tx: set_gpu_drained(tx, "forge", 1, True, "root"))
    for _ in range(2):
        await shop.write(lambda tx: drop_gpu(tx, "forge", 1, "root"))
    assert [gpu.index for gpu in await gpus(shop)] == [0]
    assert (await told(shop))[-1] == ("gpu.removed", {"gpu": 1, "gone": True})
    await shop.write(lambda tx: save_facts(tx, [FORGE]))
    assert (await gpus(shop))[1] == FORGE.gpus[1]


async def test_a_node_that_comes_and_goes_is_kept_out_until_somebody_undrains_it(shop: Shop) -> None:
    assert await shop.write(lambda tx: mark_lost(tx, "forge"))
    assert not await shop.write(lambda tx: mark_lost(tx, "forge"))
    await shop.write(lambda tx: set_quarantine(tx, "forge", (1.0, 2.0, 3.0)))
    await shop.write(lambda tx: save_facts(tx, [FORGE]))
    assert (await the_node(shop)).quarantine == "1,2,3"
    await shop.write(lambda tx: set_drained(tx, "forge", False, "root"))
    assert (await the_node(shop)).quarantine == ""
    assert (await news(shop))[-2:] == [EventKind.NODE_UP, EventKind.NODE_UNDRAINED]


async def test_many_nodes_are_saved_as_one_by_one(shop: Shop) -> None:
    anvil = replace(FORGE, name="anvil")
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, boot_id="boot-2"), anvil]))
    await shop.write(lambda tx: save_facts(tx, [replace(FORGE, boot_id="boot-2"), anvil]))
    assert (await the_node(shop)).facts.boot_id == "boot-2"
    assert await news(shop) == [EventKind.NODE_UP, EventKind.NODE_CHANGED, EventKind.NODE_UP]
