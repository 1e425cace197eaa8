"""Carry every row from one database to another, whichever of the two kinds each is, and prove it arrived."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Connection, MetaData, Row, Table, delete, func, insert, select, text

from danlu.store.audit import empty_audit
from danlu.store.engine import schema
from danlu.store.engine.engines import Location, is_postgresql, reading_engine, url_of
from danlu.store.engine.migrate import revision_of
from danlu.store.engine.out_of_use import OutOfUseReason, read_out_of_use

BATCH = 1000
_DIGEST = 1 << 256

Progress = Callable[[str, int, int], None]
"""Told the table, the rows carried so far, and how many there are."""


class NotEmpty(Exception):
    """The target has rows of its own; its text names the table."""


class CopyDiffers(Exception):
    """What arrived is not what was sent; its text names the table."""


def check_empty(connection: Connection) -> None:
    """Raises NotEmpty. What a migration itself puts into a new database does not count, nor what a move left
    there that was not finished."""
    if _is_unfinished(connection):
        return
    for table in _tables():
        rows = select(func.count()).select_from(table)
        if table.name == schema.counters.name:
            rows = rows.where(table.c.value > 0)
        if connection.execute(rows).scalar_one():
            raise NotEmpty(table.name)


def copy_all(source: Connection, target: Connection, progress: Progress) -> dict[str, int]:
    """Carry everything over, within the transactions of the two connections; the rows of each table.

    Both are at the newest schema. Raises NotEmpty, CopyDiffers.
    """
    check_empty(target)
    counts: dict[str, int] = {}
    empty_audit(target)
    for table in reversed(_tables()):
        target.execute(delete(table))
    for table in _tables():
        counts[table.name], sent = _copy(source, target, table, progress)
        if (counts[table.name], sent) != digest_of(target, table):
            raise CopyDiffers(table.name)
    _set_last_ids(target, _last_ids(source))
    return counts


def has_data(location: Location) -> bool:
    """Whether this database was used: the user who starts a server on an unused one becomes its first."""
    if not is_postgresql(location) and not Path(str(url_of(location).database)).exists():
        return False
    engine = reading_engine(location, 1)
    try:
        with engine.connect() as connection:
            if revision_of(connection) is None or _is_unfinished(connection):
                return False
            return connection.execute(select(func.count()).select_from(schema.users)).scalar_one() > 0
    finally:
        engine.dispose()


def _is_unfinished(connection: Connection) -> bool:
    mark = read_out_of_use(connection)
    return mark is not None and mark.why is OutOfUseReason.UNFINISHED


def count_rows(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in _tables()
    }


def digest_of(connection: Connection, table: Table) -> tuple[int, int]:
    """How many rows a table has, and a sum of their hashes: the same in whatever order they come."""
    count = total = 0
    for batch in _read(connection, table):
        count += len(batch)
        total = _add(total, batch)
    return count, total


def _copy(source: Connection, target: Connection, table: Table, progress: Progress) -> tuple[int, int]:
    whole = source.execute(select(func.count()).select_from(table)).scalar_one()
    count = total = 0
    progress(table.name, 0, whole)
    for batch in _read(source, table):
        target.execute(insert(table), [dict(row._mapping) for row in batch])
        count += len(batch)
        total = _add(total, batch)
        progress(table.name, count, whole)
    return count, total


def _read(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    rows = connection.execute(select(table), execution_options={"yield_per": BATCH})
    for batch in rows.partitions():
        yield list(batch)


def _add(total: int, rows: list[Row[Any]]) -> int:
    for row in rows:
        canonical = json.dumps(
            list(row), sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=bytes.hex
        )
        total += int.from_bytes(hashlib.sha256(canonical.encode()).digest(), "big")
    return total % _DIGEST


def _tables() -> list[Table]:
    """Those that others refer to come first."""
    return _EXACT.sorted_tables


def _exact_copy() -> MetaData:
    """The tables with nothing filled in by default, and with SQL's NULL kept apart from JSON's."""
    exact = MetaData()
    for table in schema.metadata.sorted_tables:
        made = table.to_metadata(exact)
        for column in made.columns:
            column.default = None
            if isinstance(column.type, JSON) and column.nullable:
                column.type = JSON(none_as_null=True)
    return exact


_EXACT = _exact_copy()


def _counting_tables() -> list[Table]:
    """Those whose ids the database gives out and never gives again."""
    return [table for table in _tables() if table.dialect_options["sqlite"]["autoincrement"]]


def _last_ids(connection: Connection) -> dict[str, int]:
    """The last id given out in each, also when its row is gone."""
    if connection.dialect.name == "sqlite":
        known = {
            row.name: row.seq for row in connection.execute(text("SELECT name, seq FROM sqlite_sequence"))
        }
        return {table.name: known.get(table.name, 0) for table in _counting_tables()}
    last: dict[str, int] = {}
    for table in _counting_tables():
        sequence = _sequence_of(connection, table)
        row = connection.execute(text(f"SELECT last_value, is_called FROM {sequence}")).one()  # noqa: S608
        last[table.name] = row.last_value if row.is_called else 0
    return last


def _set_last_ids(connection: Connection, last: dict[str, int]) -> None:
    for table in _counting_tables():
        largest = connection.execute(select(func.max(table.c.id))).scalar_one() or 0
        value = max(last[table.name], largest)
        if connection.dialect.name == "sqlite":
            name = {"name": table.name}
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), name)
            statement = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)")
            connection.execute(statement, {**name, "seq": value})
        elif value:
            sequence = _sequence_of(connection, table)
            connection.execute(select(func.setval(sequence, value)))


def _sequence_of(connection: Connection, table: Table) -> str:
    found = func.pg_get_serial_sequence(table.name, "id")
    return str(connection.execute(select(found)).scalar_one())
