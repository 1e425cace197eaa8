"""Whether a user may do something with a job that is in the store; `core/rights.py` says who may."""

from __future__ import annotations

from sqlalchemy import Connection

from danlu.core.errors import Conflict, Forbidden, NotFound
from danlu.core.job import Job
from danlu.core.job_id import is_element, job_of, label_of
from danlu.core.rights import JobAct, may_act_on_job, may_administer, may_submit
from danlu.core.user import User
from danlu.store.groups import mentors_of
from danlu.store.jobs.job_rows import get_job


def check_admin(user: User) -> None:
    if not may_administer(user):
        raise Forbidden("admin_only")


def check_may_submit(user: User) -> None:
    if not may_submit(user):
        raise Forbidden("viewers_only_look")


def find_visible_job(connection: Connection, job_id: int) -> Job:
    """The job; every user may see that it exists. Raises NotFound."""
    job = get_job(connection, job_id)
    if job is None:
        raise NotFound("no_such_job", job=label_of(job_id))
    return job


def find_job(connection: Connection, user: User, job_id: int, act: JobAct, *, whole: bool = False) -> Job:
    """The job, if the user may do that with it. Raises NotFound or Forbidden.

    What concerns a `whole` job is refused for a single element of an array.
    """
    job = find_visible_job(connection, job_id)
    mentors = mentors_of(connection, job.owner)
    if not may_act_on_job(user, act, job.owner, mentors):
        if may_act_on_job(user, JobAct.STOP, job.owner, mentors):
            raise Forbidden("mentors_only_stop", job=label_of(job_id), owner=job.owner)
        raise Forbidden("not_yours", job=label_of(job_id), owner=job.owner)
    if whole and is_element(job_id):
        raise concerns_array(job_id)
    return job


def acts_on(connection: Connection, user: User, job: Job) -> frozenset[JobAct]:
    """What the user may do with a job."""
    mentors = mentors_of(connection, job.owner)
    return frozenset(act for act in JobAct if may_act_on_job(user, act, job.owner, mentors))


def concerns_array(job_id: int) -> Conflict:
    return Conflict("element_of_array", job=label_of(job_id), array=job_of(job_id))
