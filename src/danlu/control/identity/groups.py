"""Groups as administrators make them and as their mentors and members see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.control.identity.group_book import GroupBook
from danlu.control.identity.rights import check_admin
from danlu.core.errors import Conflict, NotFound
from danlu.core.rights import LEADING_ROLES, is_mentor_of
from danlu.core.user import User, UserGroup
from danlu.store import groups as store
from danlu.store.engine.database import Database, Transaction
from danlu.store.users import change_user, get_user, list_users
from danlu.wire.people.groups import GroupEdit, NewGroup


@dataclass(frozen=True, slots=True)
class SeenGroup:
    """A group and who is in it; `led`: by the user who asks."""

    group: UserGroup
    members: tuple[User, ...]
    led: bool


@dataclass(frozen=True, slots=True)
class GroupService:
    database: Database
    book: GroupBook

    async def list(self, user: User) -> list[SeenGroup]:
        """All of them for administrators; for others those that they lead or are in."""

        def read(connection: Connection) -> list[SeenGroup]:
            users = list_users(connection)
            return [
                _seen(group, users, user)
                for group in store.list_groups(connection)
                if self.book.may_see(user, group.name)
            ]

        return await self.database.read(read)

    async def create(self, admin: User, new: NewGroup) -> SeenGroup:
        """For administrators. Raises Conflict, NotFound."""
        check_admin(admin)

        def write(tx: Transaction) -> SeenGroup:
            if store.get_group(tx.connection, new.name) is not None:
                raise Conflict("group_exists", field="name", name=new.name)
            _check_mentors(tx.connection, new.mentors)
            store.add_group(tx, new.name, new.description, new.mentors, admin.name)
            _put_into(tx, new.members, new.name, admin)
            return _look(tx.connection, new.name, admin)

        return await self.database.write(write)

    async def edit(self, admin: User, name: str, edit: GroupEdit) -> SeenGroup:
        """For administrators. Raises Conflict, NotFound."""
        check_admin(admin)

        def write(tx: Transaction) -> SeenGroup:
            group = _find(tx.connection, name)
            if edit.mentors is not None:
                _check_mentors(tx.connection, edit.mentors)
            if edit.mentors is not None or edit.description is not None:
                store.change_group(tx, group, admin.name, description=edit.description, mentors=edit.mentors)
            for member in edit.remove_members:
                if _find_user(tx.connection, member, "remove_members").group != name:
                    raise Conflict("not_in_group", field="remove_members", name=member, group=name)
            _put_into(tx, edit.remove_members, None, admin)
            _put_into(tx, edit.add_members, name, admin)
            return _look(tx.connection, name, admin)

        return await self.database.write(write)

    async def remove(self, admin: User, name: str) -> None:
        """For administrators. Its members are in none then. Raises NotFound."""
        check_admin(admin)
        await self.database.write(lambda tx: store.remove_group(tx, _find(tx.connection, name), admin.name))


def check_group(connection: Connection, name: str) -> None:
    """Whether a user may be put into it. Raises NotFound."""
    _find(connection, name)


def _find(connection: Connection, name: str) -> UserGroup:
    group = store.get_group(connection, name)
    if group is None:
        raise NotFound("no_such_group", name=name)
    return group


def _find_user(connection: Connection, name: str, field: str) -> User:
    user = get_user(connection, name)
    if user is None:
        raise NotFound("no_such_user", field=field, name=name)
    return user


def _check_mentors(connection: Connection, names: Iterable[str]) -> None:
    for name in names:
        if _find_user(connection, name, "mentors").role not in LEADING_ROLES:
            raise Conflict("not_a_mentor", field="mentors", name=name)


def _put_into(tx: Transaction, names: Iterable[str], group: str | None, admin: User) -> None:
    for name in names:
        if _find_user(tx.connection, name, "members").group != group:
            change_user(tx, name, admin.name, group_name=group)


def _look(connection: Connection, name: str, user: User) -> SeenGroup:
    return _seen(_find(connection, name), list_users(connection), user)


def _seen(group: UserGroup, users: Iterable[User], user: User) -> SeenGroup:
    members = tuple(each for each in users if each.group == group.name)
    return SeenGroup(group, members, is_mentor_of(user, group.mentors))
