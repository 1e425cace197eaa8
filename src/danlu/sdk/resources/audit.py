"""The audit log: who did what, from where. For administrators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from danlu.wire.audit import AuditFormat, AuditPage, AuditRow

if TYPE_CHECKING:
    from danlu.sdk.api import Api, Query


class Audit:
    def __init__(self, api: Api) -> None:
        self._api = api

    def list(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        since: float | None = None,
        until: float | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> AuditPage:
        """One page, the newest entries first; its `next` is the cursor of the following one. `action` is a
        whole action (`user.changed`) or its first word, `target` a job's number, a node, a user, … or the
        kind of it."""
        query = _query(actor, action, target, since, until)
        return self._api.get(AuditPage, "/audit", {**query, "limit": limit, "cursor": cursor})

    def iterate(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> Iterator[AuditRow]:
        """All entries that are meant, the newest first."""
        cursor: str | None = None
        while True:
            page = self.list(
                actor=actor,
                action=action,
                target=target,
                since=since,
                until=until,
                limit=500,
                cursor=cursor,
            )
            yield from page.entries
            if (cursor := page.next) is None:
                return

    def export(
        self,
        format: AuditFormat = "csv",
        *,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> Iterator[bytes]:
        """All entries that are meant as a table, or as one JSON value a line, as they come."""
        query = {**_query(actor, action, target, since, until), "format": format}
        said = urlencode({name: value for name, value in query.items() if value is not None})
        return self._api.download("GET", f"/audit/export?{said}")


def _query(
    actor: str | None, action: str | None, target: str | None, since: float | None, until: float | None
) -> Query:
    moments = {"since": since, "until": until}
    said = {name: None if at is None else repr(at) for name, at in moments.items()}
    return {"actor": actor, "action": action, "target": target, **said}
