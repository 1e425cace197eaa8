"""From a job and its allocation to the order its node gets."""

from __future__ import annotations

from pathlib import PurePosixPath

from danlu.control.calls.call_files import call_path, result_path
from danlu.control.running.outputs import log_path
from danlu.core.job import Job, Task
from danlu.core.job_id import index_of, job_of
from danlu.core.task import Gang, LaunchOrder, Staging, TaskKey, UnixAccount
from danlu.settings import Settings


def make_order(
    job: Job,
    task: Task,
    account: UnixAccount,
    settings: Settings,
    gang: Gang | None = None,
    staging: Staging | None = None,
) -> LaunchOrder:
    own_log = log_path(settings.task_logs, job.id, job.attempt, task.rank)
    call = job.spec.call
    return LaunchOrder(
        key=TaskKey(job.id, job.attempt, task.rank),
        node=task.allocation.node,
        job_name=job.spec.name,
        user=job.owner,
        directory=job.spec.directory,
        command=job.spec.command,
        arguments=job.spec.arguments,
        environment=job.spec.environment,
        gpu_ids=task.allocation.gpu_ids,
        gpu_memory_mb=task.allocation.gpu_memory_mb,
        gpu_arg=job.spec.gpu_arg,
        nice=job.spec.nice,
        variables=job.spec.variables,
        stdout=task.stdout_path or None,
        stderr=task.stderr_path or None,
        log_path=own_log,
        time_limit_s=job.spec.time_limit_s,
        grace_s=job.spec.grace_s,
        kill_leftovers=settings.kill_leftovers,
        account=account,
        gang=gang,
        leased=task.leased,
        begun_at=task.begun_at,
        checkpoint_dir=checkpoint_dir(job),
        staging=staging,
        call_path=None if call is None else str(call_path(settings.task_calls, job.owner, call)),
        result_path=None
        if call is None
        else result_path(settings.task_results, job.id, job.attempt, task.rank),
    )


def checkpoint_dir(job: Job) -> str | None:
    """The same for all attempts of a job, and below its own folder: wherever that is seen, this is too."""
    if not job.spec.directory:
        return None
    index = index_of(job.id)
    name = str(job_of(job.id)) if index is None else f"{job_of(job.id)}-{index}"
    return str(PurePosixPath(job.spec.directory) / ".danlu" / "checkpoints" / name)
