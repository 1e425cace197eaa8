"""What a deletion takes out of the rows that stay: all that belonged to the owner alone, the name and tags.

The row of a deleted job keeps its number, its owner, its idempotency key with the digest of the request, and
what every user saw of it: ids are never given again, and a key never makes a second job.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, delete, null, or_, select, update

from danlu.codec import encode
from danlu.core.job import JobSpec
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_J = schema.jobs.c
_A = schema.attempts.c
_T = schema.tasks.c
_E = schema.events.c

ERASED: dict[str, Any] = {"name": "", "spec": encode(JobSpec(command="")), "wants": None, "detail": ""}
"""What the columns of a deleted job become."""

_THIS: BindParameter[int] = bindparam("erased")


def _of_job(job_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Rows that belong to a job, or to an element of an array."""
    return or_(job_id == _THIS, job_id.in_(select(_J.id).where(_J.array_id == _THIS)))


_ERASE_ELEMENTS = (
    # Their spec is the array's.
    update(schema.jobs).where(_J.array_id == _THIS).values(name="", wants=null(), detail="")
)
_ERASE_ATTEMPTS = update(schema.attempts).where(_of_job(_A.job_id), _A.detail != "").values(detail="")
_ERASE_TASKS = (
    update(schema.tasks)
    .where(_of_job(_T.job_id), or_(_T.stdout_path != "", _T.stderr_path != "", _T.ending.is_not(None)))
    .values(stdout_path="", stderr_path="", ending=null())
)
_FORGET_PARTS = delete(schema.output_parts).where(_of_job(schema.output_parts.c.job_id))
_FORGET_USAGE = delete(schema.job_usage).where(_of_job(schema.job_usage.c.job_id))
_FORGET_TAGS = delete(schema.job_tags).where(schema.job_tags.c.job_id == _THIS)
_EVENTS = select(_E.id, _E.data).where(_E.job_id == _THIS)
_ERASE_EVENT = update(schema.events).where(_E.id == bindparam("wanted")).values(data=bindparam("data"))
_STATEMENTS = (
    *(_ERASE_ELEMENTS, _ERASE_ATTEMPTS, _ERASE_TASKS),
    *(_FORGET_PARTS, _FORGET_USAGE, _FORGET_TAGS),
)


def erase(tx: Transaction, job_id: int) -> None:
    """Everything beside the row of the job itself, in the transaction that deletes it."""
    which = {"erased": job_id}
    for statement in _STATEMENTS:
        tx.connection.execute(statement, which)
    named = [row for row in tx.connection.execute(_EVENTS, which) if row.data.get("name")]
    if named:
        rows = [{"wanted": row.id, "data": {**row.data, "name": ""}} for row in named]
        tx.connection.execute(_ERASE_EVENT, rows)
