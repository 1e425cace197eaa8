"""Rows into the frozen objects of the core, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

from sqlalchemy import Row

from danlu.core.events import Event, EventKind
from danlu.core.job import Attempt, Dependency, DependencyKind, Job, JobSpec, JobSummary, StopIntent, Task
from danlu.core.node import Gpu, Node, NodeFacts, NodeState
from danlu.core.resources import Allocation, Ask
from danlu.core.states import EndReason, JobState
from danlu.core.user import Role, User


def spec_to_json(spec: JobSpec) -> dict[str, Any]:
    data = asdict(spec)
    data["retry_on"] = sorted(spec.retry_on)
    return data


def spec_from_json(data: dict[str, Any]) -> JobSpec:
    return JobSpec(
        **{
            **data,
            "arguments": tuple(data["arguments"]),
            "gpu_ids": tuple(data["gpu_ids"]),
            "mounts": tuple(data["mounts"]),
            "mail": tuple(data["mail"]),
            "retry_on": frozenset(EndReason(reason) for reason in data["retry_on"]),
            "dependencies": tuple(
                Dependency(each["job_id"], DependencyKind(each["kind"])) for each in data["dependencies"]
            ),
        }
    )


def allocation_from_json(data: dict[str, Any]) -> Allocation:
    return Allocation(data["node"], tuple(data["gpu_ids"]), data["cpus"], data["memory_mb"])


def job_from_row(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        owner=row.owner,
        spec=spec_from_json(row.spec),
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
    )


def job_with_columns(job: Job, **columns: Any) -> Job:
    """The job as it is once these columns were written."""
    changed = {
        name: _FROM_COLUMN[name](value) if value is not None and name in _FROM_COLUMN else value
        for name, value in columns.items()
        if name in _JOB_FIELDS
    }
    return replace(job, **changed)


def ask_from_row(row: Any) -> Ask:
    return Ask(row.gpus, tuple(row.gpu_ids), row.cpus, row.memory_mb, row.node)


def summary_from_row(row: Row[Any]) -> JobSummary:
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
    )


def task_from_row(row: Row[Any]) -> Task:
    allocation = Allocation(row.node, tuple(row.gpu_ids), row.cpus, row.memory_mb)
    return Task(row.rank, allocation, row.stdout_path, row.stderr_path, row.boot_id)


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


def node_from_row(row: Row[Any]) -> Node:
    drained = set(row.drained_gpus)
    gpus = tuple(Gpu(**{**gpu, "drained": gpu["index"] in drained}) for gpu in row.facts["gpus"])
    facts = NodeFacts(**{**row.facts, "gpus": gpus})
    return Node(facts, NodeState(row.state), row.since, row.drained)


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
