"""Groups of users and who leads them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from danlu.core.events import EventKind
from danlu.core.user import UserGroup
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_G = schema.groups.c
_M = schema.group_mentors.c
_U = schema.users.c

_MENTORS_OF = (
    select(_M.user_name)
    .join_from(schema.group_mentors, schema.users, _U.group_name == _M.group_name)
    .where(_U.name == bindparam("owner"))
)


def list_groups(connection: Connection) -> list[UserGroup]:
    mentors: dict[str, list[str]] = {}
    for row in connection.execute(select(schema.group_mentors).order_by(_M.user_name)):
        mentors.setdefault(row.group_name, []).append(row.user_name)
    return [
        UserGroup(row.name, row.created_at, row.description, tuple(mentors.get(row.name, ())))
        for row in connection.execute(select(schema.groups).order_by(_G.name))
    ]


def get_group(connection: Connection, name: str) -> UserGroup | None:
    return next((group for group in list_groups(connection) if group.name == name), None)


def mentors_of(connection: Connection, owner: str) -> frozenset[str]:
    """Who leads the group that a user is in."""
    return frozenset(connection.execute(_MENTORS_OF, {"owner": owner}).scalars())


def groups_of_users(connection: Connection) -> dict[str, str]:
    """The group of each user who is in one."""
    in_one = select(_U.name, _U.group_name).where(_U.group_name.is_not(None))
    return {row.name: row.group_name for row in connection.execute(in_one)}


def add_group(tx: Transaction, name: str, description: str, mentors: Iterable[str], actor: str) -> None:
    tx.connection.execute(insert(schema.groups).values(name=name, description=description, created_at=tx.now))
    _set_mentors(tx, name, mentors)
    _tell(tx, name, "added", actor, before=None)


def change_group(
    tx: Transaction,
    before: UserGroup,
    actor: str,
    *,
    description: str | None = None,
    mentors: Iterable[str] | None = None,
) -> None:
    """Only what is given changes."""
    if description is not None:
        which = update(schema.groups).where(_G.name == before.name)
        tx.connection.execute(which.values(description=description))
    if mentors is not None:
        _set_mentors(tx, before.name, mentors)
    _tell(tx, before.name, "changed", actor, before=before)


def remove_group(tx: Transaction, group: UserGroup, actor: str) -> None:
    """Its members are in none then."""
    tx.connection.execute(update(schema.users).where(_U.group_name == group.name).values(group_name=None))
    tx.connection.execute(delete(schema.group_mentors).where(_M.group_name == group.name))
    tx.connection.execute(delete(schema.groups).where(_G.name == group.name))
    _tell(tx, group.name, "removed", actor, before=group)


def lead_no_groups(tx: Transaction, user: str, actor: str) -> None:
    """A user who may lead none any more."""
    for group in list_groups(tx.connection):
        if user in group.mentors:
            change_group(tx, group, actor, mentors=[each for each in group.mentors if each != user])


def _set_mentors(tx: Transaction, name: str, mentors: Iterable[str]) -> None:
    tx.connection.execute(delete(schema.group_mentors).where(_M.group_name == name))
    for user in sorted(set(mentors)):
        tx.connection.execute(insert(schema.group_mentors).values(group_name=name, user_name=user))


def _tell(tx: Transaction, name: str, change: str, actor: str, before: UserGroup | None) -> None:
    after = get_group(tx.connection, name)
    tx.record(
        EventKind.GROUP_CHANGED,
        actor=actor,
        group=name,
        change=change,
        before=_facts(before),
        after=_facts(after),
    )


def _facts(group: UserGroup | None) -> dict[str, object] | None:
    return {"description": group.description, "mentors": list(group.mentors)} if group else None
