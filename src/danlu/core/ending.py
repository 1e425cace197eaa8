"""What the end of an attempt means for its job. Pure: facts in, verdict out."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from danlu.core.job import CANCELLING, Job, StopIntent
from danlu.core.nodes.node_fault import NodeFault, Scene, blame_node, may_go_elsewhere
from danlu.core.states import STATE_AFTER, EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding

LONGEST_BACKOFF_S = 3600.0
RESTART_PAUSE_S = 1.0
"""Between two tries to start what was cut short before it began: nothing ran, so no retry is used up."""
SERVICE_PAUSE_S = 1.0
LONGEST_SERVICE_PAUSE_S = 60.0
STEADY_S = 60.0
"""A service that ran for so long is begun again as if it had never ended before."""

_OF_NODE = frozenset({EndReason.NODE_LOST, EndReason.NODE_REBOOTED})
"""Ends that are no fault of the job's, which may just go on elsewhere."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The next state of a job whose attempt ended. One that goes `to_head` waits before all other jobs."""

    state: JobState
    reason: EndReason
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""
    not_before: float | None = None
    retries_used: int = 0
    to_head: bool = False
    node_faults: tuple[NodeFault, ...] = ()
    """Where it could not be set up since it last ran, this time included."""


def judge_end(
    job: Job,
    end: TaskEnd,
    now: float,
    gpu_fault: str = "",
    started_at: float | None = None,
    scene: Scene | None = None,
) -> Verdict:
    """Decide what becomes of `job` now that its attempt ended with `end`.

    `now` is the server's own time, from which pauses count. `gpu_fault` is the evidence against a GPU of it,
    if there is any by now; `started_at` is when it began, where the job does not know yet; `scene` is where
    it ended, if a node has said so.
    """
    if job.stop_intent is StopIntent.GPU_FAULT:
        gpu_fault = job.detail
    reason = _reason_of(end, job, gpu_fault)
    exit_code, signal = split_status(end.wait_status)
    detail = gpu_fault if gpu_fault and reason is EndReason.GPU_FAULT else end.detail
    plain = Verdict(STATE_AFTER[reason], reason, exit_code, signal, detail, retries_used=job.retries_used)
    by_itself = job.stop_intent not in (*CANCELLING, StopIntent.REQUEUE)
    if reason is EndReason.NOT_STARTED:
        return replace(plain, not_before=now + RESTART_PAUSE_S, node_faults=job.node_faults)
    if by_itself and scene is not None and (blame := blame_node(end, scene)) is not None:
        faults = (*job.node_faults, NodeFault(scene.node, now))
        if may_go_elsewhere(blame, scene, job.node_faults):
            return replace(plain, state=JobState.WAITING, to_head=True, node_faults=faults)
    if reason is EndReason.RESIZED or (reason in _OF_NODE and job.spec.may_move):
        return replace(plain, state=JobState.WAITING, to_head=True)
    if job.spec.service and reason not in (EndReason.CANCELLED, EndReason.REQUEUED):
        return _begin_service_again(job, end, now, plain, started_at)
    if reason in job.spec.retry_on and by_itself and job.retries_used < job.spec.retries:
        pause_s = min(job.spec.retry_backoff_s * 2**job.retries_used, LONGEST_BACKOFF_S)
        return _try_again(plain, now + pause_s, job.retries_used + 1)
    return plain


def _begin_service_again(
    job: Job, end: TaskEnd, now: float, plain: Verdict, started_at: float | None
) -> Verdict:
    """However it ended. Its retries count how often it ended soon after it had begun."""
    began = job.started_at or started_at
    steady = began is not None and end.ended_at - began >= STEADY_S
    used = 0 if steady else job.retries_used
    # The exponent is bounded: a service may fail for years.
    pause_s = min(SERVICE_PAUSE_S * 2 ** min(used, 10), LONGEST_SERVICE_PAUSE_S)
    return _try_again(plain, now + pause_s, used + 1)


def _try_again(plain: Verdict, not_before: float, used: int) -> Verdict:
    return replace(plain, state=JobState.WAITING, not_before=not_before, retries_used=used)


def _reason_of(end: TaskEnd, job: Job, gpu_fault: str) -> EndReason:
    intent = job.stop_intent
    if intent in CANCELLING and job.spec.service:
        # It would run for ever: what it came to at last is of no interest.
        return EndReason.CANCELLED
    match end.ending:
        case TaskEnding.EXITED:
            # Also while stopping: it came to its own end before the stop reached it.
            reason = _reason_of_status(end.wait_status)
            return EndReason.GPU_FAULT if gpu_fault and reason is not EndReason.COMPLETED else reason
        case TaskEnding.TIME_LIMIT | TaskEnding.OUT_OF_MEMORY:
            return EndReason(end.ending.value)
        case TaskEnding.SETUP_FAILED:
            return EndReason(end.problem) if end.problem else EndReason.LAUNCH_FAILED
    # From here on it was ended from outside: what we wanted of it says why.
    match intent:
        case StopIntent.CANCEL | StopIntent.KILL:
            return EndReason.CANCELLED
        case StopIntent.REQUEUE:
            return EndReason.REQUEUED
        case StopIntent.RESIZE:
            return EndReason.RESIZED
        case StopIntent.NODE_LOST:
            return EndReason.NODE_LOST
        case StopIntent.GPU_FAULT if end.ending in (TaskEnding.STOPPED, TaskEnding.VANISHED):
            return EndReason.GPU_FAULT
    match end.ending:
        case TaskEnding.REBOOTED:
            return EndReason.NODE_REBOOTED
        case TaskEnding.LEASE_LOST | TaskEnding.NODE_LOST:
            return EndReason.NODE_LOST
        case TaskEnding.NEVER_STARTED if job.state is JobState.STARTING or intent is not None:
            return EndReason.NOT_STARTED
    return EndReason.VANISHED


def _reason_of_status(wait_status: int | None) -> EndReason:
    exit_code, signal = split_status(wait_status)
    if signal is not None:
        return EndReason.SIGNAL
    return EndReason.COMPLETED if exit_code == 0 else EndReason.EXIT_CODE


def split_status(wait_status: int | None) -> tuple[int | None, int | None]:
    """(exit code, signal) of a raw wait status."""
    if wait_status is None:
        return None, None
    code = os.waitstatus_to_exitcode(wait_status)
    return (None, -code) if code < 0 else (code, None)
