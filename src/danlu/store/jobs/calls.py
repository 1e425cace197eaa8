"""Which calls the jobs still need, and the calls themselves where several servers must have them."""

from __future__ import annotations

from base64 import b64decode, b64encode

from sqlalchemy import Connection, delete, func, insert, or_, select

from danlu.core.states import JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_J = schema.jobs.c
_P = schema.call_pieces


def calls_in_use(connection: Connection, since: float, owner: str | None = None) -> set[tuple[str, str]]:
    """(owner, digest) of every call of a job (of one owner) that is not over, or that ended after `since`."""
    call = _J.spec["call"].as_string()
    query = (
        select(_J.owner, call.label("digest"))
        .where(call.is_not(None), _J.state != JobState.DELETED.value)
        .where(or_(_J.ended_at.is_(None), _J.ended_at > since))
        .distinct()
    )
    if owner is not None:
        # Elements name the call of their array: without them this is one index of the table.
        query = query.where(_J.owner == owner, _J.array_id.is_(None))
    return {(row.owner, row.digest) for row in connection.execute(query)}


def put_piece(tx: Transaction, owner: str, digest: str, number: int, of: int, content: bytes) -> None:
    """Store one of the pieces of a call. Storing it again changes nothing."""
    same = (_P.c.owner == owner, _P.c.digest == digest, _P.c.number == number)
    tx.connection.execute(delete(_P).where(*same))
    row = {"owner": owner, "digest": digest, "number": number, "of": of}
    tx.connection.execute(insert(_P).values(**row, content=b64encode(content).decode()))


def read_piece(connection: Connection, owner: str, digest: str, number: int) -> bytes:
    same = (_P.c.owner == owner, _P.c.digest == digest, _P.c.number == number)
    return b64decode(connection.execute(select(_P.c.content).where(*same)).scalar_one())


def stored_calls(connection: Connection) -> dict[tuple[str, str], int]:
    """(owner, digest) of every call that is stored whole, and its number of pieces."""
    query = select(_P.c.owner, _P.c.digest, func.max(_P.c.of).label("of"), func.count().label("there"))
    rows = connection.execute(query.group_by(_P.c.owner, _P.c.digest))
    return {(row.owner, row.digest): row.of for row in rows if row.there == row.of}


def drop_pieces(tx: Transaction, owner: str, digest: str) -> None:
    tx.connection.execute(delete(_P).where(_P.c.owner == owner, _P.c.digest == digest))
