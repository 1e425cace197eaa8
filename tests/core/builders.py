"""Jobs and ends of tasks in one line each."""

from __future__ import annotations

import os
from typing import Any

from danlu.core.job import Job, JobSpec, StopIntent
from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding

NOW = 1_000.0


def a_running_job(*, retries: int = 0, used: int = 0, stopping: StopIntent | None = None, **spec: Any) -> Job:
    state = JobState.RUNNING if stopping is None else JobState.STOPPING
    return Job(
        id=7,
        owner="ann",
        spec=JobSpec(command="train", retries=retries, **spec),
        state=state,
        version=3,
        position=7.0,
        submitted_at=0.0,
        attempt=1,
        retries_used=used,
        stop_intent=stopping,
    )


def exited(code: int) -> TaskEnd:
    return TaskEnd(TaskEnding.EXITED, NOW, wait_status=code << 8)


def killed_by(signal: int) -> TaskEnd:
    status = signal
    assert os.WIFSIGNALED(status)
    return TaskEnd(TaskEnding.EXITED, NOW, wait_status=status)


def ended(ending: TaskEnding, **facts: Any) -> TaskEnd:
    return TaskEnd(ending, NOW, **facts)
