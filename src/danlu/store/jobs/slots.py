"""Who holds which GPU: the last check before one is given away, inside the very transaction that does it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from danlu.core.job import Task
from danlu.core.nodes.node import Gpu
from danlu.store.engine import schema
from danlu.store.jobs.transitions import Stale

Cards = Mapping[tuple[str, int], Gpu]
"""What is known of each GPU, by node and index; one that is not here has one slot and any memory."""

Taken = dict[tuple[str, int], dict[int, int]]
"""For each GPU: the slots that are held, and what each holder was promised of its memory."""

CLOSED = schema.SHARED - 1
"""The slot that a job takes, beside all others, when no other may share its GPU."""

_H = schema.allocations.c


def read_taken(connection: Connection, nodes: Iterable[str]) -> Taken:
    """What is held now on these nodes."""
    taken: Taken = defaultdict(dict)
    names = list(nodes)
    if names:
        held = select(_H.node, _H.gpu_index, _H.slot, _H.memory_mb).where(_H.node.in_(names))
        for row in connection.execute(held):
            taken[row.node, row.gpu_index][row.slot] = row.memory_mb
    return taken


def take_slots(taken: Taken, cards: Cards, job_id: int, attempt: int, task: Task) -> list[dict[str, Any]]:
    """The rows by which a task holds its GPUs; they are in `taken` from now on. Raises Stale when it cannot
    have them."""
    allocation = task.allocation
    rows: list[dict[str, Any]] = []
    for index in allocation.gpu_ids:
        place = allocation.node, index
        held = taken.setdefault(place, {})
        card = cards.get(place)
        promised_mb = allocation.promised_mb(card.memory_mb) if card else allocation.gpu_memory_mb
        for number, slot in enumerate(_free_slots(held, card, task, promised_mb)):
            # A task that takes several slots of a card has one promise.
            held[slot] = 0 if number else promised_mb
            rows.append(
                {
                    "node": allocation.node,
                    "gpu_index": index,
                    "slot": slot,
                    "job_id": job_id,
                    "attempt": attempt,
                    "rank": task.rank,
                    "memory_mb": held[slot],
                }
            )
    return rows


def _free_slots(held: dict[int, int], card: Gpu | None, task: Task, promised_mb: int) -> list[int]:
    allocation = task.allocation
    slots = card.slots if card else 1
    if card and sum(held.values()) + promised_mb > card.memory_mb:
        raise Stale
    if allocation.share:
        if CLOSED in held:
            raise Stale
        return [
            next(slot for slot in range(schema.SHARED, schema.SHARED + len(held) + 1) if slot not in held)
        ]
    if any(slot >= CLOSED for slot in held):
        raise Stale
    if allocation.no_sharing:
        if held:
            raise Stale
        return [*range(slots), CLOSED]
    free = next((slot for slot in range(slots) if slot not in held), None)
    if free is None:
        raise Stale
    return [free]
