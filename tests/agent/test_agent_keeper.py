"""The keeper comes when it is needed, hands its tasks on, and leaves when it is not."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import pytest

from danlu.agent.gpus.simulation import SimulatedGpus
from danlu.agent.keeper_link import KeeperLink, KeeperRefused
from danlu.agent.keeper_process import KeeperUnavailable, keeper_argv, start_keeper
from danlu.agent.node_agent import NodeAgent
from danlu.agent.task_json import order_to_json
from danlu.core.task import TaskEnding, TaskKey
from tests.agent.story import Node, eventually, retire_keeper


async def test_a_new_keeper_adopts_what_lives(node: Node) -> None:
    order = await node.started("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    done = node.a_task("exit 6")
    await node.agent.launch(done)
    await node.end_of(done.key)
    for _ in range(3):
        await node.kill_keeper()
    facts = {fact.key: fact for fact in await node.agent.tasks()}
    assert facts[order.key].started_at is not None
    assert facts[order.key].end is None
    assert os.waitstatus_to_exitcode(facts[done.key].end.wait_status) == 6
    (node.folder / "go").touch()
    end = await node.end_of(order.key)
    assert (end.ending, os.waitstatus_to_exitcode(end.wait_status)) == (TaskEnding.EXITED, 5)


async def test_an_end_that_nobody_saw_is_told_later(node: Node) -> None:
    order = await node.started("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    wrapper = node.wrapper_of(order.key)
    await node.retire_keeper()
    await eventually(lambda: node.keeper() is None)
    (node.folder / "go").touch()
    await eventually(lambda: not Path(f"/proc/{wrapper}").exists())
    await node.link.start()
    assert os.waitstatus_to_exitcode((await node.end_of(order.key)).wait_status) == 5


async def test_a_time_limit_holds_without_a_keeper(node: Node) -> None:
    order = await node.started("sleep 60", time_limit_s=0.5)
    wrapper = node.wrapper_of(order.key)
    await node.retire_keeper()
    await eventually(lambda: not Path(f"/proc/{wrapper}").exists())
    await node.link.start()
    assert (await node.end_of(order.key)).ending is TaskEnding.TIME_LIMIT


async def test_a_keeper_that_knows_no_leases_hands_its_tasks_to_one_that_does(folder: Path) -> None:
    """After an upgrade the old one is still there; a node that is cut off could not rely on it."""
    node = Node(folder)
    python, isolated, no_site, _, _, *arguments = keeper_argv(node.keeper_folder, "auto")
    earlier = Path(__file__).with_name("earlier_keeper.py")
    start_keeper([python, isolated, no_site, str(earlier), *arguments], node.keeper_folder)
    old = node.keeper()
    order = node.a_task("while [ ! -e go ]; do sleep 0.05; done; exit 5")
    request = {"id": 1, "op": "launch", "order": order_to_json(order, [])}
    _, writer = await asyncio.open_unix_connection(node.keeper_folder / "socket")
    writer.write(json.dumps(request).encode() + b"\n")
    await eventually((node.keeper_folder / "tasks" / f"{order.key}.claim").is_symlink)
    await node.link.start()
    assert node.keeper() not in (None, old)
    (node.folder / "go").touch()
    assert os.waitstatus_to_exitcode((await node.end_of(order.key)).wait_status) == 5
    writer.close()
    await node.retire_keeper()


async def test_a_start_is_told_by_the_next_keeper(node: Node) -> None:
    os.kill(node.keeper(), signal.SIGKILL)
    order = await node.started("sleep 60")
    assert node.known[order.key].started_at is not None


async def test_nodes_can_share_a_keeper_and_hear_only_their_own(a_node) -> None:
    one = await a_node()
    link = KeeperLink(one.keeper_folder)
    heard: list[TaskKey] = []
    link.subscribe(lambda fact: heard.append(fact.key))
    await link.start()
    other = NodeAgent("furnace-2", link, SimulatedGpus("furnace-2", 0))
    order = one.a_task()
    await one.agent.launch(order)
    await one.end_of(order.key)
    await eventually(lambda: order.key in heard)
    assert await other.tasks() == []
    await link.close()


async def test_the_keeper_leaves_when_nobody_needs_it(node: Node) -> None:
    await node.run()
    await node.link.close()
    await eventually(lambda: node.keeper() is None)


async def test_the_keeper_stays_while_a_task_lives(node: Node) -> None:
    await node.started("sleep 60")
    keeper = node.keeper()
    await node.link.close()
    await asyncio.sleep(2.5)
    assert node.keeper() == keeper
    await node.link.start()
    assert node.keeper() == keeper


async def test_many_links_start_one_keeper(folder: Path) -> None:
    links = [KeeperLink(folder / "keeper") for _ in range(5)]
    await asyncio.gather(*[link.start() for link in links])
    assert [await link.list() for link in links] == [[]] * 5
    for link in links:
        await link.close()
    await retire_keeper(folder / "keeper")


async def test_a_folder_with_a_very_long_path(folder: Path) -> None:
    node = Node(folder / ("deep/" * 40))
    node.folder.mkdir(parents=True)
    await node.link.start()
    assert (await node.run()).wait_status == 0
    await node.retire_keeper()


async def test_a_keeper_that_cannot_start_says_why(folder: Path) -> None:
    link = KeeperLink(folder / "keeper", cgroup_mode="v3")
    with pytest.raises(KeeperUnavailable, match="v3"):
        await link.start()
    (folder / "file").touch()
    with pytest.raises(KeeperUnavailable):
        await KeeperLink(folder / "file" / "keeper").start()


async def test_a_request_that_makes_no_sense_is_refused_and_nothing_breaks(node: Node) -> None:
    with pytest.raises(KeeperRefused, match="not a task's key"):
        await node.link._request("stop", key="../../etc", node="x", grace_s=1)
    assert (await node.run()).wait_status == 0


async def test_nobody_else_can_reach_the_keeper(node: Node) -> None:
    assert node.keeper_folder.stat().st_mode & 0o777 == 0o700
    assert (node.keeper_folder / "socket").stat().st_mode & 0o777 == 0o600


async def test_a_full_burst_of_tasks(node: Node) -> None:
    count = 200
    orders = [node.a_task() for _ in range(count)]
    began = time.monotonic()
    await asyncio.gather(*[node.agent.launch(order) for order in orders])
    ends = [await node.end_of(order.key) for order in orders]
    print(f"\n{count / (time.monotonic() - began):.0f} no-op tasks per second")
    assert {end.wait_status for end in ends} == {0}
