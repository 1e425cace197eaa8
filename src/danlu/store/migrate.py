"""Bring a database to the newest schema."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from danlu.store.engines import Location, writing_engine

MIGRATIONS = Path(__file__).parent / "migrations"


class WrongEncoding(Exception):
    """The database was not made for Unicode text."""


def migrate(location: Location) -> None:
    """Create or upgrade the tables at `location`. All or nothing.

    Raises Unavailable when somebody else writes there.
    """
    engine = writing_engine(location, foreign_keys=False)
    try:
        with engine.begin() as connection:
            migrate_connection(connection)
    finally:
        engine.dispose()


def migrate_connection(connection: Connection) -> None:
    """The same within a transaction of the caller's."""
    _check_encoding(connection)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def newest_revision() -> str:
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def knows_revision(revision: str) -> bool:
    """Whether this Danlu can read a database of that schema: one of its own, or an older one."""
    known = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {script.revision for script in known}


def revision_of(connection: Connection) -> str | None:
    """The schema that a database has; None for one that is no Danlu's yet."""
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _check_encoding(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise WrongEncoding(encoding)
