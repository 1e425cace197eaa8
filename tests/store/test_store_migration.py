"""The migrations and the tables say the same."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import OperationalError

from danlu.store.engine import schema
from danlu.store.engine.migrate import MIGRATIONS, UnknownSchema, known_revisions, migrate


def test_migrating_an_empty_file_yields_exactly_the_schema(blank: Path) -> None:
    engine = create_engine(f"sqlite:///{blank}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        tables = set(inspect(connection).get_table_names())
    assert tables == set(schema.metadata.tables) | {"alembic_version"}
    engine.dispose()


def test_ids_of_jobs_events_and_tokens_are_never_reused(blank: Path) -> None:
    """AUTOINCREMENT is invisible to a comparison of metadata, and everything depends on it."""
    engine = create_engine(f"sqlite:///{blank}")
    with engine.connect() as connection:
        tables = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        made = {row.name: row.sql for row in tables}
    engine.dispose()
    for table in ("jobs", "events", "tokens"):
        assert "AUTOINCREMENT" in made[table]


def test_migrating_again_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    migrate(path)
    assert path.read_bytes() == before


def test_a_fresh_database_is_ready_for_several_connections_at_once(blank: Path) -> None:
    """Were it not in WAL mode yet, its first reader and its writer would lock each other out."""
    with sqlite3.connect(blank) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_migration_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    """Else a server killed during its very first start could never start again."""
    path = tmp_path / "danlu.db"
    with sqlite3.connect(path) as in_the_way:
        in_the_way.execute("CREATE TABLE tasks (other)")
    with pytest.raises(OperationalError, match="tasks already exists"):
        migrate(path)
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [("tasks",)]


def test_the_files_are_named_by_their_revisions() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    assert known_revisions() == tuple(reversed([script.revision for script in scripts]))


def test_a_database_of_a_newer_danlu_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnknownSchema, match="9999"):
        migrate(path)
