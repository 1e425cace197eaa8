"""Nodes: the last facts they told of themselves, and what people decided about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, delete, insert, or_, select, update

from danlu.codec import encode
from danlu.core.events import EventKind
from danlu.core.nodes.node import Node, NodeFacts, NodeState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction, in_parts
from danlu.store.engine.records import facts_from_json, node_from_row

_N = schema.nodes.c
_ALL_NODES = select(schema.nodes).order_by(_N.name)


# Whenever one node changes, all of them are read again: their JSON comes as text, and what is known already
# is not taken apart once more.
_AS_TEXT = ("facts", "drained_gpus", "gpu_rules", "findings")
_ALL_NODES_AS_TEXT = select(
    *(cast(column, Text).label(column.name) if column.name in _AS_TEXT else column for column in _N)
).order_by(_N.name)
_MOST_REMEMBERED = 4096


def list_nodes(connection: Connection) -> list[Node]:
    return [_node_of(*row) for row in connection.execute(_ALL_NODES_AS_TEXT)]


def get_nodes(connection: Connection, names: Iterable[str]) -> dict[str, Node]:
    """Those of these that there are, by name."""
    rows = (
        row
        for part in in_parts(set(names))
        for row in connection.execute(_ALL_NODES_AS_TEXT.where(_N.name.in_(part)))
    )
    return {row.name: _node_of(*row) for row in rows}


@lru_cache(_MOST_REMEMBERED)
def _node_of(*values: Any) -> Node:
    columns = dict(zip(_N.keys(), values, strict=True))
    columns |= {name: json.loads(columns[name]) for name in _AS_TEXT}
    return node_from_row(SimpleNamespace(**columns))


def get_node(connection: Connection, name: str) -> Node | None:
    row = connection.execute(select(schema.nodes).where(_N.name == name)).one_or_none()
    return node_from_row(row) if row else None


def save_facts(tx: Transaction, reachable: Iterable[NodeFacts]) -> None:
    """Nodes report in: new, back, or changed. What people decided about them stays, and so does what is known
    against their GPUs: `note_faults` is the one to change that. One query for all of them."""
    rows = {row.name: row for row in tx.connection.execute(_ALL_NODES)}
    for facts in reachable:
        _save(tx, facts, rows.get(facts.name))


def _save(tx: Transaction, facts: NodeFacts, row: Row[Any] | None) -> None:
    value = _facts_to_json(facts)
    if row is None:
        tx.connection.execute(
            insert(schema.nodes).values(
                name=facts.name,
                facts=value,
                state=NodeState.UP.value,
                since=tx.now,
                drained=False,
                drained_gpus=[],
                gpu_rules={},
            )
        )
        tx.record(EventKind.NODE_UP, node=facts.name)
        return
    _keep_faults(value, facts_from_json(row.name, row.facts)[0])
    back = row.state != NodeState.UP.value
    if not back and row.facts == value:
        return
    columns: dict[str, Any] = {"facts": value}
    if back:
        columns |= {"state": NodeState.UP.value, "since": tx.now}
    tx.connection.execute(update(schema.nodes).where(_N.name == facts.name).values(**columns))
    tx.record(EventKind.NODE_UP if back else EventKind.NODE_CHANGED, node=facts.name)


def mark_lost(tx: Transaction, name: str) -> bool:
    """The node cannot be reached; whether that is news. It stays in the list, with since-when."""
    changed = tx.connection.execute(
        update(schema.nodes)
        .where(_N.name == name, _N.state == NodeState.UP.value)
        .values(state=NodeState.LOST.value, since=tx.now)
    )
    if changed.rowcount:
        tx.record(EventKind.NODE_LOST, node=name)
    return changed.rowcount > 0


def losses_of(connection: Connection, name: str) -> tuple[float, ...]:
    """When it was lost lately, as `save_losses` was told."""
    text = connection.execute(select(_N.losses).where(_N.name == name)).scalar_one_or_none()
    return tuple(float(each) for each in text.split(",")) if text else ()


def save_losses(tx: Transaction, name: str, losses: Iterable[float]) -> None:
    text = ",".join(f"{each:.0f}" for each in losses)
    tx.connection.execute(update(schema.nodes).where(_N.name == name).values(losses=text))


def set_quarantine(tx: Transaction, name: str, losses: Iterable[float]) -> None:
    """Nothing starts there any more until an admin undrains it, and gives it a fresh start with that. The
    evidence is when it was lost."""
    evidence = ",".join(f"{each:.0f}" for each in losses)
    columns = {"quarantine": evidence, "losses": ""}
    tx.connection.execute(update(schema.nodes).where(_N.name == name).values(**columns))
    tx.record(EventKind.NODE_QUARANTINED, node=name)


def remove_node(tx: Transaction, name: str, actor: str | None = None) -> None:
    """The node is gone for good."""
    if tx.connection.execute(delete(schema.nodes).where(_N.name == name)).rowcount:
        tx.record(EventKind.NODE_REMOVED, node=name, actor=actor)


def set_drained(tx: Transaction, name: str, drained: bool, actor: str) -> None:
    """To undrain a node also lifts a quarantine."""
    this, columns = _N.drained != drained, dict[str, Any](drained=drained)
    if not drained:
        this, columns = or_(this, _N.quarantine != ""), {**columns, "quarantine": ""}
    changed = tx.connection.execute(update(schema.nodes).where(_N.name == name, this).values(**columns))
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


def change_gpu(
    tx: Transaction,
    name: str,
    index: int,
    actor: str,
    *,
    managed: bool | None = None,
    slots: int | None = None,
) -> None:
    """What people decide about one GPU of a node. None: leave it as it is."""
    rules = dict(tx.connection.execute(select(_N.gpu_rules).where(_N.name == name)).scalar_one())
    before = {"managed": True, "slots": 1, **rules.get(str(index), {})}
    after = dict(before)
    if managed is not None and managed != before["managed"]:
        after["managed"] = managed
        kind = EventKind.GPU_ADDED if managed else EventKind.GPU_REMOVED
        tx.record(kind, node=name, actor=actor, gpu=index)
    if slots is not None and slots != before["slots"]:
        after["slots"] = slots
        tx.record(
            EventKind.GPU_SLOTS,
            node=name,
            actor=actor,
            gpu=index,
            slots=slots,
            before={"slots": before["slots"]},
            after={"slots": slots},
        )
    if after != before:
        rules[str(index)] = after
        tx.connection.execute(update(schema.nodes).where(_N.name == name).values(gpu_rules=rules))


def drop_gpu(tx: Transaction, name: str, index: int, actor: str) -> None:
    """A GPU is gone for good, and with it what was decided about it: another may come in its place."""
    row = tx.connection.execute(select(schema.nodes).where(_N.name == name)).one()
    facts = _facts_to_json(facts_from_json(name, row.facts)[0])
    gpus = [gpu for gpu in facts["gpus"] if gpu["index"] != index]
    if len(gpus) == len(facts["gpus"]):
        return
    tx.connection.execute(
        update(schema.nodes)
        .where(_N.name == name)
        .values(
            facts={**facts, "gpus": gpus},
            drained_gpus=[each for each in row.drained_gpus if each != index],
            gpu_rules={each: rule for each, rule in row.gpu_rules.items() if each != str(index)},
        )
    )
    tx.record(EventKind.GPU_REMOVED, node=name, actor=actor, gpu=index, gone=True)


def note_faults(tx: Transaction, name: str, faults: Mapping[int, str]) -> None:
    """What is wrong with the GPUs of a node now, by their numbers; nothing with those that are not named."""
    stored = tx.connection.execute(select(_N.facts).where(_N.name == name)).scalar_one_or_none()
    if stored is None:
        return
    facts = _facts_to_json(facts_from_json(name, stored)[0])
    gpus = [{**gpu, "fault": faults.get(gpu["index"], "")} for gpu in facts["gpus"]]
    for before, after in zip(facts["gpus"], gpus, strict=True):
        was, fault = before["fault"], after["fault"]
        if fault and fault != was:
            tx.record(EventKind.GPU_FAULT, node=name, gpu=after["index"], fault=fault)
        elif was and not fault:
            tx.record(EventKind.GPU_RECOVERED, node=name, gpu=after["index"], fault=was)
    if gpus != facts["gpus"]:
        tx.connection.execute(
            update(schema.nodes).where(_N.name == name).values(facts={**facts, "gpus": gpus})
        )


def fault_of(connection: Connection, name: str, gpu_ids: Iterable[int]) -> str:
    """The evidence against one of these GPUs; empty while all of them are well."""
    node = get_node(connection, name)
    faulty = [gpu for gpu in node.facts.gpus if gpu.fault and gpu.index in gpu_ids] if node else []
    return f"GPU {faulty[0].index} of {name}: {faulty[0].fault}" if faulty else ""


def _keep_faults(value: dict[str, Any], known: NodeFacts) -> None:
    faults = {(gpu.index, gpu.uuid): gpu.fault for gpu in known.gpus}
    for gpu in value["gpus"]:
        gpu["fault"] = faults.get((gpu["index"], gpu["uuid"]), gpu["fault"])


def _facts_to_json(facts: NodeFacts) -> dict[str, Any]:
    value: dict[str, Any] = encode(facts)
    decided = ("drained", "slots", "managed")
    value["gpus"] = [{k: v for k, v in gpu.items() if k not in decided} for gpu in value["gpus"]]
    return value
