"""The one table of job states: which exist, which edges are legal, and where each reason of an end leads.

Reasons are not states: a small set of states tells where a job is, `EndReason` tells why an attempt ended.
"""

from __future__ import annotations

from enum import StrEnum

from danlu.core.job_id import label_of


class JobState(StrEnum):
    WAITING = "waiting"
    HELD = "held"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DELETED = "deleted"


class EndReason(StrEnum):
    """Why an attempt ended."""

    COMPLETED = "completed"
    EXIT_CODE = "exit_code"
    SIGNAL = "signal"
    OUT_OF_MEMORY = "out_of_memory"
    """Of its node's memory, not of a GPU's."""
    TIME_LIMIT = "time_limit"
    CANCELLED = "cancelled"
    REQUEUED = "requeued"
    RESIZED = "resized"
    NOT_STARTED = "not_started"
    DIRECTORY_MISSING = "directory_missing"
    OUTPUT_UNWRITABLE = "output_unwritable"
    ENVIRONMENT_MISSING = "environment_missing"
    STAGE_MISSING = "stage_missing"
    STAGE_FORBIDDEN = "stage_forbidden"
    STAGE_FULL = "stage_full"
    STAGE_FAILED = "stage_failed"
    COMMAND_UNRUNNABLE = "command_unrunnable"
    NO_ACCOUNT = "no_account"
    LAUNCH_FAILED = "launch_failed"
    VANISHED = "vanished"
    NODE_REBOOTED = "node_rebooted"
    NODE_LOST = "node_lost"
    GPU_FAULT = "gpu_fault"
    ELEMENTS_FAILED = "tasks_failed"
    """Of an array. The value is the one that databases of earlier versions have."""


SETUP_PROBLEMS = frozenset(
    {
        EndReason.DIRECTORY_MISSING,
        EndReason.OUTPUT_UNWRITABLE,
        EndReason.ENVIRONMENT_MISSING,
        EndReason.STAGE_MISSING,
        EndReason.STAGE_FORBIDDEN,
        EndReason.STAGE_FULL,
        EndReason.STAGE_FAILED,
        EndReason.COMMAND_UNRUNNABLE,
        EndReason.NO_ACCOUNT,
        EndReason.LAUNCH_FAILED,
    }
)
"""Why a task could not be set up, in its node's words."""

_S = JobState

TRANSITIONS: dict[tuple[JobState, JobState], str] = {
    (_S.WAITING, _S.HELD): "its owner or an admin holds it",
    (_S.HELD, _S.WAITING): "released",
    (_S.WAITING, _S.STARTING): "the scheduler gave it resources; a new attempt exists",
    (_S.WAITING, _S.CANCELLED): "cancelled before it ever started",
    (_S.HELD, _S.CANCELLED): "cancelled while held",
    (_S.STARTING, _S.RUNNING): "its node reports the command started",
    (_S.STARTING, _S.SUCCEEDED): "it ended well before its start was reported",
    (_S.STARTING, _S.FAILED): "it could not be started, or ended badly at once",
    (_S.STARTING, _S.STOPPING): "cancelled, sent back, or one of its tasks failed, while starting",
    (_S.STARTING, _S.WAITING): "its start failed and a retry is due, or was cut short before anything ran; "
    "its node was lost",
    (_S.RUNNING, _S.SUCCEEDED): "exit code 0",
    (_S.RUNNING, _S.FAILED): "it ended badly and no retry is left",
    (_S.RUNNING, _S.STOPPING): "cancelled, sent back to the queue or resized; its GPU broke; one of several "
    "tasks of it ended badly, or lost its node",
    (_S.RUNNING, _S.WAITING): "it ended badly and a retry is due; its node was lost and it may move; it is a "
    "service",
    (_S.STOPPING, _S.CANCELLED): "every process of it is gone",
    (_S.STOPPING, _S.SUCCEEDED): "it had finished by itself before the stop reached it",
    (_S.STOPPING, _S.FAILED): "it had failed by itself before the stop reached it, or its GPU or "
    "one of its tasks did",
    (_S.STOPPING, _S.WAITING): "stopped together with the service, resized, or a node of it lost: back at "
    "the head of the queue; one of its tasks failed and a retry is due",
    (_S.SUCCEEDED, _S.WAITING): "edited after its end: runs again as the next attempt",
    (_S.FAILED, _S.WAITING): "edited after its end: runs again as the next attempt",
    (_S.CANCELLED, _S.WAITING): "edited after its end: runs again as the next attempt",
    (_S.WAITING, _S.DELETED): "deleted",
    (_S.HELD, _S.DELETED): "deleted",
    (_S.SUCCEEDED, _S.DELETED): "deleted",
    (_S.FAILED, _S.DELETED): "deleted",
    (_S.CANCELLED, _S.DELETED): "deleted",
}
"""Every legal edge, with the story behind it. Nothing else may happen to a job."""

ARRAY_TRANSITIONS: dict[tuple[JobState, JobState], str] = {
    (_S.WAITING, _S.RUNNING): "the last of its elements has begun",
    (_S.HELD, _S.RUNNING): "what was left of it was cancelled while it was on hold",
    (_S.RUNNING, _S.CANCELLED): "its last element has ended, and some were cancelled",
}
"""What beside those may happen to an array, which has no attempts itself: it goes by its elements."""

STATE_AFTER: dict[EndReason, JobState] = {
    reason: {
        EndReason.COMPLETED: _S.SUCCEEDED,
        EndReason.CANCELLED: _S.CANCELLED,
        EndReason.REQUEUED: _S.WAITING,
        EndReason.RESIZED: _S.WAITING,
        EndReason.NOT_STARTED: _S.WAITING,
    }.get(reason, _S.FAILED)
    for reason in EndReason
}
"""Where a job goes when its attempt ended for a reason and no retry is due. Total by construction."""

ACTIVE = frozenset({_S.STARTING, _S.RUNNING, _S.STOPPING})
"""States in which an attempt may hold resources."""

IN_QUEUE = frozenset({_S.WAITING, _S.HELD})
ENDED = frozenset({_S.SUCCEEDED, _S.FAILED, _S.CANCELLED})
GONE = ENDED | {_S.DELETED}
"""States that count as 'ended' for a successor."""

AREAS: dict[str, frozenset[JobState]] = {"waiting": IN_QUEUE, "running": ACTIVE, "history": ENDED}
"""The three areas in which people see jobs."""


class IllegalTransition(Exception):
    """A state change that the table does not know. Always a bug, never a user's mistake."""

    def __init__(self, job_id: int, before: JobState, after: JobState) -> None:
        super().__init__(f"job {label_of(job_id)}: {before} -> {after} is not in the table")


def check_transition(job_id: int, before: JobState, after: JobState, *, array: bool = False) -> None:
    edge = before, after
    if edge not in TRANSITIONS and not (array and edge in ARRAY_TRANSITIONS):
        raise IllegalTransition(job_id, before, after)


def area_of(state: JobState) -> str | None:
    """The area a job is shown in; a deleted job is in none."""
    return next((name for name, states in AREAS.items() if state in states), None)


RETRYABLE = frozenset(EndReason) - {
    EndReason.COMPLETED,
    EndReason.CANCELLED,
    EndReason.REQUEUED,
    EndReason.RESIZED,
    EndReason.NOT_STARTED,
    EndReason.ELEMENTS_FAILED,
}
"""Reasons that a job's retries may count."""

DEFAULT_RETRY_ON = RETRYABLE - {
    EndReason.OUT_OF_MEMORY,
    EndReason.TIME_LIMIT,
    EndReason.NO_ACCOUNT,
    EndReason.DIRECTORY_MISSING,
    EndReason.ENVIRONMENT_MISSING,
    EndReason.STAGE_MISSING,
    EndReason.STAGE_FORBIDDEN,
}
"""What is retried unless the job says otherwise: not what would fail the same way again."""
