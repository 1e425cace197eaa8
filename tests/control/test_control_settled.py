"""While nothing happens the database is not asked; whatever happens, the nodes are compared with it again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine, event

from danlu.core.errors import Unavailable
from danlu.core.states import JobState
from tests.control.agents import RecordingAgents, SilentAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.test_control_monitor import LOST, on
from tests.control.world import World


class Statements:
    """Every statement that any database gets."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, _connection, _cursor, statement, *_) -> None:
        self.seen.append(statement)

    def __enter__(self) -> Statements:
        event.listen(Engine, "before_cursor_execute", self)
        return self

    def __exit__(self, *_: object) -> None:
        event.remove(Engine, "before_cursor_execute", self)


async def tick(world: World) -> None:
    """What happens every half minute."""
    if not await world.control.reconciler._is_settled():
        await world.round()


async def quiet(world: World) -> bool:
    """Whether a tick and a look go by without the database."""
    with Statements() as statements:
        await tick(world)
        await world.control.monitor.look()
    return not statements.seen


async def test_a_round_that_found_nothing_is_not_repeated(world: World) -> None:
    await world.round()
    assert await quiet(world)
    assert await quiet(world)


async def test_running_jobs_are_no_reason_to_ask(world: World) -> None:
    await world.starts(await world.submit(gpus=1))
    await world.round()
    assert await quiet(world)


async def test_whatever_is_committed_is_looked_at(world: World) -> None:
    await world.round()
    await world.submit(gpus=1)
    assert not await quiet(world)


async def test_an_end_that_nobody_told_is_found(open_world: OpenWorld) -> None:
    world = await open_world(SilentAgents())
    job_id = await world.submit()
    key = (await world.launch_of(job_id)).key
    await world.until_true(lambda: key in world.agents.known)
    world.agents.begins(key)
    await tick(world)
    await world.until(job_id, JobState.RUNNING)
    await world.round()
    assert await quiet(world)
    world.agents.ends(key)
    await tick(world)
    await world.until(job_id, JobState.SUCCEEDED)


async def test_a_task_that_nobody_wants_is_found(world: World) -> None:
    await world.round()
    assert await quiet(world)
    job_id = await world.submit()
    key = await world.starts(job_id)
    fact = world.agents.known[key]
    await world.runs_to_end(job_id)
    await world.until_true(lambda: key in world.agents.forgotten)
    await world.round()
    assert await quiet(world)
    world.agents.known[key] = fact
    await tick(world)
    assert key in world.agents.stopped


async def test_a_node_that_comes_goes_or_changes_is_noticed(open_world: OpenWorld) -> None:
    agents = RecordingAgents(a_machine("forge"), a_machine("anvil"))
    world = await open_world(agents)
    await world.round()
    changes = [
        [a_machine("forge")],
        [a_machine("forge"), a_machine("anvil")],
        [a_machine("forge", boot_id="boot-2"), a_machine("anvil")],
        [a_machine("anvil"), replace(a_machine("forge"), cpus=3)],
    ]
    for machines in changes:
        await world.round()
        assert await quiet(world)
        agents.machines = machines
        assert not await quiet(world)


async def test_after_a_write_that_failed_everything_is_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.round()
    assert await quiet(world)

    def fail(_connection) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(world.control.database, "_commit", fail)
        with pytest.raises(Unavailable):
            await world.control.database.write(lambda tx: None)
    assert not await quiet(world)
    await world.round()
    assert await quiet(world)


async def test_a_lost_gpu_is_asked_about_only_when_something_happened(world: World) -> None:
    on(world, 0, LOST)
    await world.control.monitor.look()
    await world.control.monitor.look()
    await world.round()
    assert await quiet(world)
    doomed = await world.submit(gpu_ids=[1])
    await world.starts(doomed)
    on(world, 1, LOST)
    await world.control.monitor.look()
    await world.until(doomed, JobState.FAILED)
