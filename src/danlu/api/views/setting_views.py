"""Every setting of the lab as the page shows it, read off the dataclasses: a new one is there by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from annotated_types import Ge, Le

from danlu.core.audit import AuditEntry
from danlu.core.events import EventKind
from danlu.core.lab_settings import General, SettingChange
from danlu.wire.settings import SettingChangeRow, SettingKind, SettingRow, SettingsEdit
from danlu.wording.catalogue import Language, knows, say

KINDS: dict[type, SettingKind] = {bool: "switch", int: "number", str: "text"}


def show_settings(
    language: Language, current: General, changes: Mapping[str, SettingChange]
) -> list[SettingRow]:
    hints = get_type_hints(SettingsEdit, include_extras=True)
    rows = []
    defaults = General()
    for each in fields(General):
        bounds = _bounds_of(hints[each.name])
        change = changes.get(each.name)
        default = getattr(defaults, each.name)
        rows.append(
            SettingRow(
                name=each.name,
                kind=KINDS[type(default)],
                title=say(language, f"settings.{each.name}"),
                text=say(language, f"settings.{each.name}.text"),
                unit=_unit_of(language, each.name),
                value=getattr(current, each.name),
                default=default,
                least=bounds.get("least"),
                most=bounds.get("most"),
                changed_at=change.at if change else None,
                changed_by=change.by if change else None,
            )
        )
    return rows


def show_setting_change(entry: AuditEntry) -> SettingChangeRow:
    return SettingChangeRow(
        id=entry.id,
        at=entry.at,
        by=entry.actor,
        part="scheduling" if entry.action == EventKind.SCHEDULING_CHANGED else "general",
        before=entry.before or {},
        after=entry.after or {},
        undoes=(entry.details or {}).get("undoes"),
    )


def _bounds_of(hint: Any) -> dict[str, Any]:
    """Of `Annotated[int, Ge(1), Le(8)] | None`: least 1 and most 8."""
    bounds: dict[str, Any] = {}
    for part in (hint, *get_args(hint)):
        for rule in getattr(part, "__metadata__", ()):
            if isinstance(rule, Ge):
                bounds["least"] = rule.ge
            elif isinstance(rule, Le):
                bounds["most"] = rule.le
    return bounds


def _unit_of(language: Language, name: str) -> str:
    """Names end with their units, as `events_days` does."""
    ending = name.rpartition("_")[2]
    return say(language, f"settings.unit.{ending}") if knows(f"settings.unit.{ending}") else ""
