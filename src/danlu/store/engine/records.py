"""Rows into the frozen objects of the core, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from sqlalchemy import Row, select

from danlu.core.array import ArrayCounts
from danlu.core.auto import Auto, AutoReason
from danlu.core.events import Event, EventKind
from danlu.core.job import (
    Attempt,
    Dependency,
    DependencyKind,
    Job,
    JobSpec,
    JobSummary,
    Launcher,
    StopIntent,
    Task,
)
from danlu.core.nodes.doctor import senseless_finding
from danlu.core.nodes.node import Finding, Node, NodeFacts, NodeRole, NodeState
from danlu.core.nodes.node_fault import NodeFault
from danlu.core.plain_json import Senseless, from_plain
from danlu.core.resources import Allocation, Ask
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.core.user import Role, User
from danlu.store.engine import schema

WHOLE = schema.jobs.alias("whole")
"""The array that a task belongs to."""

ARRAY_COUNTS = tuple(
    schema.arrays.c[name].label(f"array_{name}")
    for name in ("total", "begun", "active", "succeeded", "failed", "cancelled", "at_most")
)
SELECT_JOBS = (
    select(schema.jobs, WHOLE.c.spec.label("array_spec"), *ARRAY_COUNTS)
    .outerjoin_from(schema.jobs, WHOLE, WHOLE.c.id == schema.jobs.c.array_id)
    .outerjoin(schema.arrays, schema.arrays.c.job_id == schema.jobs.c.id)
)
"""Whole jobs: a task of an array has its spec from there, an array its numbers from beside."""


_SPEC_FIELDS = tuple(field.name for field in fields(JobSpec))
_WISHES = ("spread", "only_nodes", "exclude_nodes", "gpu_model", "stage")


def spec_to_json(spec: JobSpec) -> dict[str, Any]:
    # Not `asdict`, which copies everything twice: this is done for every job.
    data = {name: getattr(spec, name) for name in _SPEC_FIELDS}
    data["retry_on"] = sorted(spec.retry_on)
    data["dependencies"] = [{"job_id": each.job_id, "kind": each.kind} for each in spec.dependencies]
    data["auto"] = None if spec.auto is None else asdict(spec.auto)
    return data


def spec_from_json(data: dict[str, Any]) -> JobSpec:
    return JobSpec(
        **{
            **{name: value for name, value in data.items() if name in _SPEC_FIELDS},
            "arguments": tuple(data["arguments"]),
            "gpu_ids": tuple(data["gpu_ids"]),
            "mounts": tuple(data["mounts"]),
            "mail": tuple(data["mail"]),
            "only_nodes": tuple(data.get("only_nodes", ())),
            "exclude_nodes": tuple(data.get("exclude_nodes", ())),
            "launcher": Launcher(data.get("launcher", Launcher.PLAIN)),
            "auto": _auto_from_json(data.get("auto")),
            "stage": tuple(data.get("stage", ())),
            "retry_on": frozenset(EndReason(reason) for reason in data["retry_on"]),
            "dependencies": tuple(
                Dependency(each["job_id"], DependencyKind(each["kind"])) for each in data["dependencies"]
            ),
        }
    )


def _auto_from_json(data: dict[str, Any] | None) -> Auto | None:
    return None if data is None else Auto(**{**data, "reason": AutoReason(data["reason"])})


def spec_columns(spec: JobSpec) -> dict[str, Any]:
    """The columns that a spec fills: itself, and what lists and the scheduler read of it."""
    ask = spec.ask
    return {
        "name": spec.name,
        "queue": spec.queue,
        "spec": spec_to_json(spec),
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
    return Allocation(
        data["node"],
        tuple(data["gpu_ids"]),
        data["cpus"],
        data["memory_mb"],
        data.get("share", False),
        data.get("no_sharing", False),
        data.get("gpu_memory_mb", 0),
    )


def allocation_to_json(allocation: Allocation) -> dict[str, Any]:
    return {
        "node": allocation.node,
        "gpu_ids": list(allocation.gpu_ids),
        "cpus": allocation.cpus,
        "memory_mb": allocation.memory_mb,
        "share": allocation.share,
        "no_sharing": allocation.no_sharing,
        "gpu_memory_mb": allocation.gpu_memory_mb,
    }


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
        stop_intent=StopIntent(row.stop_intent) if row.stop_intent else None,
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
    return {name: tuple(wish) if isinstance(wish, list) else wish for name, wish in wants.items()}


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


def end_to_json(end: TaskEnd) -> dict[str, Any]:
    return asdict(end)


def end_from_json(data: dict[str, Any]) -> TaskEnd:
    return TaskEnd(**{**data, "ending": TaskEnding(data["ending"])})


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
    )


def event_from_row(row: Row[Any]) -> Event:
    return Event(
        row.id, row.at, EventKind(row.kind), row.job_id, row.attempt, row.node, row.actor, dict(row.data)
    )


def facts_from_json(name: str, value: Any) -> tuple[NodeFacts, Senseless | None]:
    """What is stored of a node: nothing of it, and why, where that makes no sense. An earlier version has
    written down whatever a node said of itself."""
    try:
        return replace(from_plain(NodeFacts, value), name=name), None
    except Senseless as problem:
        return NodeFacts(name, 0, 0, (), ""), problem


def node_from_row(row: Any) -> Node:
    drained = set(row.drained_gpus)
    facts, problem = facts_from_json(row.name, row.facts)
    gpus = tuple(
        replace(gpu, drained=gpu.index in drained, **row.gpu_rules.get(str(gpu.index), {}))
        for gpu in facts.gpus
    )
    facts = replace(facts, gpus=gpus)
    try:
        findings = tuple(from_plain(list[Finding], row.findings))
    except Senseless:
        findings = ()
    if problem is not None:
        findings = (*findings, senseless_finding("facts", str(problem)))
    return Node(
        facts, NodeState(row.state), row.since, row.drained, NodeRole(row.role), row.quarantine, findings
    )


def user_from_row(row: Row[Any]) -> User:
    return User(
        name=row.name,
        role=Role(row.role),
        created_at=row.created_at,
        priority=row.priority,
        locked=row.locked,
        must_change_password=row.must_change_password,
        has_password=row.password_hash is not None,
        mentor=row.mentor,
        unix_account=row.unix_account,
    )


_JOB_FIELDS = frozenset(field.name for field in fields(Job))
_FROM_COLUMN: dict[str, Callable[[Any], Any]] = {
    "state": JobState,
    "spec": spec_from_json,
    "stop_intent": StopIntent,
    "end_reason": EndReason,
    "placed": allocation_from_json,
}


def _reason(value: str | None) -> EndReason | None:
    return EndReason(value) if value else None
