"""Users, for administrators."""

from __future__ import annotations

import math
from typing import Any

from danlu.api.auth import TheAccess, TheControl, TheIdentity, TheUser
from danlu.api.router import make_router
from danlu.api.views.views import show_user
from danlu.control.control import Control
from danlu.control.identity.access import Access
from danlu.control.jobs.job_service import check_admin
from danlu.core.errors import Conflict, Forbidden, NotFound
from danlu.core.user import Role, User
from danlu.store.engine.database import Transaction
from danlu.store.users import (
    add_user,
    change_user,
    count_admins,
    end_all_access,
    get_user,
    last_token_uses,
    list_users,
)
from danlu.wire.accounts import NewUser, UserEdit, UserRow
from danlu.wire.fields import UserName

router = make_router("users", "/users")

COLUMNS = ("role", "priority", "locked", "unix_account")


@router.get("")
async def list_all_users(user: TheUser, control: TheControl, access: TheAccess) -> list[UserRow]:
    check_admin(user)
    users, uses = await control.database.read(lambda c: (list_users(c), last_token_uses(c)))
    return [_show(each, control, access, uses.get(each.name)) for each in users]


@router.post("", status_code=201)
async def create_user(new: NewUser, user: TheUser, control: TheControl, access: TheAccess) -> UserRow:
    """A new user, who must change the given password before anything else works."""
    check_admin(user)
    if new.unix_account is not None:
        control.accounts.check_mapping(new.unix_account)
    password_hash = await access.hash_password(new.password)

    def write(tx: Transaction) -> User:
        if get_user(tx.connection, new.name) is not None:
            raise Conflict("user_exists", field="name", name=new.name)
        return add_user(
            tx,
            new.name,
            Role(new.role),
            password_hash=password_hash,
            must_change_password=True,
            unix_account=new.unix_account,
            actor=user.name,
        )

    return _show(await control.database.write(write), control, access)


@router.patch("/{name}")
async def edit_user(
    name: UserName,
    edit: UserEdit,
    user: TheUser,
    identity: TheIdentity,
    control: TheControl,
    access: TheAccess,
) -> UserRow:
    """Change role, priority, lock, password or Unix account. Locking ends sessions and tokens, and holds what
    waits: it goes on waiting until the lock is lifted. What runs goes on."""
    check_admin(user)
    if edit.password is not None and name == user.name and identity.ceiling < math.inf:
        raise Forbidden("password_outlives_token")
    if edit.unix_account is not None:
        control.accounts.check_mapping(edit.unix_account)

    def write(tx: Transaction) -> User:
        before = _find(get_user(tx.connection, name), name)
        columns: dict[str, Any] = dict.fromkeys(edit.clear)
        columns |= {name: value for name in COLUMNS if (value := getattr(edit, name)) is not None}
        if columns:
            change_user(tx, name, user.name, **columns)
        if before.is_admin and count_admins(tx.connection) == 0:
            raise Conflict("last_admin", name=name)
        if edit.locked:
            end_all_access(tx, name)
        return _find(get_user(tx.connection, name), name)

    changed = await control.database.write(write)
    if edit.password is not None:
        await access.set_password(changed, edit.password, by=user)
    access.forget_cached()
    return _show(changed, control, access)


def _show(user: User, control: Control, access: Access, token_used_at: float | None = None) -> UserRow:
    times = [at for at in (access.seen.get(user.name), token_used_at) if at is not None]
    return show_user(user, control.job_counts.areas(user.name), max(times, default=None))


def _find(user: User | None, name: str) -> User:
    if user is None:
        raise NotFound("no_such_user", name=name)
    return user
