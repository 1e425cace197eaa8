"""The mark of a database that no server may use: it was moved away, a move into it was not finished, or its
nodes have followed a server of another copy since.

It is a setting, written in the transaction that ends the database's use, so that there is no moment in which
two copies are in use. Only an admin takes it away again (`restoring.reinstate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, delete, insert, inspect, select

from danlu.codec import decode, encode
from danlu.core.errors import Unavailable
from danlu.store.engine import schema
from danlu.store.engine.engines import Location, is_postgresql, reading_engine, url_of

_KEY = "out_of_use"
_S = schema.settings


class OutOfUseReason(StrEnum):
    """What a server answers that finds the mark."""

    MOVED = "database_moved"
    UNFINISHED = "database_unfinished"
    SUPERSEDED = "database_superseded"


@dataclass(frozen=True, slots=True)
class OutOfUse:
    """`place` is where it was moved to or comes from, without a password. `move` is the same in both
    databases of one move. `fence` is that of a server of another copy, as a node has proved to have heard."""

    why: OutOfUseReason
    at: float
    place: str = ""
    move: str = ""
    fence: int = 0

    def refusal(self) -> Unavailable:
        match self.why:
            case OutOfUseReason.MOVED:
                return Unavailable("database_moved", to=self.place)
            case OutOfUseReason.UNFINISHED:
                return Unavailable("database_unfinished", origin=self.place)
            case OutOfUseReason.SUPERSEDED:
                return Unavailable("database_superseded", fence=self.fence)


def read_out_of_use(connection: Connection) -> OutOfUse | None:
    """None where it may be used."""
    value = connection.execute(select(_S.c.value).where(_S.c.key == _KEY)).scalar_one_or_none()
    return decode(OutOfUse, value, trusted=True) if value is not None else None


def check_in_use(connection: Connection) -> None:
    """Raises Unavailable."""
    mark = read_out_of_use(connection)
    if mark is not None:
        raise mark.refusal()


def put_out_of_use(connection: Connection, mark: OutOfUse) -> None:
    put_in_use(connection)
    connection.execute(insert(_S).values(key=_KEY, value=encode(mark)))


def put_in_use(connection: Connection) -> None:
    connection.execute(delete(_S).where(_S.c.key == _KEY))


def find_out_of_use(location: Location) -> OutOfUse | None:
    """The mark of a database that nothing has open; None also where there is no database of ours yet."""
    if not is_postgresql(location) and not Path(str(url_of(location).database)).exists():
        return None
    engine = reading_engine(location, 1)
    try:
        with engine.connect() as connection:
            return read_out_of_use(connection) if inspect(connection).has_table(_S.name) else None
    finally:
        engine.dispose()
