"""Jobs as the wire shows them: a row of a list, one with all its attempts, and why it waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from danlu.control.jobs.job_lookup import WholeJob
from danlu.control.jobs.specs import fields_of
from danlu.control.running.outputs import task_outputs
from danlu.core.array import ArrayCounts, shown_state
from danlu.core.blockers import Blocker
from danlu.core.ending import split_status
from danlu.core.job import Attempt, DependencyKind, Job, JobSummary, Task
from danlu.core.job_id import index_of, job_of, label_of
from danlu.core.resources import Used
from danlu.core.rights import JobAct
from danlu.core.states import ACTIVE, IN_QUEUE, JobState, area_of
from danlu.wire.jobs import ArrayRow, AttemptRow, JobDetail, JobRow, TaskRow, UsedRow, Why
from danlu.wording.catalogue import Language, say
from danlu.wording.sentences import (
    sentence_of_auto,
    sentence_of_blocker,
)
from danlu.wording.status import status_sentence

NONE_LOST: Mapping[str, float] = {}


def show_why(
    language: Language, job_id: int, state: JobState, blockers: Sequence[Blocker] | None, now: float
) -> list[Why]:
    """Why a job in the queue waits; one that was submitted a moment ago has not been looked at yet."""
    if state not in IN_QUEUE:
        return []
    if not blockers:
        return [Why(code="starting_soon", facts={}, message=say(language, "reasons.starting_soon"))]
    return [
        Why(
            code=blocker.code,
            facts=_show_facts(blocker),
            message=sentence_of_blocker(language, blocker, job_id, now),
        )
        for blocker in blockers
    ]


def _show_facts(blocker: Blocker) -> dict[str, Any]:
    """Outside, an element of an array goes by its array's number."""
    facts = blocker.facts()
    if "head" in facts:
        facts["head"] = job_of(facts["head"])
    return facts


def show_row(
    job: JobSummary,
    why: list[Why],
    place: int | None = None,
    lost: Mapping[str, float] = NONE_LOST,
) -> JobRow:
    """`place` is that in the queue; `lost` are the nodes that cannot be reached, each with since-when."""
    state = shown_state(job.state, job.counts)
    placed = job.placed if job.state not in IN_QUEUE else None
    on_nodes = (job.on_nodes or (placed.node,)) if placed else ()
    return JobRow(
        id=job_of(job.id),
        ref=label_of(job.id),
        index=index_of(job.id),
        array=_show_array(job.counts) if job.counts else None,
        name=job.name,
        tags=job.tags,
        owner=job.owner,
        state=state,
        area=area_of(state) or "history",  # type: ignore[arg-type]
        queue=job.queue,
        gpus=job.ask.gpus,
        cpus=job.ask.cpus,
        memory_mb=job.ask.memory_mb,
        share=job.ask.share,
        gpu_memory_mb=job.ask.gpu_memory_mb,
        urgent=job.urgent,
        submitted_at=job.submitted_at,
        attempt=job.attempt,
        node=placed.node if placed else job.ask.node,
        nodes=job.ask.nodes,
        nodes_min=job.ask.nodes_min,
        on_nodes=list(on_nodes),
        unreachable_since=_unreachable_since(job.state, on_nodes, lost),
        gpu_ids=list(placed.gpu_ids if placed else job.ask.gpu_ids),
        started_at=job.started_at if state not in IN_QUEUE else None,
        ended_at=job.ended_at,
        end_reason=job.end_reason,
        exit_code=job.exit_code,
        signal=job.signal,
        why=why,
        place=place if job.state is JobState.WAITING else None,
    )


def _unreachable_since(state: JobState, on_nodes: Sequence[str], lost: Mapping[str, float]) -> float | None:
    if state not in ACTIVE:
        return None
    return min((lost[node] for node in on_nodes if node in lost), default=None)


def _show_array(counts: ArrayCounts) -> ArrayRow:
    return ArrayRow(
        total=counts.total,
        waiting=counts.waiting,
        active=counts.active,
        succeeded=counts.succeeded,
        failed=counts.failed,
        cancelled=counts.cancelled,
        at_most=counts.at_most,
    )


def summarise(job: Job) -> JobSummary:
    return JobSummary(
        id=job.id,
        owner=job.owner,
        name=job.spec.name,
        queue=job.spec.queue,
        state=job.state,
        position=job.position,
        ask=job.spec.ask,
        urgent=job.spec.urgent,
        submitted_at=job.submitted_at,
        attempt=job.attempt,
        not_before=job.not_before,
        started_at=job.started_at,
        ended_at=job.ended_at,
        end_reason=job.end_reason,
        exit_code=job.exit_code,
        signal=job.signal,
        placed=job.placed,
        counts=job.counts,
        on_nodes=job.on_nodes,
        tags=job.spec.tags,
    )


def show_detail(
    language: Language,
    whole: WholeJob,
    *,
    why: list[Why],
    place: int | None,
    logs: Path,
    lost: Mapping[str, float] = NONE_LOST,
) -> JobDetail:
    job, mine, dependencies = whole.job, whole.mine, whole.dependencies
    live = replace(job.spec, dependencies=dependencies)
    return JobDetail(
        job=show_row(summarise(job), why, place, lost),
        fields=fields_of(live) if mine else None,
        detail=job.detail if mine else "",
        message=status_sentence(language, job, [each.message for each in why], lost, mine=mine),
        after=[each.job_id for each in dependencies if each.kind is DependencyKind.ANY],
        after_ok=[each.job_id for each in dependencies if each.kind is DependencyKind.OK],
        successors=whole.successors,
        attempts=[_show_attempt(attempt, mine, logs) for attempt in whole.attempts],
        mine=mine,
        may=[act.value for act in JobAct if act in whole.acts],
        not_before=job.not_before,
        retries_used=job.retries_used,
        auto=sentence_of_auto(language, job.spec),
        not_held_to=list(whole.not_held_to),
        used=_show_used(whole.used),
    )


def _show_attempt(attempt: Attempt, mine: bool, logs: Path) -> AttemptRow:
    return AttemptRow(
        number=attempt.number,
        created_at=attempt.created_at,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        end_reason=attempt.end_reason,
        exit_code=attempt.exit_code,
        signal=attempt.signal,
        detail=attempt.detail if mine else "",
        tasks=[_show_task(attempt, task, mine, logs) for task in attempt.tasks],
        used=_show_used(attempt.used),
    )


def _show_used(used: Used) -> UsedRow | None:
    return UsedRow(**asdict(used)) if used.is_known else None


def _show_task(attempt: Attempt, task: Task, mine: bool, logs: Path) -> TaskRow:
    stdout, stderr = task_outputs(logs, attempt.job_id, attempt.number, task)
    # What is known of the only task of an attempt is known of the attempt.
    own = task if len(attempt.tasks) > 1 or task.end else None
    exit_code, signal = split_status(own.end.wait_status if own and own.end else None)
    return TaskRow(
        rank=task.rank,
        node=task.allocation.node,
        gpu_ids=list(task.allocation.gpu_ids),
        cpus=task.allocation.cpus,
        memory_mb=task.allocation.memory_mb,
        stdout_path=stdout if mine else None,
        stderr_path=stderr if mine else None,
        started_at=own.started_at if own else attempt.started_at,
        ended_at=(own.end.ended_at if own.end else None) if own else attempt.ended_at,
        ending=own.end.ending if own and own.end else None,
        exit_code=exit_code if own else attempt.exit_code,
        signal=signal if own else attempt.signal,
        detail=own.end.detail if mine and own and own.end else "",
    )
