"""Asking before handing in: the answer is what then happens, and asking leaves no trace."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.control.jobs.checking import Checked
from danlu.control.jobs.forecast import NEWCOMER, enqueue, foresee
from danlu.core.blockers import BehindInQueue, GpusBusy, Held, PredecessorsFailed, PredecessorsRunning
from danlu.core.errors import DanluError, Forbidden, Invalid, NotFound
from danlu.core.job_id import element_id, job_of
from danlu.core.resources import Ask
from danlu.core.states import IN_QUEUE, EndReason, JobState
from danlu.core.user import Role
from danlu.core.waiting_job import ArrayRoom, WaitingJob
from danlu.scheduling.schedule import schedule
from danlu.scheduling.snapshot import NodeView, Policy, Snapshot
from danlu.wire.jobs import JobFields
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World


async def check(world: World, who: str = "bo", *, job: int | None = None, **fields: Any) -> Checked:
    wanted = fields if job is not None else {"command": "train", "directory": "/work", **fields}
    clear = wanted.pop("clear", [])
    return await world.control.checking.check(await world.user(who), JobFields(**wanted), clear, job)


def codes(checked: Checked) -> list[str]:
    return [problem.code for problem in checked.draft.problems]


def blockers(checked: Checked) -> list[str]:
    assert checked.foresight is not None
    return [blocker.code for blocker in checked.foresight.blockers]


def without_findings(facts: dict[str, Any]) -> dict[str, Any]:
    """The doctor may have looked at a node in between."""
    return {
        name: [replace(node, findings=()) for node in fact] if isinstance(fact, list) else fact
        for name, fact in facts.items()
    }


def dump(world: World) -> list[str]:
    with sqlite3.connect(f"file:{world.path}?mode=ro", uri=True) as connection:
        return list(connection.iterdump())


@pytest.fixture
async def busy(open_world: OpenWorld) -> World:
    """On forge two of four GPUs are held, anvil with two is free; a job that needs four GPUs heads the queue,
    another is on hold."""
    world = await open_world(RecordingAgents(a_machine("forge", 4), a_machine("anvil", 2)))
    await world.starts(await world.submit("cy", gpus=2, node="forge"))
    await world.submit("cy", gpus=4)
    await world.submit("cy", hold=True)
    await world.settle()
    return world


ASKS: list[dict[str, Any]] = [
    {},
    {"cpus": 3},
    {"gpus": 1},
    {"gpus": 1, "urgent": True},
    {"gpus": 2, "urgent": True, "node": "anvil"},
    {"gpus": 3, "urgent": True},
    {"gpu_ids": [1], "urgent": True},
    {"gpu_ids": [0, 3], "urgent": True, "node": "forge"},
    {"share": True},
    {"share": True, "gpu_memory_mb": 140_000, "node": "forge"},
    {"gpus": 1, "no_sharing": True, "urgent": True},
    {"array": "0-4%2"},
    {"array": "0-9", "gpus": 1, "urgent": True},
    {"hold": True},
    {"after": [1]},
    {"after_ok": [1, 2], "hold": True},
    {"gpus": 64, "wait_for_hardware": True},
    {"nodes": "2", "cpus": 1},
    {"nodes": "1:5", "cpus": 2},
    {"nodes": "2", "gpus": 1, "urgent": True, "spread": True},
    {"nodes": "2", "gpus": 3, "urgent": True, "wait_for_hardware": True},
]


@pytest.mark.parametrize("ask", ASKS, ids=str)
@pytest.mark.parametrize("paused", [False, True])
async def test_what_was_foreseen_is_what_happens(busy: World, ask: dict[str, Any], paused: bool) -> None:
    await busy.schedule(paused=paused)
    foreseen = (await check(busy, **ask)).foresight
    assert foreseen is not None
    job_id = await busy.submit(**ask)
    await busy.settle()
    if foreseen.allocation is None:
        assert (await busy.job(job_id)).state in IN_QUEUE
        assert busy.control.scheduling_loop.blockers[job_id] == foreseen.blockers
    else:
        async with asyncio.timeout(10):
            # The nodes of a gang are asked first; its orders go out once all have answered.
            while not any(job_of(order.key.job) == job_id for order in busy.agents.launched):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        await busy.settle()
        orders = [order for order in busy.agents.launched if job_of(order.key.job) == job_id]
        assert len({order.key.job for order in orders}) == foreseen.started
        first = [order for order in orders if order.key.job == orders[0].key.job]
        assert [order.node for order in sorted(first, key=lambda order: order.key)] == [
            each.node for each in foreseen.allocations
        ]
        assert (await busy.job(orders[0].key.job)).placed == foreseen.allocation
    await busy.schedule(paused=False)


async def test_asking_leaves_no_trace(busy: World) -> None:
    done = await busy.runs_to_end(await busy.submit(cpus=1))
    await busy.settle()
    before, passes = dump(busy), busy.control.scheduling_loop.passes
    for ask in ASKS:
        await check(busy, **ask)
    await check(busy, "cy", job=2, gpus=1)
    await check(busy, job=done.id, gpus=1)
    await check(busy, gpus=99, after=[77], variables={"DANLU_X": "1"})
    assert dump(busy) == before
    assert busy.control.scheduling_loop.passes == passes


async def test_how_many_have_their_turn_first(busy: World) -> None:
    behind = (await check(busy, gpus=1)).foresight
    assert behind is not None
    assert (behind.ahead, behind.blockers) == (1, (BehindInQueue(2, 2),))
    first = (await check(busy, gpus=3, urgent=True)).foresight
    assert first is not None
    assert (first.ahead, first.blockers) == (0, (GpusBusy(3, 2, None),))


WRONG: list[dict[str, Any]] = [
    {"command": "  "},
    {"directory": "here"},
    {"variables": {"DANLU_X": "1"}},
    {"array": "nonsense"},
    {"retry_on": [EndReason.COMPLETED]},
    {"share": True, "no_sharing": True},
    {"gpu_memory_mb": 5},
    {"after": [404]},
    {"after_ok": [404]},
    {"node": "nowhere"},
    {"gpus": 5},
    {"cpus": 999},
    {"gpu_ids": [9]},
    {"memory_mb": 2**30},
    {"share": True, "gpu_memory_mb": 999_999},
    {"call": "0" * 64},
    {"command": "x", "variables": {"A": "x" * 999_999}, "arguments": ["y" * 999]},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:40])
async def test_what_submitting_refuses_checking_tells(world: World, wrong: dict[str, Any]) -> None:
    told = await check(world, **wrong)
    with pytest.raises(DanluError) as refused:
        await world.submit(**wrong)
    (problem,) = told.draft.problems
    assert (problem.code, problem.field) == (refused.value.code, refused.value.field)
    assert without_findings(problem.facts) == without_findings(refused.value.facts)
    assert told.command_line == ""


async def test_all_problems_are_told_at_once(world: World) -> None:
    wrong = {"directory": "x", "array": "?", "variables": {"DANLU_A": "", "B": ""}}
    told = await check(world, command=None, after=[7, 8], gpus=99, **wrong)
    assert codes(told) == [
        "no_command",
        "relative_directory",
        "reserved_variable",
        "bad_array",
        "no_such_predecessor",
        "no_such_predecessor",
        "no_such_hardware",
    ]
    assert told.foresight is None


async def test_a_form_without_a_command_yet_is_told_where_it_would_start(world: World) -> None:
    told = await check(world, command=None, gpus=2)
    assert codes(told) == ["no_command"]
    assert told.foresight is not None
    assert told.foresight.allocation is not None
    assert told.foresight.allocation.gpu_ids == (0, 1)


async def test_defaults_count_as_they_do_when_submitting(world: World) -> None:
    await world.change_user("bo", defaults={"gpus": 3, "hold": True})
    told = await check(world)
    assert told.draft.spec.gpus == 3
    assert blockers(told) == ["held"]
    assert "--gpus" not in told.command_line
    assert "--gpus 1" in (await check(world, gpus=1)).command_line


async def test_nobody_to_run_as_is_a_problem(open_world: OpenWorld) -> None:
    world = await open_world(RecordingAgents(), runs_as_root=True)
    assert codes(await check(world)) == ["no_account"]
    assert codes(await check(world, "ann")) == []


async def test_who_may_only_look_may_not_ask(world: World) -> None:
    await world.add_user("vi", Role.VIEWER)
    with pytest.raises(Forbidden):
        await check(world, "vi")


class TestEditing:
    async def test_the_job_stands_in_its_own_place(self, busy: World) -> None:
        later = await busy.submit(gpus=4)
        told = await check(busy, "cy", job=2, gpus=3)
        assert told.foresight is not None
        assert (told.foresight.ahead, blockers(told)) == (0, ["gpus_busy"])
        assert told.draft.spec.directory == "/work"
        behind = await check(busy, job=later, gpus=1)
        assert blockers(behind) == ["behind_in_queue"]

    async def test_an_edit_that_lets_it_start_says_so(self, busy: World) -> None:
        told = await check(busy, "cy", job=2, gpus=2)
        assert told.foresight is not None
        assert told.foresight.allocation is not None
        assert told.foresight.allocation.node in ("forge", "anvil")

    async def test_what_is_not_said_stays_and_what_is_cleared_goes(self, busy: World) -> None:
        first = await busy.submit(after=[1], node="anvil", gpus=1)
        assert blockers(await check(busy, job=first)) == ["predecessors_running"]
        freed = await check(busy, job=first, clear=["after"])
        assert freed.foresight is not None
        assert freed.draft.spec.node == "anvil"
        assert (await check(busy, job=first, clear=["after", "node"])).draft.spec.node is None
        with pytest.raises(Invalid):
            await check(busy, job=first, clear=["nonsense"])

    async def test_one_on_hold_stays_on_hold_unless_it_is_let_go(self, busy: World) -> None:
        assert blockers(await check(busy, "cy", job=3)) == ["held"]
        free = await check(busy, "cy", job=3, hold=False)
        assert free.foresight is not None
        assert free.foresight.allocation is not None

    async def test_a_running_one_is_a_problem_and_an_ended_one_goes_to_the_end(self, busy: World) -> None:
        assert codes(await check(busy, "cy", job=1)) == ["wrong_state"]
        done = await busy.runs_to_end(await busy.submit(cpus=1))
        told = await check(busy, job=done.id, gpus=1)
        assert (codes(told), blockers(told)) == ([], ["behind_in_queue"])

    async def test_a_circle_is_a_problem(self, busy: World) -> None:
        successor = await busy.submit(after=[2])
        assert codes(await check(busy, "cy", job=2, after=[successor])) == ["dependency_cycle"]

    async def test_an_array_that_has_begun_is_a_problem(self, world: World) -> None:
        array = await world.submit(array="0-3%1")
        await world.until_true(lambda: world.agents.launched)
        assert codes(await check(world, job=array)) == ["array_begun"]

    async def test_other_peoples_jobs_are_nobodys_business(self, busy: World) -> None:
        with pytest.raises(Forbidden):
            await check(busy, "bo", job=2)
        with pytest.raises(NotFound):
            await check(busy, "bo", job=404)


class TestCommandOfAJob:
    async def test_it_is_for_whoever_may_see_the_command(self, world: World) -> None:
        job = await world.submit(gpus=1, after=[await world.submit()])
        await world.lead("cy", "bo")
        for who in ("bo", "cy", "ann"):
            said = await world.control.checking.command_of(await world.user(who), job)
            assert said == "danlu submit --name train --dir /work --gpus 1 --after 1 -- train"
        await world.change_user("bo", group_name=None)
        with pytest.raises(Forbidden):
            await world.control.checking.command_of(await world.user("cy"), job)

    async def test_a_task_is_repeated_by_itself(self, world: World) -> None:
        array = await world.submit(array="0-3")
        await world.until_true(lambda: len(world.agents.launched) == 4)
        task = element_id(array, 2)
        said = await world.control.checking.command_of(await world.user("bo"), task)
        assert said == "danlu submit --name train --dir /work --gpus 0 --array 2 -- train"


# Pure: many worlds, no store.

ASK = st.builds(
    Ask,
    gpus=st.integers(0, 5),
    cpus=st.integers(1, 4),
    share=st.booleans(),
    nodes=st.integers(1, 3),
)
WAITING = st.lists(
    st.builds(
        WaitingJob,
        id=st.integers(1, 50),
        owner=st.sampled_from(["ann", "bo"]),
        ask=ASK,
        position=st.integers(1, 50).map(float),
        urgent=st.booleans(),
        held=st.booleans(),
        left=st.integers(1, 3),
    ),
    max_size=8,
    unique_by=lambda job: job.id,
)
NODES = st.lists(
    st.builds(
        NodeView,
        name=st.sampled_from(["a", "b", "c"]),
        cpus=st.just(8),
        memory_mb=st.just(1000),
        gpu_ids=st.just((0, 1, 2, 3)),
        used_gpus=st.frozensets(st.integers(0, 3)),
        drained=st.booleans(),
    ),
    max_size=3,
    unique_by=lambda node: node.name,
)


@settings(max_examples=200, deadline=None)
@given(NODES, WAITING, ASK, st.booleans(), st.integers(1, 4), st.none() | st.integers(1, 3), st.booleans())
def test_foresight_is_the_schedulers_own(nodes, waiting, ask, urgent, left, at_most, paused):
    """A newcomer who really stood in the queue would fare just so, and those before it as without it."""
    policy = Policy(paused=paused)
    snapshot = Snapshot(10.0, tuple(nodes), tuple(waiting))
    newcomer = WaitingJob(NEWCOMER, "cy", ask, float(NEWCOMER), urgent=urgent, left=left)
    foreseen = foresee(snapshot, policy, newcomer, at_most)
    arrays = {} if at_most is None else {NEWCOMER: ArrayRoom(at_most, 0)}
    plan = schedule(replace(snapshot, waiting=(*waiting, newcomer), arrays=arrays), policy)
    own = [each.allocations for each in plan.decisions if each.job_id == NEWCOMER]
    assert (foreseen.allocations, foreseen.started) == (own[0] if own else (), len(own))
    if not own:
        assert foreseen.blockers == plan.blockers[NEWCOMER]
    assert 0 <= foreseen.ahead <= len(waiting)
    # In the place of its own row it is itself: asking about a job as it stands changes nothing.
    for job in waiting:
        same = foresee(snapshot, policy, job, None)
        alone = schedule(snapshot, policy)
        assert same.started == sum(each.job_id == job.id for each in alone.decisions)


@pytest.mark.parametrize(
    ("state", "kind", "blocker"),
    [
        (JobState.RUNNING, "after", PredecessorsRunning),
        (JobState.HELD, "after_ok", PredecessorsRunning),
        (JobState.FAILED, "after_ok", PredecessorsFailed),
        (JobState.CANCELLED, "after_ok", PredecessorsFailed),
        (JobState.FAILED, "after", None),
        (JobState.SUCCEEDED, "after_ok", None),
        (JobState.DELETED, "after_ok", None),
    ],
)
def test_predecessors_hold_it_back_as_they_would(state, kind, blocker):
    from danlu.control.jobs.specs import make_spec

    spec = make_spec(JobFields(command="x", **{kind: [7]}), "/")
    job = enqueue(spec, "bo", {7: state}, held=False, job=None)
    node = NodeView("a", 4, 1000)
    seen = foresee(Snapshot(0.0, (node,)), Policy(), job, None)
    assert [type(each) for each in seen.blockers] == ([blocker] if blocker else [])
    held = foresee(Snapshot(0.0, (node,)), Policy(), replace(job, held=True), None)
    assert isinstance(held.blockers[0], Held)
