"""From a job and its allocation to the order its node gets."""

from __future__ import annotations

from danlu.control.calls import call_path, result_path
from danlu.control.outputs import log_path
from danlu.core.job import Job, Task
from danlu.core.task import Account, LaunchOrder, TaskKey
from danlu.settings import Settings


def make_order(job: Job, task: Task, account: Account | None, settings: Settings) -> LaunchOrder:
    own_log = log_path(settings.logs, job.id, job.attempt, task.rank)
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
        variables=job.spec.variables,
        stdout=task.stdout_path or None,
        stderr=task.stderr_path or None,
        log_path=own_log,
        time_limit_s=job.spec.time_limit_s,
        grace_s=job.spec.grace_s,
        kill_leftovers=settings.kill_leftovers,
        account=account,
        call_path=None if call is None else str(call_path(settings.calls, job.owner, call)),
        result_path=None if call is None else result_path(settings.results, job.id, job.attempt, task.rank),
    )
