"""From a job and its allocation to the order its node gets: the one place where orders are made."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from danlu.control.calls.call_files import call_path, result_path
from danlu.control.identity.accounts import AccountBook
from danlu.control.running.gangs import gang_of
from danlu.control.running.limits import NO_LIMITS, TaskLimits, find_limits
from danlu.control.running.outputs import log_path
from danlu.control.running.staging import find_staging
from danlu.core.ending import judge_end
from danlu.core.errors import Invalid
from danlu.core.job import Job, Task
from danlu.core.job_id import index_of, job_of, label_of
from danlu.core.states import EndReason
from danlu.core.task import Gang, LaunchOrder, Staging, TaskEnd, TaskEnding, TaskKey, UnixAccount
from danlu.settings import Settings
from danlu.store.engine.database import Transaction
from danlu.store.jobs.attempts import AttemptEnd, end_attempts
from danlu.store.users import get_user

log = logging.getLogger(__name__)

Equip = Callable[[LaunchOrder], LaunchOrder]
"""Adds to an order what its task alone may know, and what its node has to keep to."""


class Orders:
    """Makes orders whole: with the account to run as, the gang, what is staged, and all that `equip` adds."""

    def __init__(self, accounts: AccountBook, settings: Settings, equip: Equip) -> None:
        self._accounts = accounts
        self._settings = settings
        self._equip = equip

    def find_account(self, tx: Transaction, owner: str) -> UnixAccount | Invalid:
        """Whom to run the jobs of an owner as, or why there is no account."""
        user = get_user(tx.connection, owner)
        if user is None:
            return Invalid("no_such_user", name=owner)
        try:
            return self._accounts.account_for(user)
        except Invalid as problem:
            return problem

    def make(
        self, tx: Transaction, job: Job, tasks: Sequence[Task], account: UnixAccount | Invalid | None = None
    ) -> list[LaunchOrder]:
        """The orders of those tasks of the job's attempt that have yet to start. Without an account to run as
        the attempt ends instead."""
        account = account or self.find_account(tx, job.owner)
        if isinstance(account, Invalid):
            log.warning("job %s has no account to run as", label_of(job.id))
            _refuse(tx, job, account)
            return []
        gang, staging = gang_of(job, tasks), find_staging(tx.connection, job.spec)
        limits = find_limits(tx.connection, job.spec)
        return [
            self._equip(make_order(job, task, account, self._settings, gang, staging, limits))
            for task in tasks
            if task.started_at is None and task.end is None
        ]


def _refuse(tx: Transaction, job: Job, problem: Invalid) -> None:
    """The attempt ends before it began."""
    end = TaskEnd(
        TaskEnding.SETUP_FAILED,
        tx.now,
        problem=EndReason.NO_ACCOUNT.value,
        detail=problem.fact("account") or job.owner,
    )
    end_attempts(tx, [AttemptEnd(job, judge_end(job, end, tx.now), tx.now)])


def make_order(
    job: Job,
    task: Task,
    account: UnixAccount,
    settings: Settings,
    gang: Gang | None = None,
    staging: Staging | None = None,
    limits: TaskLimits = NO_LIMITS,
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
        cpus=limits.cpus,
        memory_mb=limits.memory_mb,
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
