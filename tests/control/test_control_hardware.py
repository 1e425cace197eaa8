"""Submissions know the nodes from memory, and never an old picture of them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection

from danlu.control.running import live_board
from danlu.control.running.hardware import MOST_REMEMBERED, Hardware
from danlu.core.errors import Invalid
from danlu.core.nodes.node import Node
from danlu.core.resources import Ask
from danlu.store.nodes.node_rows import change_gpu, list_nodes, save_facts
from tests.control.agents import a_machine
from tests.control.world import World

pytestmark = pytest.mark.anyio


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every time that the nodes were read for the board."""
    found: list[str] = []
    for name in ("read_board", "read_rules"):
        real = getattr(live_board, name)

        def counted(connection: Connection, real: Any = real, name: str = name) -> Any:
            found.append(name)
            return real(connection)

        monkeypatch.setattr(live_board, name, counted)
    return found


async def test_submissions_one_after_another_read_no_nodes(world: World, reads: list[str]) -> None:
    await world.starts(await world.submit(gpus=1))
    reads.clear()
    for _ in range(5):
        await world.submit(gpus=1)
    with pytest.raises(Invalid, match="no_such_hardware"):
        await world.submit(gpus=64)
    await world.settle()
    assert reads == []


async def test_a_node_that_just_came_counts_for_the_very_next_submission(world: World) -> None:
    with pytest.raises(Invalid):
        await world.submit(gpus=16)
    await world.control.database.write(lambda tx: save_facts(tx, [a_machine("large", 16)]))
    await world.submit(gpus=16)
    await world.control.database.write(lambda tx: change_gpu(tx, "large", 0, "ann", managed=False))
    with pytest.raises(Invalid):
        await world.submit(gpus=16)


async def test_what_is_committed_while_the_nodes_are_read_is_not_overlooked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old picture comes late, after the news of the new one: the next submission reads once more."""
    # No pass looks in between.
    world.control.scheduling_loop.stop()
    database, read, go_on = world.control.database, asyncio.Event(), asyncio.Event()
    real = database.read

    async def slow(question: Any) -> Any:
        answer = await real(question)
        if question is live_board.read_rules:
            read.set()
            await go_on.wait()
        return answer

    monkeypatch.setattr(database, "read", slow)
    await database.write(lambda tx: save_facts(tx, [a_machine("first", 8)]))
    waiting = asyncio.create_task(world.control.board.hardware())
    await read.wait()
    await database.write(lambda tx: save_facts(tx, [a_machine("second", 16)]))
    go_on.set()
    await waiting
    assert "second" in (await world.control.board.hardware()).by_name
    await world.submit(gpus=16)


async def test_the_picture_is_made_anew_only_when_a_node_has_changed(world: World) -> None:
    before = await world.control.board.hardware()
    world.control.board.doubt()
    assert await world.control.board.hardware() is before
    await world.change_user("bo", priority=2.0)
    assert await world.control.board.hardware() is before


async def test_it_remembers_answers_and_not_without_end(world: World) -> None:
    nodes: list[Node] = await world.control.database.read(list_nodes)
    hardware = Hardware(nodes)
    assert [hardware.why_never(Ask(cpus=n)) is None for n in (1, 10**6, 1, 10**6)] == [True, False] * 2
    for cpus in range(2 * MOST_REMEMBERED):
        hardware.why_never(Ask(cpus=cpus))
    assert len(hardware._why_never) <= MOST_REMEMBERED
