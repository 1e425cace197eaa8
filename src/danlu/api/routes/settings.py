"""Settings that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import TheLanguage
from danlu.api.router import make_router
from danlu.api.views.setting_views import show_settings
from danlu.control.jobs.job_service import check_admin
from danlu.control.running.staging import check_stage_folder
from danlu.store.settings import change_general, read_changes, read_general
from danlu.wire.settings import SettingRow, SettingsEdit, SettingsRow

router = make_router("server", "/settings")


@router.get("")
async def get_settings(_user: TheUser, control: TheControl) -> SettingsRow:
    return SettingsRow(**asdict(await control.database.read(read_general)))


@router.get("/described")
async def describe_settings(user: TheUser, control: TheControl, language: TheLanguage) -> list[SettingRow]:
    """Every setting with what it means, its bounds, its default, and who changed it last. For
    administrators."""
    check_admin(user)
    current, changes = await control.database.read(lambda c: (read_general(c), read_changes(c)))
    return show_settings(language, current, changes)


@router.patch("")
async def edit_settings(edit: SettingsEdit, user: TheUser, control: TheControl) -> SettingsRow:
    """Only what is given changes. For administrators."""
    check_admin(user)
    check_stage_folder(edit.stage_folder)
    after = await control.database.write(lambda tx: change_general(tx, user.name, **asdict(edit)))
    return SettingsRow(**asdict(after))
