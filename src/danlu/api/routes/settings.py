"""Settings that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter

from danlu.api.auth import TheControl, TheUser
from danlu.control.jobs import check_admin
from danlu.store.settings import change_general, read_general
from danlu.wire.settings import SettingsEdit, SettingsRow

router = APIRouter(prefix="/settings", tags=["server"])


@router.get("")
async def get_settings(_user: TheUser, control: TheControl) -> SettingsRow:
    return SettingsRow(**asdict(await control.database.read(read_general)))


@router.patch("")
async def edit_settings(edit: SettingsEdit, user: TheUser, control: TheControl) -> SettingsRow:
    """Only what is given changes. For administrators."""
    check_admin(user)
    after = await control.database.write(
        lambda tx: change_general(tx, user.name, server_log_for_members=edit.server_log_for_members)
    )
    return SettingsRow(**asdict(after))
