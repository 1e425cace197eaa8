"""Who may do what. The one place that says it; whose group is led by whom is an argument.

| | owner | a mentor of the owner's group | admin | viewer | others |
|---|---|---|---|---|---|
| see that a job is there | yes | yes | yes | yes | yes |
| read its commands, variables, logs, files | yes | yes | yes | their own | no |
| cancel, hold, release it | yes | yes | yes | no | no |
| edit, resubmit, delete it | yes | no | yes | no | no |
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from danlu.core.user import Role, User

LEADING_ROLES = frozenset({Role.MENTOR, Role.ADMIN})
"""Who may lead a group."""


class JobAct(StrEnum):
    """What a user wants with a job."""

    READ = "read"
    STOP = "stop"
    """Cancel, hold, release."""
    CHANGE = "change"
    """Edit, resubmit, delete."""


def may_administer(user: User) -> bool:
    return user.role is Role.ADMIN


def may_submit(user: User) -> bool:
    """Viewers only look."""
    return user.role is not Role.VIEWER


def is_mentor_of(user: User, mentors: Collection[str]) -> bool:
    """Whether the user leads the group that these mentors lead."""
    return user.role in LEADING_ROLES and user.name in mentors


def may_read_job(user: User, owner: str, mentors: Collection[str]) -> bool:
    """`mentors` are those of the owner's group."""
    return may_administer(user) or user.name == owner or is_mentor_of(user, mentors)


def may_stop_job(user: User, owner: str, mentors: Collection[str]) -> bool:
    return may_submit(user) and may_read_job(user, owner, mentors)


def may_change_job(user: User, owner: str) -> bool:
    return may_administer(user) or (may_submit(user) and user.name == owner)


def may_act_on_job(user: User, act: JobAct, owner: str, mentors: Collection[str]) -> bool:
    match act:
        case JobAct.READ:
            return may_read_job(user, owner, mentors)
        case JobAct.STOP:
            return may_stop_job(user, owner, mentors)
        case JobAct.CHANGE:
            return may_change_job(user, owner)
