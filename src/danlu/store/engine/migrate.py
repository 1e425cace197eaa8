"""Bring a database to the newest schema. Alembic takes long to load: only where there is something to do."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, inspect

from danlu.store.engine.engines import Location, writing_engine
from danlu.store.engine.out_of_use import check_in_use

MIGRATIONS = Path(__file__).parents[1] / "migrations"


class WrongEncoding(Exception):
    """The database was not made for Unicode text."""


class UnknownSchema(Exception):
    """The database was made by a newer Danlu; its text names its revision."""


def migrate(location: Location) -> None:
    """Create or upgrade the tables at `location`. All or nothing.

    Raises Unavailable when another server writes there or the database is out of use, WrongEncoding,
    UnknownSchema.
    """
    engine = writing_engine(location, foreign_keys=False)
    try:
        with engine.begin() as connection:
            if revision_of(connection) is not None:
                check_in_use(connection)
            migrate_connection(connection)
    finally:
        engine.dispose()


def migrate_connection(connection: Connection) -> None:
    """The same within a transaction of the caller's."""
    _check_encoding(connection)
    revision = revision_of(connection)
    if revision is not None and not knows_revision(revision):
        raise UnknownSchema(revision)
    if revision != newest_revision():
        _upgrade(connection)


def newest_revision() -> str:
    return known_revisions()[-1]


def knows_revision(revision: str) -> bool:
    """Whether this Danlu can read a database of that schema: one of its own, or an older one."""
    return revision in known_revisions()


@cache
def known_revisions() -> tuple[str, ...]:
    """From the first to the newest, as the files of the migrations are named."""
    return tuple(sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")))


def revision_of(connection: Connection) -> str | None:
    """The schema that a database has; None for one that is no Danlu's yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_encoding(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise WrongEncoding(encoding)
