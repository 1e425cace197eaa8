"""What a job is held to while it runs: what it asked for itself, unless an admin has switched that off."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from danlu.core.job import JobSpec
from danlu.store.settings import read_general


class TaskLimits(NamedTuple):
    """For each task of a job; 0: none."""

    cpus: int = 0
    memory_mb: int = 0


NO_LIMITS = TaskLimits()


def find_limits(connection: Connection, spec: JobSpec) -> TaskLimits:
    """A job that names no CPUs counts one, or none, for the scheduler, and may use what is there."""
    if not spec.cpus and not spec.memory_mb:
        return NO_LIMITS
    general = read_general(connection)
    return TaskLimits(
        (spec.cpus or 0) if general.limit_cpus else 0,
        (spec.memory_mb or 0) if general.limit_memory else 0,
    )
