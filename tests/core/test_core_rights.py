"""Who may do what with whose jobs: the whole table."""

from __future__ import annotations

import pytest

from danlu.core.rights import JobAct, may_act_on_job
from danlu.core.user import Role, User

R, S, C = JobAct.READ, JobAct.STOP, JobAct.CHANGE
ALL = {R, S, C}


def a_user(name: str, role: Role) -> User:
    return User(name, role, created_at=0.0)


@pytest.mark.parametrize(
    ("who", "role", "acts"),
    [
        ("ann", Role.MEMBER, ALL),
        ("ann", Role.MENTOR, ALL),
        ("ann", Role.VIEWER, {R}),
        ("prof", Role.MENTOR, {R, S}),
        ("prof", Role.ADMIN, ALL),
        ("prof", Role.MEMBER, set()),
        ("prof", Role.VIEWER, set()),
        ("bo", Role.MEMBER, set()),
        ("bo", Role.MENTOR, set()),
        ("bo", Role.VIEWER, set()),
        ("bo", Role.ADMIN, ALL),
    ],
)
def test_what_each_may_do_with_a_job_of_ann_whom_prof_leads(who: str, role: Role, acts: set[JobAct]) -> None:
    user = a_user(who, role)
    assert {act for act in JobAct if may_act_on_job(user, act, "ann", {"prof"})} == acts


def test_without_a_group_nobody_is_a_mentor() -> None:
    assert not may_act_on_job(a_user("prof", Role.MENTOR), R, "ann", ())
