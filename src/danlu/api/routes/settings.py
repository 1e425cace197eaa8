"""Settings that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Query

from danlu.api.auth import TheControl, TheUser
from danlu.api.cursor import pack_cursor, unpack_cursor
from danlu.api.errors import TheLanguage
from danlu.api.router import make_router
from danlu.api.views.setting_views import show_setting_change, show_settings
from danlu.wire.settings import (
    SettingChangeRow,
    SettingRow,
    SettingsEdit,
    SettingsHistory,
    SettingsRow,
    SettingsUndo,
)

router = make_router("server", "/settings")

ORDER = "settings"


@router.get("")
async def get_settings(_user: TheUser, control: TheControl) -> SettingsRow:
    return SettingsRow(**asdict(await control.lab_settings.read()))


@router.get("/described")
async def describe_settings(user: TheUser, control: TheControl, language: TheLanguage) -> list[SettingRow]:
    """Every setting with what it means, its bounds, its default, and who changed it last. For
    administrators."""
    current, changes = await control.lab_settings.read_with_changes(user)
    return show_settings(language, current, changes)


@router.get("/history")
async def list_setting_changes(
    user: TheUser,
    control: TheControl,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> SettingsHistory:
    """What was changed of all settings, by whom, the newest first. For administrators."""
    place = unpack_cursor(ORDER, cursor)
    found = await control.lab_settings.history(user, limit + 1, int(place[0]) if place else None)
    page = found[:limit]
    return SettingsHistory(
        changes=[show_setting_change(change) for change in page],
        next=pack_cursor(ORDER, (page[-1].id,)) if len(found) > limit else None,
    )


@router.post("/undo")
async def undo_setting_change(wanted: SettingsUndo, user: TheUser, control: TheControl) -> SettingChangeRow:
    """Take a change of settings back. That is a change of its own, which can be undone. Refused where a
    setting was changed again since, unless `force` says so. For administrators."""
    return show_setting_change(await control.lab_settings.undo(user, wanted))


@router.patch("")
async def edit_settings(edit: SettingsEdit, user: TheUser, control: TheControl) -> SettingsRow:
    """Only what is given changes. For administrators."""
    return SettingsRow(**asdict(await control.lab_settings.edit(user, edit)))
