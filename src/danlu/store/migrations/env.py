"""Run by Alembic with a connection of ours."""

from __future__ import annotations

from alembic import context

from danlu.store.engine import schema

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=schema.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
