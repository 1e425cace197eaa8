"""Machines that are being made nodes, and nodes that are upgraded: in turn, and with what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from danlu import __version__
from danlu.cluster.server.agents import NodeUnreachable
from danlu.control.nodes import installations
from danlu.control.nodes.installations import NodeInstallation, StepState, Target
from danlu.control.nodes.membership import MeetingPoint
from danlu.core.errors import Conflict, DanluError, NotFound, Unavailable
from danlu.store.nodes.node_rows import mark_lost
from tests.control.agents import RecordingAgents, a_machine


class PaperInstaller:
    """Does what a test says: installs no node, upgrades the paper machines."""

    def __init__(self, world) -> None:
        self.world = world
        self.tokens: list[str] = []
        self.asked: list[str] = []
        self.fault: Exception | None = None
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def install(self, target, make_token, progress):
        progress.begin("connect")
        await self.go_on.wait()
        if self.fault is not None:
            raise self.fault
        progress.begin("join")
        self.tokens.append(await make_token())
        return target.name or "n1"

    async def prepare_upgrade(self):
        return "bundle"

    async def upgrade(self, node, bundle):
        self.asked.append(node)
        if self.fault is not None:
            raise self.fault
        await become(self.world, node, __version__)


async def become(world, node: str, version: str) -> None:
    """The node reports in with another version."""
    for index, machine in enumerate(world.agents.machines):
        if machine.name == node:
            world.agents.machines[index] = replace(machine, version=version)
    await world.control.reconciler.round()


async def lose(world, node: str) -> None:
    """It is not heard of any more."""
    world.agents.machines = [machine for machine in world.agents.machines if machine.name != node]
    await world.control.database.write(lambda tx: mark_lost(tx, node))


@pytest.fixture
async def old_world(open_world):
    """Three nodes, of which the second has the version of the server already."""
    versions = {"n1": "0.0.9", "n2": __version__, "n3": "0.0.9"}
    agents = RecordingAgents(
        *(replace(a_machine(name), version=version) for name, version in versions.items())
    )
    world = await open_world(agents)
    world.control.membership.meeting = MeetingPoint("h:7323", ("tls://h:7323",), "F" * 43, "own", 1)
    return world


@pytest.fixture
def installer(old_world):
    made = PaperInstaller(old_world)
    old_world.control.installations.installer = made
    return made


async def the_end(made: NodeInstallation) -> DanluError | None:
    changed = asyncio.Event()
    with made.watch(changed.set):
        async with asyncio.timeout(10):
            while made.ended_at is None:
                changed.clear()
                await changed.wait()
    return made.error


async def test_one_machine_alone_installs_nobody(world):
    with pytest.raises(Conflict, match="not_a_cluster"):
        world.control.installations.add(Target("h"), "ann")
    with pytest.raises(Conflict, match="not_a_cluster"):
        await world.control.installations.upgrade([], "ann")


async def test_a_machine_is_a_node_once_it_reports_in(old_world, installer):
    made = old_world.control.installations.add(Target("h", name="n1"), "ann")
    assert await the_end(made) is None
    assert made.node == "n1"
    assert [(step.name, step.state) for step in made.steps] == [
        (name, StepState.DONE) for name in ("connect", "join", "report")
    ]
    (token,) = await old_world.control.membership.list_tokens()
    assert token.revoked_at is not None


async def test_a_machine_that_never_reports_in(old_world, installer, monkeypatch):
    monkeypatch.setattr(installations, "REPORT_S", 0.1)
    made = old_world.control.installations.add(Target("h", name="ghost"), "ann")
    error = await the_end(made)
    assert error is not None
    assert error.code == "node_silent_after_join"
    assert made.steps[-1].state is StepState.FAILED


async def test_a_failure_is_kept_and_may_be_tried_again(old_world, installer):
    installer.fault = Unavailable("install_no_ssh")
    book = old_world.control.installations
    first = book.add(Target("h", "li"), "ann")
    assert await the_end(first) is installer.fault
    installer.fault = None
    assert await the_end(book.add(Target("h", "li"), "ann")) is None
    assert [each.id for each in book.list()] == [2, 1]


async def test_a_machine_is_not_installed_twice_at_a_time(old_world, installer):
    installer.go_on.clear()
    book = old_world.control.installations
    made = book.add(Target("h", "li", name="n1"), "ann")
    with pytest.raises(Conflict, match="installation_under_way"):
        book.add(Target("h", "li"), "ann")
    installer.go_on.set()
    assert await the_end(made) is None


async def test_a_server_that_stops_says_so(old_world, installer):
    installer.go_on.clear()
    made = old_world.control.installations.add(Target("h"), "ann")
    await asyncio.sleep(0)
    await old_world.control.installations.close()
    assert made.error is not None
    assert made.error.code == "installation_interrupted"


async def test_only_those_behind_are_upgraded(old_world, installer):
    made = await old_world.control.installations.upgrade([], "ann")
    assert await the_end(made) is None
    assert installer.asked == ["n1", "n3"]
    again = await old_world.control.installations.upgrade([], "ann")
    assert await the_end(again) is None
    assert (again.target, again.steps) == ("", [])


async def test_those_that_cannot_be_reached_hold_up_nobody_and_are_named(old_world, installer):
    looked_at: list[str] = []
    old_world.control.installations.on_upgraded = looked_at.append
    await lose(old_world, "n1")
    made = await old_world.control.installations.upgrade([], "ann")
    error = await the_end(made)
    assert error is not None
    assert (error.code, error.facts["nodes"]) == ("nodes_not_reached", "n1")
    assert installer.asked == looked_at == ["n3"]
    # Nor is one that was named said to be well, whatever it was when it was last heard.
    await lose(old_world, "n2")
    error = await the_end(await old_world.control.installations.upgrade(["n2"], "ann"))
    assert error is not None
    assert (error.code, error.facts["nodes"]) == ("nodes_not_reached", "n2")


async def test_a_reason_is_more_than_the_name_of_the_node(old_world, installer):
    installer.fault = NodeUnreachable("n1")
    error = await the_end(await old_world.control.installations.upgrade(["n1"], "ann"))
    assert error is not None
    assert error.code == "nodes_not_reached"
    installer.fault = NodeUnreachable("n1: no space left")
    error = await the_end(await old_world.control.installations.upgrade(["n1"], "ann"))
    assert error is not None
    assert error.facts["reason"] == "no space left"


async def test_an_upgrade_stops_at_the_first_that_fails(old_world, installer):
    installer.fault = NodeUnreachable("n1: no space left")
    made = await old_world.control.installations.upgrade([], "ann")
    error = await the_end(made)
    assert error is not None
    assert (error.code, installer.asked) == ("node_not_upgraded", ["n1"])


async def test_an_upgrade_waits_until_the_node_is_back(old_world, installer, monkeypatch):
    async def fall_back(node, bundle):
        installer.asked.append(node)

    monkeypatch.setattr(installations, "RETURN_S", 0.1)
    monkeypatch.setattr(installer, "upgrade", fall_back)
    made = await old_world.control.installations.upgrade([], "ann")
    error = await the_end(made)
    assert error is not None
    assert (error.code, installer.asked) == ("node_fell_back", ["n1"])


async def test_a_node_that_nobody_knows(old_world, installer):
    with pytest.raises(NotFound, match="no_such_node"):
        await old_world.control.installations.upgrade(["n9"], "ann")
