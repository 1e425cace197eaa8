"""Functions of SQL that SQLite and PostgreSQL write in different ways."""

from __future__ import annotations

from typing import Any

from sqlalchemy import String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class ComparedText(FunctionElement[str]):
    """A text that is compared in the same way by every database."""

    type = String()
    inherit_cache = True


class by_code(ComparedText):  # noqa: N801 - a function of SQL
    """By the code points of its characters."""

    inherit_cache = True


class ascii_lower(ComparedText):  # noqa: N801
    """By the code points, the case of Latin letters apart."""

    inherit_cache = True


@compiles(by_code)
def _by_code(element: by_code, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(by_code, "postgresql")
def _by_code_postgresql(element: by_code, compiler: SQLCompiler, **options: Any) -> str:
    return f'({compiler.process(element.clauses, **options)} COLLATE "C")'


@compiles(ascii_lower)
def _ascii_lower(element: ascii_lower, compiler: SQLCompiler, **options: Any) -> str:
    return f"lower({compiler.process(element.clauses, **options)})"


@compiles(ascii_lower, "postgresql")
def _ascii_lower_postgresql(element: ascii_lower, compiler: SQLCompiler, **options: Any) -> str:
    return f'lower({compiler.process(element.clauses, **options)} COLLATE "C")'


class unindexed(FunctionElement[Any]):  # noqa: N801
    """A column for which SQLite shall take no index: where one has it equal to something, SQLite takes that,
    though it has to sort then. PostgreSQL weighs it."""

    inherit_cache = True


@compiles(unindexed)
def _unindexed(element: unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(unindexed, "sqlite")
def _unindexed_sqlite(element: unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return f"+{compiler.process(element.clauses, **options)}"
