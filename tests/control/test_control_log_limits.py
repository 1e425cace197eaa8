"""Limits of logs: the nodes are told at once, and tasks take theirs along."""

from __future__ import annotations

from danlu.store.settings import change_general
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World

MB = 1 << 20


async def limit(world: World, **limits_mb: int) -> None:
    await world.control.database.write(lambda tx: change_general(tx, "ann", **limits_mb))


async def test_a_new_limit_goes_to_all_nodes_and_into_all_orders(open_world: OpenWorld) -> None:
    agents = RecordingAgents(a_machine("n1"), a_machine("n2"))
    world = await open_world(agents)
    first = await world.submit()
    await world.until_true(lambda: [order.key.job for order in agents.launched] == [first])
    assert agents.launched[0].log_limit == 0
    assert agents.trimmed == []
    await limit(world, job_log_limit_mb=10)
    await world.until_true(lambda: agents.trimmed == [("n1", 10 * MB, 0), ("n2", 10 * MB, 0)])
    await limit(world, all_logs_limit_mb=100)
    await world.until_true(lambda: ("n2", 10 * MB, 100 * MB) in agents.trimmed)
    second = await world.submit()
    await world.until_true(lambda: len(agents.launched) == 2)
    assert (agents.launched[1].key.job, agents.launched[1].log_limit) == (second, 10 * MB)
    await world.restart()
    third = await world.submit()
    await world.until_true(lambda: len(agents.launched) == 3)
    assert (agents.launched[2].key.job, agents.launched[2].log_limit) == (third, 10 * MB)
