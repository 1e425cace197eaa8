"""What only the servers of an installation know."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, select

from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_S = schema.secrets.c


def get_secret(connection: Connection, name: str) -> str | None:
    return connection.execute(select(_S.value).where(_S.name == name)).scalar_one_or_none()


def keep_secret(tx: Transaction, name: str, make: Callable[[], str]) -> str:
    """The secret of that name, made by the server that needs it first."""
    known = get_secret(tx.connection, name)
    if known is not None:
        return known
    made = make()
    tx.connection.execute(insert(schema.secrets).values(name=name, value=made))
    return made


def replace_secret(tx: Transaction, name: str, value: str) -> None:
    tx.connection.execute(delete(schema.secrets).where(_S.name == name))
    tx.connection.execute(insert(schema.secrets).values(name=name, value=value))
