"""What the end of an attempt means for its job. Pure: facts in, verdict out."""

from __future__ import annotations

import os
from dataclasses import dataclass

from danlu.core.job import Job, StopIntent
from danlu.core.states import STATE_AFTER, EndReason, JobState
from danlu.core.task import Ending, TaskEnd

LONGEST_BACKOFF_S = 3600.0
RESTART_PAUSE_S = 1.0
"""Between two tries to start what was cut short before it began: nothing ran, so no retry is used up."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The next state of a job whose attempt ended."""

    state: JobState
    reason: EndReason
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""
    not_before: float | None = None
    retries_used: int = 0


def judge_end(job: Job, end: TaskEnd, gpu_fault: str = "") -> Verdict:
    """Decide what becomes of `job` now that its attempt ended with `end`.

    `gpu_fault` is the evidence against a GPU of it, if there is any by now.
    """
    if job.stop_intent is StopIntent.GPU_FAULT:
        gpu_fault = job.detail
    reason = _reason_of(end, job, gpu_fault)
    exit_code, signal = _split_status(end.wait_status)
    detail = gpu_fault if gpu_fault and reason is EndReason.GPU_FAULT else end.detail
    by_itself = job.stop_intent in (None, StopIntent.GPU_FAULT)
    if reason in job.spec.retry_on and by_itself and job.retries_used < job.spec.retries:
        pause_s = min(job.spec.retry_backoff_s * 2**job.retries_used, LONGEST_BACKOFF_S)
        return Verdict(
            JobState.WAITING,
            reason,
            exit_code,
            signal,
            detail,
            not_before=end.ended_at + pause_s,
            retries_used=job.retries_used + 1,
        )
    return Verdict(
        STATE_AFTER[reason],
        reason,
        exit_code,
        signal,
        detail,
        not_before=end.ended_at + RESTART_PAUSE_S if reason is EndReason.NOT_STARTED else None,
        retries_used=job.retries_used,
    )


def _reason_of(end: TaskEnd, job: Job, gpu_fault: str) -> EndReason:
    intent = job.stop_intent
    match end.ending:
        case Ending.EXITED:
            # Also while stopping: it came to its own end before the stop reached it.
            reason = _reason_of_status(end.wait_status)
            return EndReason.GPU_FAULT if gpu_fault and reason is not EndReason.COMPLETED else reason
        case Ending.STOPPED | Ending.VANISHED if intent is StopIntent.GPU_FAULT:
            return EndReason.GPU_FAULT
        case Ending.NEVER_STARTED if intent is StopIntent.GPU_FAULT:
            return EndReason.NOT_STARTED
        case Ending.STOPPED | Ending.NEVER_STARTED | Ending.VANISHED | Ending.REBOOTED if (
            intent is StopIntent.REQUEUE
        ):
            return EndReason.REQUEUED
        case Ending.STOPPED | Ending.NEVER_STARTED if intent is StopIntent.CANCEL:
            return EndReason.CANCELLED
        case Ending.NEVER_STARTED if job.state is JobState.STARTING:
            return EndReason.NOT_STARTED
        case Ending.STOPPED | Ending.NEVER_STARTED | Ending.VANISHED:
            return EndReason.CANCELLED if intent is StopIntent.CANCEL else EndReason.VANISHED
        case Ending.TIME_LIMIT:
            return EndReason.TIME_LIMIT
        case Ending.REBOOTED:
            return EndReason.CANCELLED if intent is StopIntent.CANCEL else EndReason.NODE_REBOOTED
        case Ending.LEASE_LOST | Ending.NODE_LOST:
            return EndReason.CANCELLED if intent is StopIntent.CANCEL else EndReason.NODE_LOST
        case Ending.SETUP_FAILED:
            return EndReason(end.problem) if end.problem else EndReason.LAUNCH_FAILED


def _reason_of_status(wait_status: int | None) -> EndReason:
    exit_code, signal = _split_status(wait_status)
    if signal is not None:
        return EndReason.SIGNAL
    return EndReason.COMPLETED if exit_code == 0 else EndReason.EXIT_CODE


def _split_status(wait_status: int | None) -> tuple[int | None, int | None]:
    """(exit code, signal) of a raw wait status."""
    if wait_status is None:
        return None, None
    code = os.waitstatus_to_exitcode(wait_status)
    return (None, -code) if code < 0 else (code, None)
