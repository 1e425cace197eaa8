"""Rows into the frozen objects of the core, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Row, select

from danlu.codec import BadValue, decode, encode, known_word
from danlu.core.array import ArrayCounts
from danlu.core.events import Event, EventKind
from danlu.core.job import (
    Attempt,
    DependencyKind,
    Job,
    JobSpec,
    JobSummary,
    StopIntent,
    Task,
)
from danlu.core.known_end import with_known_words
from danlu.core.nodes.doctor import senseless_finding
from danlu.core.nodes.node import Finding, Node, NodeFacts, NodeRole, NodeState
from danlu.core.nodes.node_fault import NodeFault
from danlu.core.resources import Allocation, Ask, Used
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd
from danlu.core.user import Role, User
from danlu.store.engine import schema

WHOLE = schema.jobs.alias("whole")
"""The array that an element belongs to."""

ARRAY_COUNTS = tuple(
    schema.arrays.c[name].label(f"array_{name}")
    for name in ("total", "begun", "active", "succeeded", "failed", "cancelled", "at_most")
)
SELECT_JOBS = (
    select(schema.jobs, WHOLE.c.spec.label("array_spec"), *ARRAY_COUNTS)
    .outerjoin_from(schema.jobs, WHOLE, WHOLE.c.id == schema.jobs.c.array_id)
    .outerjoin(schema.arrays, schema.arrays.c.job_id == schema.jobs.c.id)
)
"""Whole jobs: an element of an array has its spec from there, an array its numbers from beside."""


USED = tuple(each.name for each in fields(Used))

_WISHES = ("spread", "only_nodes", "exclude_nodes", "gpu_model", "stage")


def spec_from_json(data: dict[str, Any]) -> JobSpec:
    return decode(JobSpec, data, trusted=True)


def spec_columns(spec: JobSpec) -> dict[str, Any]:
    """The columns that a spec fills: itself, and what lists and the scheduler read of it."""
    ask = spec.ask
    return {
        "name": spec.name,
        "queue": spec.queue,
        "spec": encode(spec),
        "urgent": spec.urgent,
        "gpus": ask.gpus,
        "gpu_ids": list(ask.gpu_ids),
        "cpus": ask.cpus,
        "memory_mb": ask.memory_mb,
        "node": ask.node,
        "share": ask.share,
        "no_sharing": ask.no_sharing,
        "gpu_memory_mb": ask.gpu_memory_mb,
        "nodes": ask.nodes,
        "nodes_min": ask.nodes_min,
        "wants": _wants(ask),
    }


def _wants(ask: Ask) -> dict[str, Any] | None:
    """The wishes that few jobs have; None without any."""
    wishes = {name: getattr(ask, name) for name in _WISHES}
    return {name: wish for name, wish in wishes.items() if wish} or None


def allocation_from_json(data: dict[str, Any]) -> Allocation:
    return decode(Allocation, data, trusted=True)


def allocation_from_row(row: Any) -> Allocation:
    return Allocation(
        row.node,
        tuple(row.gpu_ids),
        row.cpus,
        row.memory_mb,
        row.share,
        row.no_sharing,
        row.gpu_memory_mb,
    )


def kind_of_need(word: str) -> DependencyKind:
    """A need that only a newer version knows is as good as the strictest: the job waits rather than start too
    soon."""
    return known_word(DependencyKind, word, DependencyKind.OK)


def counts_from_row(row: Any) -> ArrayCounts | None:
    if row.array_total is None:
        return None
    return ArrayCounts(
        row.array_total,
        row.array_begun,
        row.array_active,
        row.array_succeeded,
        row.array_failed,
        row.array_cancelled,
        row.array_at_most,
    )


def job_from_row(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        owner=row.owner,
        spec=spec_from_json(row.array_spec or row.spec),
        state=JobState(row.state),
        version=row.version,
        position=row.position,
        submitted_at=row.submitted_at,
        attempt=row.attempt,
        retries_used=row.retries_used,
        not_before=row.not_before,
        stop_intent=_intent(row.stop_intent) if row.stop_intent else None,
        started_at=row.started_at,
        ended_at=row.ended_at,
        end_reason=_reason(row.end_reason),
        exit_code=row.exit_code,
        signal=row.signal,
        detail=row.detail,
        placed=allocation_from_json(row.placed) if row.placed else None,
        on_nodes=_nodes_of(row.placed),
        counts=counts_from_row(row),
        node_faults=node_faults_from_json(row.node_faults),
    )


def node_faults_from_json(pairs: Sequence[tuple[str, float]] | None) -> tuple[NodeFault, ...]:
    return tuple(NodeFault(node, at) for node, at in pairs or ())


def node_faults_to_json(faults: Sequence[NodeFault]) -> list[tuple[str, float]] | None:
    return [(fault.node, fault.at) for fault in faults] or None


def _nodes_of(placed: dict[str, Any] | None) -> tuple[str, ...]:
    return tuple(placed.get("nodes", ())) if placed else ()


def job_with_columns(job: Job, **columns: Any) -> Job:
    """The job as it is once these columns were written."""
    changed = {
        name: _FROM_COLUMN[name](value) if value is not None and name in _FROM_COLUMN else value
        for name, value in columns.items()
        if name in _JOB_FIELDS
    }
    if "placed" in columns:
        changed["on_nodes"] = _nodes_of(columns["placed"])
    if "node_faults" in columns:
        changed["node_faults"] = node_faults_from_json(columns["node_faults"])
    return replace(job, **changed)


def ask_from_row(row: Any) -> Ask:
    return Ask(
        row.gpus,
        tuple(row.gpu_ids),
        row.cpus,
        row.memory_mb,
        row.node,
        row.share,
        row.no_sharing,
        row.gpu_memory_mb,
        row.nodes,
        row.nodes_min,
        **_wishes(row.wants or {}),
    )


def _wishes(wants: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(wish) if isinstance(wish, list) else wish
        for name, wish in wants.items()
        if name in _WISHES
    }


def summary_from_row(row: Any) -> JobSummary:
    return JobSummary(
        id=row.id,
        owner=row.owner,
        name=row.name,
        queue=row.queue,
        state=JobState(row.state),
        position=row.position,
        ask=ask_from_row(row),
        urgent=row.urgent,
        submitted_at=row.submitted_at,
        attempt=row.attempt,
        not_before=row.not_before,
        started_at=row.started_at,
        ended_at=row.ended_at,
        end_reason=_reason(row.end_reason),
        exit_code=row.exit_code,
        signal=row.signal,
        placed=allocation_from_json(row.placed) if row.placed else None,
        on_nodes=_nodes_of(row.placed),
        counts=counts_from_row(row),
    )


def task_from_row(row: Row[Any], begun_at: float) -> Task:
    return Task(
        row.rank,
        allocation_from_row(row),
        row.stdout_path,
        row.stderr_path,
        row.boot_id,
        row.address,
        row.port,
        row.second_port,
        row.leased,
        row.started_at,
        None if row.ending is None else end_from_json(row.ending),
        begun_at,
    )


def end_from_json(data: dict[str, Any]) -> TaskEnd:
    return decode(TaskEnd, with_known_words(data), trusted=True)


def attempt_from_row(row: Row[Any], tasks: tuple[Task, ...]) -> Attempt:
    return Attempt(
        job_id=row.job_id,
        number=row.number,
        created_at=row.created_at,
        tasks=tasks,
        started_at=row.started_at,
        ended_at=row.ended_at,
        end_reason=_reason(row.end_reason),
        exit_code=row.exit_code,
        signal=row.signal,
        detail=row.detail,
        used=used_from_row(row),
    )


def used_from_row(row: Row[Any]) -> Used:
    return Used(**{name: getattr(row, name) for name in USED})


KNOWN_EVENTS = schema.events.c.kind.in_([kind.value for kind in EventKind])
"""A newer version may have recorded others, which this one has no words for."""


def event_from_row(row: Row[Any]) -> Event:
    return Event(
        row.id, row.at, EventKind(row.kind), row.job_id, row.attempt, row.node, row.actor, dict(row.data)
    )


def facts_from_json(name: str, value: Any) -> tuple[NodeFacts, BadValue | None]:
    """What is stored of a node: nothing of it, and why, where that makes no sense. An earlier version has
    written down whatever a node said of itself."""
    try:
        return replace(decode(NodeFacts, value), name=name), None
    except BadValue as problem:
        return NodeFacts(name, 0, 0, (), ""), problem


def node_from_row(row: Any) -> Node:
    drained = set(row.drained_gpus)
    facts, problem = facts_from_json(row.name, row.facts)
    gpus = tuple(
        replace(gpu, drained=gpu.index in drained, **_rules(row.gpu_rules.get(str(gpu.index), {})))
        for gpu in facts.gpus
    )
    facts = replace(facts, gpus=gpus)
    try:
        findings = tuple(decode(list[Finding], row.findings))
    except BadValue:
        findings = ()
    if problem is not None:
        findings = (*findings, senseless_finding("facts", str(problem)))
    # A node of a state or a role that only a newer version knows is given no jobs.
    state = known_word(NodeState, row.state, NodeState.LOST)
    role = known_word(NodeRole, row.role, NodeRole.LOGIN)
    return Node(facts, state, row.since, row.drained, role, row.quarantine, findings)


def _rules(decided: dict[str, Any]) -> dict[str, Any]:
    return {name: decided[name] for name in ("slots", "managed") if name in decided}


def user_from_row(row: Row[Any]) -> User:
    return User(
        name=row.name,
        role=known_word(Role, row.role, Role.VIEWER),
        created_at=row.created_at,
        priority=row.priority,
        locked=row.locked,
        must_change_password=row.must_change_password,
        has_password=row.password_hash is not None,
        unix_account=row.unix_account,
        group=row.group_name,
        full_name=row.full_name,
        student_id=row.student_id,
        email=row.email,
        language=row.language,
    )


def _reason(value: str | None) -> EndReason | None:
    """None also for one that only a newer version knows."""
    return known_word(EndReason, value, None)


def _intent(value: str) -> StopIntent:
    """A job that a newer version was about to stop, for a reason of its own, goes back into the line: nothing
    that was accepted is lost."""
    return known_word(StopIntent, value, StopIntent.REQUEUE)


_JOB_FIELDS = frozenset(field.name for field in fields(Job))
_FROM_COLUMN: dict[str, Callable[[Any], Any]] = {
    "state": JobState,
    "spec": spec_from_json,
    "stop_intent": _intent,
    "end_reason": _reason,
    "placed": allocation_from_json,
}
