"""Which nodes still have files of deleted jobs. Written with the deletion, so that nothing forgets them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from danlu.store.engine import schema
from danlu.store.engine.database import Transaction, in_parts

_R = schema.removals.c
_T = schema.tasks.c
_J = schema.jobs.c


def note_removals(tx: Transaction, job_id: int) -> None:
    """Every node that ever had a task of this job, or of this array, has something of it."""
    own = select(_T.node).where(_T.job_id == job_id)
    of_array = select(_T.node).join(schema.jobs, _J.id == _T.job_id).where(_J.array_id == job_id)
    nodes = tx.connection.execute(own.union(of_array)).scalars().all()
    if nodes:
        rows = [{"node": node, "job_id": job_id} for node in nodes]
        tx.connection.execute(insert(schema.removals), rows)


def nodes_with_removals(connection: Connection) -> list[str]:
    return list(connection.execute(select(_R.node).distinct().order_by(_R.node)).scalars())


def removals_of(connection: Connection, node: str, after: int, limit: int) -> list[int]:
    """The jobs whose files are to be removed there, from behind the job `after` on."""
    theirs = select(_R.job_id).where(_R.node == node, _R.job_id > after).order_by(_R.job_id).limit(limit)
    return list(connection.execute(theirs).scalars())


def drop_removals(tx: Transaction, node: str, job_ids: Iterable[int]) -> None:
    """That is done."""
    for part in in_parts(job_ids):
        tx.connection.execute(delete(schema.removals).where(_R.node == node, _R.job_id.in_(part)))


def drop_removals_of_strangers(tx: Transaction) -> None:
    """Nodes that were removed for good are told nothing any more."""
    known = select(schema.nodes.c.name)
    tx.connection.execute(delete(schema.removals).where(_R.node.not_in(known)))
