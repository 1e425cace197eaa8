"""Settings that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict

from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.control.jobs import check_admin
from danlu.control.staging import check_stage_folder
from danlu.store.settings import change_general, read_general
from danlu.wire.settings import SettingsEdit, SettingsRow

router = make_router("server", "/settings")


@router.get("")
async def get_settings(_user: TheUser, control: TheControl) -> SettingsRow:
    return SettingsRow(**asdict(await control.database.read(read_general)))


@router.patch("")
async def edit_settings(edit: SettingsEdit, user: TheUser, control: TheControl) -> SettingsRow:
    """Only what is given changes. For administrators."""
    check_admin(user)
    check_stage_folder(edit.stage_folder)
    after = await control.database.write(lambda tx: change_general(tx, user.name, **asdict(edit)))
    return SettingsRow(**asdict(after))
