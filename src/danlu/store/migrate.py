"""Bring a database to the newest schema."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(url: str) -> None:
    """Create or upgrade the tables at `url`. All or nothing."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            # The file remembers it; two connections that made the switch together would lock each other out.
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    engine.dispose()
