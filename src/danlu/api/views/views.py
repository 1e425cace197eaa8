"""From the core's objects to the wire's, showing each user only what is theirs to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from danlu.api.views.findings import show_findings
from danlu.control.jobs.job_lookup import WholeJob
from danlu.control.jobs.specs import fields_of
from danlu.control.running.outputs import task_outputs
from danlu.core.array import ArrayCounts, shown_state
from danlu.core.blockers import Blocker
from danlu.core.ending import split_status
from danlu.core.events import Event
from danlu.core.holding import Holding
from danlu.core.job import Attempt, DependencyKind, Job, JobSummary, Task
from danlu.core.job_id import index_of, job_of, label_of
from danlu.core.nodes.doctor import find_unfit
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading, Node, NodeState, is_foreign_busy
from danlu.core.nodes.readings import MachineReading
from danlu.core.states import ACTIVE, ENDED, IN_QUEUE, JobState, area_of
from danlu.core.user import User
from danlu.wire.accounts import UserRow
from danlu.wire.jobs import ArrayRow, AttemptRow, JobDetail, JobRow, TaskRow, Why
from danlu.wire.nodes import (
    DiskUsage,
    GpuProcessRow,
    GpuReadingRow,
    GpuRow,
    GpuState,
    NodeReadingRow,
    NodeRow,
    NodeUsage,
)
from danlu.wire.server import EventRow
from danlu.wording.catalogue import Language, say
from danlu.wording.os_errors import word_os_error
from danlu.wording.sentences import (
    describe_unfit,
    sentence_of_auto,
    sentence_of_blocker,
    sentence_of_end,
)

NOBODY: Mapping[str, float] = {}


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
    """Outside, a task of an array goes by its array's number."""
    facts = blocker.facts()
    if "head" in facts:
        facts["head"] = job_of(facts["head"])
    return facts


def show_row(
    job: JobSummary,
    why: list[Why],
    place: int | None = None,
    lost: Mapping[str, float] = NOBODY,
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
    )


def show_detail(
    language: Language,
    whole: WholeJob,
    *,
    why: list[Why],
    place: int | None,
    logs: Path,
    lost: Mapping[str, float] = NOBODY,
) -> JobDetail:
    job, mine, dependencies = whole.job, whole.mine, whole.dependencies
    live = replace(job.spec, dependencies=dependencies)
    return JobDetail(
        job=show_row(summarise(job), why, place, lost),
        fields=fields_of(live) if mine else None,
        detail=job.detail if mine else "",
        message=_message(language, job, why, mine, lost),
        after=[each.job_id for each in dependencies if each.kind is DependencyKind.ANY],
        after_ok=[each.job_id for each in dependencies if each.kind is DependencyKind.OK],
        successors=whole.successors,
        attempts=[_show_attempt(attempt, mine, logs) for attempt in whole.attempts],
        mine=mine,
        not_before=job.not_before,
        retries_used=job.retries_used,
        auto=sentence_of_auto(language, job.spec),
    )


def _message(language: Language, job: Job, why: list[Why], mine: bool, lost: Mapping[str, float]) -> str:
    """Where the job stands, in one sentence."""
    if job.counts is not None and job.counts.active:
        return say(language, "reasons.array_running", **asdict(_show_array(job.counts)))
    if why:
        return " ".join(reason.message for reason in why)
    if job.state in ENDED and job.end_reason is not None:
        detail = word_os_error(language, job.detail) if mine else "…"
        sentence = sentence_of_end(language, job.end_reason, job.exit_code, job.signal, detail)
        if mine and job.on_nodes and detail and detail not in sentence:
            sentence += say(language, "reasons.of_task", detail=detail)
        return sentence
    nodes = job.on_nodes or ((job.placed.node,) if job.placed else ())
    if job.state in ACTIVE and (away := [node for node in nodes if node in lost]):
        key = "reasons.unreachable_moves" if job.spec.may_move else "reasons.unreachable"
        return say(language, key, node=", ".join(away))
    node = ", ".join(nodes)
    return say(language, f"reasons.{job.state.value}", node=node)


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
    )


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


def show_node(
    language: Language,
    node: Node,
    holdings: Sequence[Holding],
    readings: Mapping[int, GpuReading],
    machine: MachineReading | None,
) -> NodeRow:
    here = [holding for holding in holdings if holding.allocation.node == node.name]
    gpus = [
        _show_gpu(
            node,
            gpu,
            [holding for holding in here if gpu.index in holding.allocation.gpu_ids],
            readings.get(gpu.index),
        )
        for gpu in node.facts.gpus
    ]
    return NodeRow(
        name=node.name,
        state=node.state,
        since=node.since,
        drained=node.drained,
        simulated=node.facts.simulated,
        runs_as_root=node.facts.runs_as_root,
        cpus=node.facts.cpus,
        cpus_used=sum(holding.allocation.cpus for holding in here),
        memory_mb=node.facts.memory_mb,
        memory_used_mb=sum(holding.allocation.memory_mb for holding in here),
        gpus=gpus,
        jobs=sorted({job_of(holding.job_id) for holding in here}),
        device_guard=node.facts.device_guard,
        usage=_show_usage(node, machine),
        role=node.role,
        version=node.facts.version,
        address=node.facts.address,
        quarantine=_show_quarantine(language, node),
        out_of_service=_show_out_of_service(language, node),
        findings=show_findings(node.findings, language),
    )


def _show_quarantine(language: Language, node: Node) -> str:
    if not node.quarantine:
        return ""
    return say(language, "reasons.quarantine", node=node.name, times=len(node.quarantine.split(",")))


def _show_out_of_service(language: Language, node: Node) -> str:
    unfit = find_unfit(node)
    if not unfit:
        return ""
    why = describe_unfit(language, (finding.check for finding in unfit))
    return say(language, "reasons.out_of_service", why=why)


def show_readings(
    node: Node,
    holdings: Sequence[Holding],
    readings: Mapping[int, GpuReading],
    machine: MachineReading | None,
) -> NodeReadingRow:
    """That part of a node which changes all the time."""
    held = {index for holding in holdings for index in holding.allocation.gpu_ids}
    return NodeReadingRow(
        name=node.name,
        usage=_show_usage(node, machine),
        gpus=[
            _show_reading(node, gpu, gpu.index in held, readings.get(gpu.index)) for gpu in node.facts.gpus
        ],
    )


def _show_reading(node: Node, gpu: Gpu, held: bool, reading: GpuReading | None) -> GpuReadingRow:
    tells = reading is not None and not reading.fault
    return GpuReadingRow(
        index=gpu.index,
        state=_state_of_gpu(node, gpu, held, reading),
        load=reading.load if reading else None,
        used_mb=reading.used_mb if reading and tells else None,
        temperature_c=reading.temperature_c if reading else None,
        power_w=reading.power_w if reading else None,
        processes=[_show_process(process) for process in reading.processes] if reading else [],
    )


def _show_usage(node: Node, machine: MachineReading | None) -> NodeUsage | None:
    if machine is None or node.state is NodeState.LOST:
        return None
    return NodeUsage(
        cpu_percent=round(machine.cpu_percent, 1),
        load_1m=machine.load_1m,
        memory_used_mb=machine.memory_used_mb,
        memory_total_mb=machine.memory_total_mb,
        network_in_bytes_s=round(machine.network_in_bytes_s, 1),
        network_out_bytes_s=round(machine.network_out_bytes_s, 1),
        disks=[
            DiskUsage(path=disk.path, used_bytes=disk.used_bytes, total_bytes=disk.total_bytes)
            for disk in machine.disks
        ],
    )


def _show_gpu(node: Node, gpu: Gpu, holders: Sequence[Holding], reading: GpuReading | None) -> GpuRow:
    tells = reading is not None and not reading.fault
    return GpuRow(
        node=node.name,
        index=gpu.index,
        uuid=gpu.uuid,
        name=gpu.name,
        memory_mb=gpu.memory_mb,
        drained=gpu.drained,
        job=job_of(holders[0].job_id) if holders else None,
        user=holders[0].owner if holders else None,
        state=_state_of_gpu(node, gpu, bool(holders), reading),
        jobs=[job_of(holding.job_id) for holding in holders],
        slots=gpu.slots,
        managed=gpu.managed,
        fault=gpu.fault,
        used_mb=reading.used_mb if reading and tells else None,
        load=reading.load if reading else None,
        temperature_c=reading.temperature_c if reading else None,
        power_w=reading.power_w if reading else None,
        power_limit_w=reading.power_limit_w if reading else None,
        processes=[_show_process(process) for process in reading.processes] if reading else [],
    )


def _state_of_gpu(node: Node, gpu: Gpu, held: bool, reading: GpuReading | None) -> GpuState:
    """The one thing about it that a person wants to know first."""
    if node.state is NodeState.LOST:
        return "lost"
    if gpu.fault:
        return "faulty"
    if held:
        return "used"
    if not gpu.managed:
        return "unmanaged"
    if node.drained or node.quarantine or gpu.drained or find_unfit(node):
        return "drained"
    return "foreign" if reading is not None and is_foreign_busy(reading) else "free"


def _show_process(process: GpuProcess) -> GpuProcessRow:
    return GpuProcessRow(
        pid=process.pid,
        user=process.user,
        command=process.command,
        memory_mb=process.memory_mb,
        job=job_of(process.job_id) if process.job_id is not None else None,
        graphics=process.graphics,
    )


def show_event(event: Event) -> EventRow:
    return EventRow(
        id=event.id,
        at=event.at,
        kind=event.kind,
        job=job_of(event.job_id) if event.job_id is not None else None,
        index=index_of(event.job_id) if event.job_id is not None else None,
        attempt=event.attempt,
        node=event.node,
        actor=event.actor,
        data=event.data,
    )


def show_user(user: User, jobs: Mapping[str, int], last_seen_at: float | None) -> UserRow:
    """`jobs`: how many of theirs are in each area."""
    return UserRow(
        name=user.name,
        role=user.role.value,
        priority=user.priority,
        locked=user.locked,
        unix_account=user.unix_account,
        created_at=user.created_at,
        waiting=jobs.get("waiting", 0),
        running=jobs.get("running", 0),
        last_seen_at=last_seen_at,
    )
