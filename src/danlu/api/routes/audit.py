"""The audit log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from danlu.api.auth import TheControl, TheUser
from danlu.api.cursor import pack_cursor, unpack_cursor
from danlu.api.errors import TheLanguage
from danlu.api.query_models import from_query
from danlu.api.router import make_router
from danlu.api.views.audit_views import csv_heading, csv_lines, json_lines, show_entry, title_of
from danlu.control.control import Control
from danlu.control.identity.rights import check_admin
from danlu.core.user import User
from danlu.wire.audit import AuditActionRow, AuditFormat, AuditPage, AuditQuery

router = make_router("audit", "/audit")

ORDER = "audit"
TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
TheQuery = Annotated[AuditQuery, Depends(from_query(AuditQuery))]


@router.get("")
async def list_audit_entries(
    query: TheQuery,
    user: TheUser,
    control: TheControl,
    language: TheLanguage,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> AuditPage:
    """Who did what, from where, the newest first. For administrators."""
    place = unpack_cursor(ORDER, cursor)
    before_id = int(place[0]) if place else None
    found = await control.audit_log.read(user, query, limit + 1, before_id)
    page = found[:limit]
    return AuditPage(
        entries=[show_entry(entry, language) for entry in page],
        next=pack_cursor(ORDER, (page[-1].id,)) if len(found) > limit else None,
    )


@router.get("/actions")
async def list_audit_actions(
    user: TheUser, control: TheControl, language: TheLanguage
) -> list[AuditActionRow]:
    """The actions that there are entries of. For administrators."""
    found = await control.audit_log.actions(user)
    return [AuditActionRow(action=action, title=title_of(action, language)) for action in found]


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {each: {} for each in ("text/csv", "application/x-ndjson")}}},
)
async def export_audit_entries(
    query: TheQuery, user: TheUser, control: TheControl, format: AuditFormat = "csv"
) -> StreamingResponse:
    """All entries as a table (CSV), or as one JSON value a line. For administrators."""
    check_admin(user)
    name = {"Content-Disposition": f'attachment; filename="danlu-audit.{format}"'}
    return StreamingResponse(_lines(control, user, query, format), media_type=TYPES[format], headers=name)


async def _lines(
    control: Control, user: User, query: AuditQuery, wanted: AuditFormat
) -> AsyncIterator[bytes]:
    if wanted == "csv":
        yield csv_heading()
    async for piece in control.audit_log.walk(user, query):
        yield csv_lines(piece) if wanted == "csv" else json_lines(piece)
