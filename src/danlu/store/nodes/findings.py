"""What the doctor found on nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import update

from danlu.codec import encode
from danlu.core.events import EventKind
from danlu.core.nodes.doctor import find_unfit
from danlu.core.nodes.node import Finding
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.nodes.node_rows import get_node

_N = schema.nodes.c


def save_findings(tx: Transaction, node: str, findings: Sequence[Finding]) -> None:
    """Keep them with the node, which goes out of service by them, or comes back. What only trembles (how much
    is free) is no news for listeners."""
    before = get_node(tx.connection, node)
    if before is None or tuple(findings) == before.findings:
        return
    rows = [encode(finding) for finding in findings]
    tx.connection.execute(update(schema.nodes).where(_N.name == node).values(findings=rows))
    was, now = find_unfit(before), find_unfit(replace(before, findings=tuple(findings)))
    if bool(was) != bool(now):
        kind = EventKind.NODE_OUT_OF_SERVICE if now else EventKind.NODE_IN_SERVICE
        tx.record(kind, node=node, checks=[finding.check for finding in now or was])
    elif _verdicts(findings) != _verdicts(before.findings):
        tx.record(EventKind.NODE_CHANGED, node=node)


def add_finding(tx: Transaction, node: str, finding: Finding) -> None:
    """Something else is known now than the doctor has found, who is to come soon."""
    before = get_node(tx.connection, node)
    if before is not None:
        others = [each for each in before.findings if each.check != finding.check]
        save_findings(tx, node, [*others, finding])


def _verdicts(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.check, finding.code) for finding in findings]
