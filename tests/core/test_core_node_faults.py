"""Whose fault it is that a task could not be set up: its node's, or its job's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.core.clocks import place_end, place_start
from danlu.core.ending import judge_end
from danlu.core.job import StopIntent
from danlu.core.nodes.doctor import UNPROVED, find_unfit
from danlu.core.nodes.node import Finding, FindingLevel, Gpu, Node, NodeFacts, NodeState
from danlu.core.nodes.node_fault import MOST_TIMES, Blame, NodeFault, Scene, avoided, blame_node
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from tests.core.builders import NOW, a_running_job

MISSING = Finding("folder", FindingLevel.PROBLEM, "missing", {"path": "/data"})
NOWHERE = Scene("kiln", others=("kiln",))
SCENE = Scene("kiln", folders=("/data",), others=("forge", "kiln", "oven"))


def failed(problem: str | None, detail: str) -> TaskEnd:
    return TaskEnd(TaskEnding.SETUP_FAILED, NOW, problem=problem, detail=detail)


FULL = failed("launch_failed", "OSError: [Errno 28] No space left on device: '/d/tasks/1-1-0'")


@pytest.mark.parametrize(
    ("end", "scene", "blame"),
    [
        (FULL, SCENE, Blame.NODE),
        (failed("launch_failed", "/d/results/1/1: Read-only file system"), SCENE, Blame.NODE),
        (failed("launch_failed", "ValueError: embedded null byte"), SCENE, None),
        # An order that a node refuses is refused everywhere.
        (failed(None, "No space left on device"), SCENE, None),
        (failed("output_unwritable", "/d/logs/1.log: No space left on device"), SCENE, Blame.NODE),
        (
            failed("output_unwritable", "/home/li/out: No space left on device"),
            replace(SCENE, own_log=False),
            None,
        ),
        (failed("directory_missing", "/data/li: No such file or directory"), SCENE, Blame.PERHAPS_NODE),
        (
            failed("directory_missing", "/data/li: No such file or directory"),
            replace(SCENE, findings=(MISSING,)),
            Blame.NODE,
        ),
        (failed("directory_missing", "/database: No such file or directory"), SCENE, None),
        (failed("directory_missing", "/home/li/data: No such file or directory"), SCENE, None),
        (failed("environment_missing", "no venv 'x' at /data/envs/x, /opt/x"), SCENE, Blame.PERHAPS_NODE),
        (failed("stage_full", "/data/set: 9 GB more, 1 GB left"), SCENE, Blame.PERHAPS_NODE),
        (failed("command_unrunnable", "/data/run: Permission denied"), SCENE, None),
        (failed("no_account", "li"), SCENE, None),
        (TaskEnd(TaskEnding.EXITED, NOW, 1 << 8, detail="No space left on device"), SCENE, None),
    ],
    ids=str,
)
def test_who_is_to_blame(end: TaskEnd, scene: Scene, blame: Blame | None) -> None:
    assert blame_node(end, scene) is blame


def test_what_its_node_caused_does_not_count_and_the_job_goes_elsewhere() -> None:
    job = replace(a_running_job(retries=1), state=JobState.STARTING)
    verdict = judge_end(job, FULL, NOW, scene=SCENE)
    assert (verdict.state, verdict.to_head, verdict.retries_used) == (JobState.WAITING, True, 0)
    assert (verdict.reason, verdict.not_before) == (EndReason.LAUNCH_FAILED, None)
    assert avoided(verdict.node_faults) == {"kiln": NOW + 60.0}
    # Also where there is no other: it waits with the reason, and is tried there again.
    assert judge_end(job, FULL, NOW, scene=NOWHERE).state is JobState.WAITING


def test_what_fails_on_three_nodes_is_the_jobs_own_fault() -> None:
    job = a_running_job()
    for node, state in (("a", JobState.WAITING), ("b", JobState.WAITING), ("c", JobState.FAILED)):
        verdict = judge_end(job, FULL, NOW, scene=replace(SCENE, node=node))
        assert verdict.state is state
        job = replace(job, node_faults=verdict.node_faults)
    assert job.node_faults == (), "and then it counts anew"


def test_what_fails_again_and_again_on_one_node_comes_to_an_end() -> None:
    job, tries = a_running_job(), 0
    while (verdict := judge_end(job, FULL, NOW, scene=NOWHERE)).state is JobState.WAITING:
        job, tries = replace(job, node_faults=verdict.node_faults), tries + 1
    assert tries == MOST_TIMES - 1
    pauses = [avoided([NodeFault("kiln", NOW)] * n)["kiln"] - NOW for n in (1, 2, 3, 9)]
    assert pauses == [60.0, 120.0, 240.0, 3600.0]


def test_a_folder_that_is_missing_wherever_it_is_tried_is_the_jobs_own_fault() -> None:
    end = failed("directory_missing", "/data/typo: No such file or directory")
    two = replace(SCENE, others=("kiln", "oven"))
    first = judge_end(a_running_job(), end, NOW, scene=two)
    assert first.state is JobState.WAITING
    job = replace(a_running_job(), node_faults=first.node_faults)
    assert judge_end(job, end, NOW, scene=replace(two, node="oven")).state is JobState.FAILED
    # There is no other node to ask.
    assert judge_end(a_running_job(), end, NOW, scene=replace(two, others=("kiln",))).state is JobState.FAILED


def test_one_that_was_cancelled_meanwhile_does_not_come_back() -> None:
    job = a_running_job(stopping=StopIntent.CANCEL)
    assert judge_end(job, FULL, NOW, scene=SCENE).state is JobState.FAILED


def a_node(*findings: Finding, gpus: int = 1) -> Node:
    cards = tuple(Gpu(n, f"GPU-{n}", "H200", 141_000) for n in range(gpus))
    return Node(NodeFacts("kiln", 4, 1000, cards, "b"), NodeState.UP, 0.0, findings=findings)


def a_problem(check: str, code: str, **facts: str | int | float) -> Finding:
    return Finding(check, FindingLevel.PROBLEM, code, facts)


@pytest.mark.parametrize(
    ("finding", "out"),
    [
        (a_problem("disk", "full", free_bytes=0, total_bytes=1 << 40), True),
        (a_problem("disk", "full", free_bytes=0), True),
        (a_problem("disk", "full", free_bytes=500 << 20, total_bytes=1 << 40), False),
        (a_problem("disk", "full", free_bytes=5 << 20, total_bytes=64 << 20), False),
        (a_problem("disk", "unwritable"), True),
        (a_problem("folder", "missing", path="/data"), True),
        (a_problem("folder", "missing", path="/data", **{UNPROVED: 1}), False),
        (a_problem("clock", "ahead", seconds=90.0), True),
        (a_problem("driver", "broken"), True),
        (a_problem("setup", "failing"), True),
        (a_problem("messages", "senseless"), False),
        (a_problem("address", "not_mine"), False),
        (Finding("clock", FindingLevel.WARNING, "ahead"), False),
    ],
    ids=str,
)
def test_what_keeps_a_node_out_of_service(finding: Finding, out: bool) -> None:
    assert find_unfit(a_node(finding)) == ((finding,) if out else ())


def test_without_gpus_a_broken_driver_keeps_nobody_out() -> None:
    assert find_unfit(a_node(a_problem("driver", "broken"), gpus=0)) == ()


moments = st.floats(0, 2e9)


@given(moments, moments, st.floats(0, 1e6), moments, st.floats(0, 1e6))
def test_times_of_any_clock_become_times_that_can_be(
    told_start: float, told_end: float, later_s: float, submitted: float, age_s: float
) -> None:
    heard_start = submitted + age_s
    start = place_start(told_start, submitted, heard_start)
    heard_end = heard_start + later_s
    end = place_end(told_end, told_start, start, submitted, heard_end)
    assert submitted <= start <= heard_start
    assert start <= end <= heard_end


def test_a_clock_that_is_an_hour_off_keeps_how_long_it_took() -> None:
    for off_s in (-3600.0, 3600.0):
        start = place_start(NOW + off_s, NOW - 5, NOW)
        assert start == NOW
        assert place_end(NOW + off_s + 30, NOW + off_s, start, NOW - 5, NOW + 31) == NOW + 30
    # Told long after it happened, by a clock that is right.
    assert place_start(NOW - 50, NOW - 100, NOW) == NOW - 50
