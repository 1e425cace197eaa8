"""What a job needs to begin and is not there: when that is a reason to refuse it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.core.errors import Invalid
from danlu.core.job import JobSpec, is_still_to_end
from danlu.store.jobs.job_rows import get_jobs
from danlu.wire.jobs import JobEdit, JobFields


@dataclass(frozen=True, slots=True)
class Missing:
    """`problems` are certain; `unchecked` is what could not be looked at: `directory`, `environment`,
    `program`."""

    problems: tuple[Invalid, ...] = ()
    unchecked: tuple[str, ...] = ()

    def among_changes(self, edit: JobEdit) -> Missing:
        """What of it lies in fields that an edit changes."""
        said = (name for name in JobFields.__slots__ if getattr(edit.set, name) is not None)
        changed = {*edit.clear, *said}
        return Missing(tuple(each for each in self.problems if each.field in changed), self.unchecked)


NOTHING = Missing()


def refuse_missing(connection: Connection, missing: Missing, spec: JobSpec, *, hold: bool) -> None:
    """Raises Invalid for what certainly is not there, unless there is time to make it: while the job is on
    hold, or waits for others, or for a node that is yet to join."""
    if not missing.problems or hold or spec.wait_for_hardware:
        return
    predecessors = get_jobs(connection, [each.job_id for each in spec.dependencies])
    if not any(is_still_to_end(job.state) for job in predecessors):
        raise missing.problems[0]
