"""Entries of the audit log as the API shows and exports them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from danlu.codec import encode
from danlu.core.audit import AuditEntry
from danlu.wire.audit import AuditRow
from danlu.wording.catalogue import Language, knows, say

COLUMNS = (
    "id",
    "at",
    "actor",
    "via",
    "address",
    "action",
    "target_kind",
    "target",
    "before",
    "after",
    "details",
)


def show_entry(entry: AuditEntry, language: Language) -> AuditRow:
    return AuditRow(
        id=entry.id,
        at=entry.at,
        actor=entry.actor,
        via=entry.via,
        address=entry.address,
        action=entry.action,
        title=title_of(entry.action, language),
        target_kind=entry.target_kind,
        target=entry.target,
        before=entry.before,
        after=entry.after,
        details=entry.details or {},
    )


def title_of(action: str, language: Language) -> str:
    """In words; the action itself where a newer version has written it."""
    return say(language, f"audit.{action}") if knows(f"audit.{action}") else action


def csv_heading() -> bytes:
    return _csv([COLUMNS])


def csv_lines(entries: Iterable[AuditEntry]) -> bytes:
    return _csv([[_cell(name, getattr(entry, name)) for name in COLUMNS] for entry in entries])


def json_lines(entries: Iterable[AuditEntry]) -> bytes:
    return b"".join(json.dumps(encode(entry), ensure_ascii=False).encode() + b"\n" for entry in entries)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name == "at":
        return datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds")
    return plain_cell(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def plain_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _csv(rows: Iterable[Iterable[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
