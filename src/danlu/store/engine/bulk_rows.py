"""Rows as the database's driver takes them. What SQLAlchemy does for each of ten thousand rows takes longer
than to store them, and there is one writer for all requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import JSON, Connection, Dialect, Table
from sqlalchemy.sql.schema import ScalarElementColumnDefault

ROWS = 50
"""In one statement: between two, the writer may have to wait for other threads."""

Row = tuple[Any, ...]


def insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Each row has a value for each of the columns, made by `for_driver` where it is JSON. The other columns
    get their defaults."""
    names = tuple(columns)
    rest = _defaults(table, names)
    told = tuple(rest.values())
    for start in range(0, len(rows), ROWS):
        block = rows[start : start + ROWS]
        statement = _statement(connection.dialect, table, (*names, *rest), len(block))
        connection.exec_driver_sql(statement, tuple(chain.from_iterable((*row, *told) for row in block)))


def for_driver(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of some columns as the driver takes them."""
    nullable = _json_columns(table)
    return {
        name: json.dumps(value) if name in nullable and not (value is None and nullable[name]) else value
        for name, value in values.items()
    }


@cache
def _json_columns(table: Table) -> dict[str, bool]:
    """Which columns are JSON, and whether None is no value there."""
    return {column.name: column.type.none_as_null for column in table.c if isinstance(column.type, JSON)}


@cache
def _defaults(table: Table, named: tuple[str, ...]) -> dict[str, Any]:
    return {
        column.name: column.default.arg
        for column in table.c
        if column.name not in named and isinstance(column.default, ScalarElementColumnDefault)
    }


@cache
def _statement(dialect: Dialect, table: Table, columns: tuple[str, ...], rows: int) -> str:
    quote = dialect.identifier_preparer.quote
    names = ", ".join(quote(name) for name in columns)
    row = f"({', '.join(['?' if dialect.paramstyle == 'qmark' else '%s'] * len(columns))})"
    return f"INSERT INTO {quote(table.name)} ({names}) VALUES {', '.join([row] * rows)}"  # noqa: S608
