"""What the doctor found on nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import select, update

from danlu.core.events import EventKind
from danlu.core.node import Finding
from danlu.store import schema
from danlu.store.database import Transaction

_N = schema.nodes.c


def save_findings(tx: Transaction, node: str, findings: Sequence[Finding]) -> None:
    """Keep them with the node. What only trembles (how much is free) is no news for anybody who watches."""
    before = tx.connection.execute(select(_N.findings).where(_N.name == node)).scalar_one_or_none()
    if before is None:
        return
    rows = [asdict(finding) for finding in findings]
    if rows == before:
        return
    tx.connection.execute(update(schema.nodes).where(_N.name == node).values(findings=rows))
    if _verdicts(rows) != _verdicts(before):
        tx.record(EventKind.NODE_CHANGED, node=node)


def _verdicts(rows: Sequence[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["check"], row["code"]) for row in rows]
