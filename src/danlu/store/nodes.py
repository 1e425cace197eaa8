"""Nodes: the last facts they told of themselves, and what people decided about them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from danlu.core.events import EventKind
from danlu.core.node import Node, NodeFacts, NodeState
from danlu.store import schema
from danlu.store.database import Transaction
from danlu.store.records import node_from_row

_N = schema.nodes.c
_ALL_NODES = select(schema.nodes).order_by(_N.name)


def list_nodes(connection: Connection) -> list[Node]:
    return [node_from_row(row) for row in connection.execute(_ALL_NODES)]


def get_node(connection: Connection, name: str) -> Node | None:
    row = connection.execute(select(schema.nodes).where(_N.name == name)).one_or_none()
    return node_from_row(row) if row else None


def save_facts(tx: Transaction, facts: NodeFacts) -> None:
    """A node reports in: new, back, or changed. What people decided about it stays."""
    value = _facts_to_json(facts)
    row = tx.connection.execute(select(schema.nodes).where(_N.name == facts.name)).one_or_none()
    if row is None:
        tx.connection.execute(
            insert(schema.nodes).values(
                name=facts.name,
                facts=value,
                state=NodeState.UP.value,
                since=tx.now,
                drained=False,
                drained_gpus=[],
            )
        )
        tx.record(EventKind.NODE_UP, node=facts.name)
        return
    back = row.state != NodeState.UP.value
    if not back and row.facts == value:
        return
    columns: dict[str, Any] = {"facts": value}
    if back:
        columns |= {"state": NodeState.UP.value, "since": tx.now}
    tx.connection.execute(update(schema.nodes).where(_N.name == facts.name).values(**columns))
    tx.record(EventKind.NODE_UP if back else EventKind.NODE_CHANGED, node=facts.name)


def mark_lost(tx: Transaction, name: str) -> None:
    """The node cannot be reached. It stays in the list, with since-when."""
    changed = tx.connection.execute(
        update(schema.nodes)
        .where(_N.name == name, _N.state == NodeState.UP.value)
        .values(state=NodeState.LOST.value, since=tx.now)
    )
    if changed.rowcount:
        tx.record(EventKind.NODE_LOST, node=name)


def remove_node(tx: Transaction, name: str) -> None:
    """The node is gone for good."""
    if tx.connection.execute(delete(schema.nodes).where(_N.name == name)).rowcount:
        tx.record(EventKind.NODE_REMOVED, node=name)


def set_drained(tx: Transaction, name: str, drained: bool, actor: str) -> None:
    changed = tx.connection.execute(
        update(schema.nodes).where(_N.name == name, _N.drained != drained).values(drained=drained)
    )
    if changed.rowcount:
        kind = EventKind.NODE_DRAINED if drained else EventKind.NODE_UNDRAINED
        tx.record(kind, node=name, actor=actor)


def set_gpu_drained(tx: Transaction, name: str, index: int, drained: bool, actor: str) -> None:
    current = tx.connection.execute(select(_N.drained_gpus).where(_N.name == name)).scalar_one()
    wanted = set(current) | {index} if drained else set(current) - {index}
    if wanted != set(current):
        tx.connection.execute(update(schema.nodes).where(_N.name == name).values(drained_gpus=sorted(wanted)))
        kind = EventKind.GPU_DRAINED if drained else EventKind.GPU_UNDRAINED
        tx.record(kind, node=name, actor=actor, gpu=index)


def _facts_to_json(facts: NodeFacts) -> dict[str, Any]:
    value = asdict(facts)
    value["gpus"] = [{k: v for k, v in gpu.items() if k != "drained"} for gpu in value["gpus"]]
    return value
