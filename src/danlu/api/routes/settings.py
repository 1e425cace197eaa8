"""Settings that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import TheLanguage
from danlu.api.router import make_router
from danlu.api.views.setting_views import show_settings
from danlu.wire.settings import SettingRow, SettingsEdit, SettingsRow

router = make_router("server", "/settings")


@router.get("")
async def get_settings(_user: TheUser, control: TheControl) -> SettingsRow:
    return SettingsRow(**asdict(await control.lab_settings.read()))


@router.get("/described")
async def describe_settings(user: TheUser, control: TheControl, language: TheLanguage) -> list[SettingRow]:
    """Every setting with what it means, its bounds, its default, and who changed it last. For
    administrators."""
    current, changes = await control.lab_settings.read_with_changes(user)
    return show_settings(language, current, changes)


@router.patch("")
async def edit_settings(edit: SettingsEdit, user: TheUser, control: TheControl) -> SettingsRow:
    """Only what is given changes. For administrators."""
    return SettingsRow(**asdict(await control.lab_settings.edit(user, edit)))
