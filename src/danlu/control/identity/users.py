"""Users as administrators handle them: who there is, new ones, changes of role, lock and account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.control.identity.access import Access, Identity
from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.groups import check_group
from danlu.control.identity.rights import check_admin
from danlu.core.errors import Conflict, Forbidden, NotFound
from danlu.core.rights import LEADING_ROLES
from danlu.core.user import Role, User
from danlu.store import users as store
from danlu.store.engine.database import Database, Transaction
from danlu.store.groups import lead_no_groups
from danlu.wire.accounts import NewUser, UserEdit

COLUMNS = {
    "role": "role",
    "priority": "priority",
    "locked": "locked",
    "unix_account": "unix_account",
    "group": "group_name",
    "full_name": "full_name",
    "student_id": "student_id",
    "email": "email",
    "language": "language",
}
"""The column of each field."""
PROFILE = ("full_name", "student_id", "email", "language")


@dataclass(frozen=True, slots=True)
class SeenUser:
    """A user, and when they last asked for anything."""

    user: User
    seen_at: float | None


@dataclass(frozen=True, slots=True)
class UserService:
    database: Database
    accounts: AccountBook
    access: Access

    async def list(self, admin: User) -> list[SeenUser]:
        check_admin(admin)
        users, uses = await self.database.read(lambda c: (store.list_users(c), store.last_token_uses(c)))
        return [self._seen(each, uses.get(each.name)) for each in users]

    async def create(self, admin: User, new: NewUser) -> SeenUser:
        """A new user, who must change the given password before anything else works."""
        check_admin(admin)
        if new.unix_account is not None:
            self.accounts.check_mapping(new.unix_account)
        password_hash = await self.access.hash_password(new.password)

        def write(tx: Transaction) -> User:
            if store.get_user(tx.connection, new.name) is not None:
                raise Conflict("user_exists", field="name", name=new.name)
            if new.group is not None:
                check_group(tx.connection, new.group)
            return store.add_user(
                tx,
                new.name,
                Role(new.role),
                password_hash=password_hash,
                must_change_password=True,
                unix_account=new.unix_account,
                actor=admin.name,
                group_name=new.group,
                **{name: getattr(new, name) for name in PROFILE},
            )

        return self._seen(await self.database.write(write))

    async def edit(self, admin: Identity, name: str, edit: UserEdit) -> SeenUser:
        """Change a user. Locking ends sessions and tokens; a last administrator stays one."""
        check_admin(admin.user)
        actor = admin.user.name
        if edit.password is not None and name == actor and admin.is_limited:
            raise Forbidden("password_outlives_token")
        if edit.unix_account is not None:
            self.accounts.check_mapping(edit.unix_account)

        def write(tx: Transaction) -> User:
            before = _find(tx, name)
            columns: dict[str, Any] = dict.fromkeys(COLUMNS[each] for each in edit.clear)
            columns |= {
                column: value
                for each, column in COLUMNS.items()
                if (value := getattr(edit, each)) is not None
            }
            if edit.group is not None:
                check_group(tx.connection, edit.group)
            if columns:
                store.change_user(tx, name, actor, **columns)
            if edit.role is not None and Role(edit.role) not in LEADING_ROLES:
                lead_no_groups(tx, name, actor)
            if before.is_admin and store.count_admins(tx.connection) == 0:
                raise Conflict("last_admin", name=name)
            if edit.locked:
                store.end_all_access(tx, name)
            return _find(tx, name)

        changed = await self.database.write(write)
        if edit.password is not None:
            await self.access.set_password(changed, edit.password, by=admin.user)
        self.access.forget_cached()
        return self._seen(changed)

    def _seen(self, user: User, token_used_at: float | None = None) -> SeenUser:
        times = [at for at in (self.access.seen.get(user.name), token_used_at) if at is not None]
        return SeenUser(user, max(times, default=None))


def _find(tx: Transaction, name: str) -> User:
    user = store.get_user(tx.connection, name)
    if user is None:
        raise NotFound("no_such_user", name=name)
    return user
