"""Users, for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from danlu.api.auth import TheAccess, TheControl, TheIdentity, TheUser
from danlu.api.router import make_router
from danlu.api.views.user_views import show_user
from danlu.control.control import Control
from danlu.control.identity.users import SeenUser, UserService
from danlu.wire.accounts import NewUser, UserEdit, UserRow
from danlu.wire.fields import UserName

router = make_router("users", "/users")


async def get_users(control: TheControl, access: TheAccess) -> UserService:
    return UserService(control.database, control.accounts, access)


TheUsers = Annotated[UserService, Depends(get_users)]


@router.get("")
async def list_all_users(user: TheUser, control: TheControl, users: TheUsers) -> list[UserRow]:
    return [_show(each, control) for each in await users.list(user)]


@router.post("", status_code=201)
async def create_user(new: NewUser, user: TheUser, control: TheControl, users: TheUsers) -> UserRow:
    """A new user, who must change the given password before anything else works."""
    return _show(await users.create(user, new), control)


@router.patch("/{name}")
async def edit_user(
    name: UserName,
    edit: UserEdit,
    _user: TheUser,
    identity: TheIdentity,
    control: TheControl,
    users: TheUsers,
) -> UserRow:
    """Change role, priority, lock, password or Unix account. Locking ends sessions and tokens, and holds what
    waits: it goes on waiting until the lock is lifted. What runs goes on."""
    return _show(await users.edit(identity, name, edit), control)


def _show(seen: SeenUser, control: Control) -> UserRow:
    return show_user(seen.user, control.job_counts.areas({seen.user.name}), seen.seen_at)
