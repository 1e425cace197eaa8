"""One sick node does not eat the queue: what its own state causes is its fault, and it is taken out of
service until it is well again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from danlu.control.nodes import doctor_rounds
from danlu.control.running.setup_failures import FAILURES, FIRST_OUT_S, WITHIN_S, SetupFailures
from danlu.core.blockers import AvoidsNodes, NodesUnavailable, NodeUnavailable
from danlu.core.events import EventKind
from danlu.core.nodes.doctor import Question, find_unfit
from danlu.core.nodes.node import Finding, FindingLevel, Node
from danlu.core.states import ENDED, JobState
from danlu.core.task import LaunchOrder, TaskEnd, TaskEnding, TaskKey
from danlu.store.events import events_after
from danlu.store.nodes.node_rows import get_node
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World

NO_SPACE = "OSError: [Errno 28] No space left on device"
FULL = Finding(
    "disk", FindingLevel.PROBLEM, "unwritable", {"path": "/d", "reason": "No space left on device"}
)
WELL = Finding("disk", FindingLevel.OK, "room", {"path": "/d", "free_bytes": 1 << 40})


class FullDiskAgents(RecordingAgents):
    """On its `full` nodes nothing can be set up; everywhere else a task succeeds at once. The doctor sees
    what is wrong unless it is `blind`."""

    def __init__(self, *names: str, full: Iterable[str], blind: bool = False) -> None:
        super().__init__(*(a_machine(name, gpus=0, cpus=2) for name in names))
        self.full = set(full)
        self.blind = blind

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        return [FULL if node in self.full and not self.blind else WELL]

    async def launch(self, order: LaunchOrder) -> None:
        await super().launch(order)
        if order.node in self.full:
            end = TaskEnd(TaskEnding.SETUP_FAILED, self._now, problem="launch_failed", detail=NO_SPACE)
            self.ends_with(order.key, end)
        else:
            self.begins(order.key)
            self.ends(order.key)

    def tried_on(self, node: str) -> int:
        return sum(order.node == node for order in self.launched)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_rounds, "LOOK_AGAIN_S", (0.02, 0.05))


async def node_of(world: World, name: str) -> Node:
    node = await world.control.database.read(lambda c: get_node(c, name))
    assert node is not None
    return node


async def until_unfit(world: World, name: str, check: str) -> None:
    """Others may speak against it as well: it depends on who was quicker."""
    with world.control.bus.subscribe() as news:
        while check not in [each.check for each in find_unfit(await node_of(world, name))]:
            await news.next()


@pytest.mark.parametrize("blind", [False, True], ids=["seen by the doctor", "by its failures alone"])
async def test_an_array_succeeds_although_one_of_four_nodes_is_full(
    open_world: OpenWorld, blind: bool
) -> None:
    agents = FullDiskAgents("forge", "kiln", "oven", "stove", full=(), blind=blind)
    world = await open_world(agents)
    agents.full = {"kiln"}
    array = await world.submit(array="1-200")
    job = await world.until(array, *ENDED)
    assert (job.state, job.counts and job.counts.succeeded) == (JobState.SUCCEEDED, 200)
    # The doctor may need a moment; the failures themselves speak soon enough.
    assert 1 <= agents.tried_on("kiln") <= 2 * FAILURES + 2
    await until_unfit(world, "kiln", "setup" if blind else "disk")


async def test_a_node_that_is_well_again_returns_by_itself(open_world: OpenWorld) -> None:
    agents = FullDiskAgents("kiln", full=())
    world = await open_world(agents)
    agents.full = {"kiln"}
    jobs = [await world.submit() for _ in range(2)]
    await until_unfit(world, "kiln", "disk")
    await world.until(jobs[0], JobState.WAITING)
    await world.settle()
    blocker = world.control.scheduling_loop.blockers[jobs[0]][0]
    assert blocker == NodesUnavailable(("kiln",), (("kiln", "disk"),), ("unfit",))
    named = await world.submit(node="kiln")
    await world.settle()
    told = world.control.scheduling_loop.blockers[named][0]
    assert isinstance(told, NodeUnavailable)
    assert told.unfit == ("disk",)
    assert (await world.job(jobs[0])).retries_used == 0

    agents.full.clear()
    # It is looked at again by itself; the jobs that met it wait for a minute beside.
    await world.until(named, JobState.SUCCEEDED)
    world.clock.advance(61.0)
    world.control.scheduling_loop.wake()
    for job in jobs:
        await world.until(job, JobState.SUCCEEDED)
    events = await world.control.database.read(lambda c: events_after(c, 0, 1000))
    kinds = [event.kind for event in events if event.node == "kiln"]
    out, back = kinds.index(EventKind.NODE_OUT_OF_SERVICE), kinds.index(EventKind.NODE_IN_SERVICE)
    assert out < back
    assert EventKind.NODE_DRAINED not in kinds


async def test_a_job_keeps_away_from_where_it_failed(open_world: OpenWorld) -> None:
    agents = FullDiskAgents("kiln", full=("kiln",), blind=True)
    world = await open_world(agents)
    job = await world.submit()
    await world.until_true(lambda: agents.tried_on("kiln") == 1)
    await world.until(job, JobState.WAITING)
    await world.settle()
    assert world.control.scheduling_loop.blockers[job] == (AvoidsNodes(("kiln",), world.clock() + 60.0),)
    # No other job is held back.
    agents.full.clear()
    await world.until(await world.submit(), JobState.SUCCEEDED)
    agents.machines.append(a_machine("oven", gpus=0))
    await world.round()
    await world.until(job, JobState.SUCCEEDED)
    assert [attempt.tasks[0].allocation.node for attempt in await world.attempts(job)] == ["kiln", "oven"]


async def test_what_fails_on_three_nodes_has_failed(open_world: OpenWorld) -> None:
    names = ("forge", "kiln", "oven", "stove")
    world = await open_world(FullDiskAgents(*names, full=names, blind=True))
    job = await world.until(await world.submit(), *ENDED)
    assert (job.state, job.attempt) == (JobState.FAILED, 3)


async def test_a_restarted_server_goes_on_avoiding(open_world: OpenWorld) -> None:
    agents = FullDiskAgents("kiln", full=("kiln",), blind=True)
    world = await open_world(agents)
    job = await world.submit()
    await world.until_true(lambda: agents.tried_on("kiln") == 1)
    await world.until(job, JobState.WAITING)
    await world.restart()
    await world.settle()
    assert isinstance(world.control.scheduling_loop.blockers[job][0], AvoidsNodes)
    assert agents.tried_on("kiln") == 1


def test_a_node_is_out_for_longer_each_time() -> None:
    failures, now = SetupFailures(), 0.0

    def fail(times: int) -> bool:
        return any(failures.note("kiln", TaskKey(int(now), 1, n), "why", now) for n in range(times))

    assert not fail(FAILURES - 1)
    now += WITHIN_S + 1
    assert not fail(1), "too long ago"
    now += 1
    pauses = []
    for _ in range(4):
        now += 1
        assert fail(FAILURES)
        began = now
        while failures.finding_of("kiln", now) is not None:
            now += 1
        pauses.append(now - began)
    assert pauses == [FIRST_OUT_S * each for each in (1, 2, 4, 8)]
    assert failures.finding_of("oven", now) is None


def test_the_same_task_counts_once() -> None:
    failures = SetupFailures()
    assert not any(failures.note("kiln", TaskKey(1, 1, 0), "why", 0.0) for _ in range(9))
