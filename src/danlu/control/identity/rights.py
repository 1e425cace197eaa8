"""What a user may do, and with which jobs."""

from __future__ import annotations

from sqlalchemy import Connection

from danlu.core.errors import Conflict, Forbidden, NotFound
from danlu.core.job import Job
from danlu.core.job_id import is_element, job_of, label_of
from danlu.core.user import Role, User, may_touch
from danlu.store.jobs.job_rows import get_job
from danlu.store.users import get_user


def check_admin(user: User) -> None:
    if not user.is_admin:
        raise Forbidden("admin_only")


def check_may_submit(user: User) -> None:
    if user.role is Role.VIEWER:
        raise Forbidden("viewers_only_look")


def find_visible_job(connection: Connection, job_id: int) -> Job:
    """The job; every user may see that it exists. Raises NotFound."""
    job = get_job(connection, job_id)
    if job is None:
        raise NotFound("no_such_job", job=label_of(job_id))
    return job


def find_job(connection: Connection, user: User, job_id: int, *, whole: bool = False) -> Job:
    """The job, if the user may do something with it. Raises NotFound or Forbidden.

    What concerns a `whole` job is refused for a single element of an array.
    """
    job = find_visible_job(connection, job_id)
    if user.role is Role.VIEWER or not is_theirs(connection, user, job):
        raise Forbidden("not_yours", job=label_of(job_id), owner=job.owner)
    if whole and is_element(job_id):
        raise concerns_array(job_id)
    return job


def is_theirs(connection: Connection, user: User, job: Job) -> bool:
    """Whether the content of a job is this user's to see: its owner, the owner's mentor, an admin."""
    owner = get_user(connection, job.owner)
    return may_touch(user, job.owner, owner.mentor if owner else None)


def concerns_array(job_id: int) -> Conflict:
    return Conflict("element_of_array", job=label_of(job_id), array=job_of(job_id))
