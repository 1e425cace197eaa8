"""What people see of jobs over several nodes, of lost nodes, and of nodes that come and go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from danlu.api.views.job_views import show_detail, show_row, summarise
from danlu.api.views.node_views import show_node
from danlu.control.jobs.job_lookup import WholeJob
from danlu.core.job import Attempt, Job, JobSpec, Task
from danlu.core.nodes.node import Finding, FindingLevel, Node, NodeFacts, NodeRole, NodeState
from danlu.core.resources import Allocation
from danlu.core.rights import JobAct
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.wire.jobs import JobDetail

S = JobState
NODES = ("n1", "n2")


def a_gang(state: JobState = S.RUNNING, *, spec: dict[str, Any] | None = None, **facts: Any) -> Job:
    return Job(
        7,
        "li",
        JobSpec("train", **{"nodes": 2, **(spec or {})}),
        state,
        3,
        7.0,
        0.0,
        **{"attempt": 1, "placed": Allocation("n1", (0,)), "on_nodes": NODES, **facts},
    )


def detail(
    job: Job, *attempts: Attempt, mine: bool = True, lost: dict[str, float] | None = None
) -> JobDetail:
    return show_detail(
        "en",
        WholeJob(
            job,
            frozenset(JobAct) if mine else frozenset(),
            dependencies=(),
            successors=[],
            attempts=list(attempts),
        ),
        why=[],
        place=None,
        logs=Path("logs"),
        lost=lost or {},
    )


def test_a_running_job_names_all_of_its_nodes_and_a_waiting_one_how_many_it_wants() -> None:
    running = show_row(summarise(a_gang()), [])
    assert (running.node, running.on_nodes, running.nodes) == ("n1", ["n1", "n2"], 2)
    assert detail(a_gang()).message == "It is running on n1, n2."
    waiting = show_row(summarise(a_gang(S.WAITING, spec={"nodes_min": 1, "nodes": 4})), [])
    assert (waiting.on_nodes, waiting.nodes_min, waiting.nodes) == ([], 1, 4)


def test_since_when_one_of_its_nodes_cannot_be_reached() -> None:
    lost = {"n2": 50.0, "n3": 10.0}
    assert show_row(summarise(a_gang()), [], lost=lost).unreachable_since == 50.0
    assert show_row(summarise(a_gang()), [], lost={"n3": 10.0}).unreachable_since is None
    assert show_row(summarise(a_gang(S.FAILED)), [], lost=lost).unreachable_since is None
    assert "declare-dead n2" in detail(a_gang(), lost=lost).message
    assert "starts again" in detail(a_gang(spec={"restartable": True}), lost=lost).message


def test_whose_end_it_was_is_the_owners_to_know() -> None:
    failed = a_gang(S.FAILED, end_reason=EndReason.EXIT_CODE, exit_code=3, detail="rank 1 on n2")
    assert detail(failed).message == "Its command ended with exit code 3. That was rank 1 on n2."
    assert detail(failed, mine=False).message == "Its command ended with exit code 3."


@pytest.mark.parametrize("mine", [True, False])
def test_each_task_of_several_has_its_own_end(mine: bool) -> None:
    ends = (None, TaskEnd(TaskEnding.EXITED, 30.0, wait_status=9, detail="/home/li"))
    tasks = tuple(
        Task(rank, Allocation(node), "", "", "boot", started_at=20.0, end=end)
        for rank, (node, end) in enumerate(zip(NODES, ends, strict=True))
    )
    shown = detail(a_gang(), Attempt(7, 1, 10.0, tasks), mine=mine).attempts[0].tasks
    assert (shown[0].started_at, shown[0].ended_at, shown[0].ending) == (20.0, None, None)
    assert (shown[1].ended_at, shown[1].ending, shown[1].signal) == (30.0, TaskEnding.EXITED, 9)
    assert shown[1].detail == ("/home/li" if mine else "")


def test_the_only_task_of_an_attempt_began_and_ended_with_it() -> None:
    attempt = Attempt(
        7,
        1,
        10.0,
        (Task(0, Allocation("n1"), "", "", "boot"),),
        started_at=20.0,
        ended_at=30.0,
        end_reason=EndReason.EXIT_CODE,
        exit_code=3,
    )
    [task] = detail(a_gang(), attempt).attempts[0].tasks
    assert (task.started_at, task.ended_at, task.exit_code) == (20.0, 30.0, 3)


def test_a_node_says_what_it_is_for_and_what_is_wrong_with_it() -> None:
    facts = NodeFacts("n1", 4, 1_000, (), "boot", address="10.0.0.1", version="0.5.0")
    findings = (Finding("from the next version", FindingLevel.PROBLEM, "unheard_of"),)
    node = Node(facts, NodeState.UP, 5.0, role=NodeRole.DEBUG, quarantine="1,2,3", findings=findings)
    row = show_node("en", node, [], {}, None)
    assert (row.role, row.version, row.address) == (NodeRole.DEBUG, "0.5.0", "10.0.0.1")
    assert "lost 3 times" in row.quarantine
    assert "danlu undrain n1" in row.quarantine
    assert "失联 3 次" in show_node("zh", node, [], {}, None).quarantine
    [found] = row.findings
    assert (found.level, found.code) == (FindingLevel.PROBLEM, "unheard_of")
    assert "unheard_of" in found.message
