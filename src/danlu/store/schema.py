"""The tables. Written for SQLite and PostgreSQL alike; changed only through a migration."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

users = Table(
    "users",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("role", String(16), nullable=False),
    Column("password_hash", Text),
    Column("must_change_password", Boolean, nullable=False, default=False),
    Column("locked", Boolean, nullable=False, default=False),
    Column("priority", Float, nullable=False, default=1.0),
    Column("mentor", String(64)),
    Column("unix_account", String(64)),
    Column("defaults", JSON, nullable=False, default=dict),
    Column("created_at", Float, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("user_name", String(64), nullable=False, index=True),
    Column("csrf_token", String(64), nullable=False),
    Column("expires_at", Float, nullable=False),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("user_name", String(64), nullable=False, index=True),
    Column("name", String(200), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("last_used_at", Float),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
    sqlite_autoincrement=True,
)

login_links = Table(
    "login_links",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("user_name", String(64), nullable=False),
    Column("expires_at", Float, nullable=False),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("name", String(200), nullable=False),
    Column("queue", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("position", Float, nullable=False),
    Column("spec", JSON, nullable=False),
    Column("urgent", Boolean, nullable=False),
    Column("gpus", Integer, nullable=False),
    Column("gpu_ids", JSON, nullable=False),
    Column("cpus", Integer, nullable=False),
    Column("memory_mb", Integer, nullable=False),
    Column("node", String(200)),
    Column("submitted_at", Float, nullable=False),
    Column("attempt", Integer, nullable=False, default=0),
    Column("retries_used", Integer, nullable=False, default=0),
    Column("not_before", Float),
    Column("stop_intent", String(16)),
    Column("placed", JSON),
    Column("started_at", Float),
    Column("ended_at", Float),
    Column("end_reason", String(32)),
    Column("exit_code", Integer),
    Column("signal", Integer),
    Column("detail", Text, nullable=False, default=""),
    Column("idempotency_key", String(200)),
    Column("request_digest", String(64)),
    UniqueConstraint("owner", "idempotency_key"),
    Index(None, "state", "position", "id"),
    Index(None, "ended_at", "id"),
    Index(None, "owner", "ended_at", "id"),
    sqlite_autoincrement=True,
)
"""Ids are never reused, and a deleted job stays as a row in state `deleted`.

`urgent` to `node` repeat the ask of `spec`: the scheduler and the lists read thousands of rows and must not
parse a script for each. `ended_at` is null unless the job is in the history.
"""

dependencies = Table(
    "dependencies",
    metadata,
    Column("job_id", Integer, primary_key=True),
    Column("predecessor_id", Integer, primary_key=True, index=True),
    Column("kind", String(8), nullable=False),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["predecessor_id"], ["jobs.id"], ondelete="CASCADE"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("job_id", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("started_at", Float),
    Column("ended_at", Float),
    Column("end_reason", String(32)),
    Column("exit_code", Integer),
    Column("signal", Integer),
    Column("detail", Text, nullable=False, default=""),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
)

tasks = Table(
    "tasks",
    metadata,
    Column("job_id", Integer, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("node", String(200), nullable=False),
    Column("gpu_ids", JSON, nullable=False),
    Column("cpus", Integer, nullable=False),
    Column("memory_mb", Integer, nullable=False),
    Column("stdout_path", Text, nullable=False),
    Column("stderr_path", Text, nullable=False),
    Column("boot_id", String(64), nullable=False),
    ForeignKeyConstraint(["job_id", "attempt"], ["attempts.job_id", "attempts.number"], ondelete="CASCADE"),
)

allocations = Table(
    "allocations",
    metadata,
    Column("node", String(200), primary_key=True),
    Column("gpu_index", Integer, primary_key=True),
    Column("slot", Integer, primary_key=True, default=0),
    Column("job_id", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Index(None, "job_id", "attempt"),
)
"""One row for each GPU slot somebody holds now: its primary key is why no GPU is ever given twice."""

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("job_id", Integer, index=True),
    Column("attempt", Integer),
    Column("node", String(200)),
    Column("actor", String(64)),
    Column("data", JSON, nullable=False),
    sqlite_autoincrement=True,
)

nodes = Table(
    "nodes",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("facts", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("since", Float, nullable=False),
    Column("drained", Boolean, nullable=False, default=False),
    Column("drained_gpus", JSON, nullable=False, default=list),
)

settings = Table(
    "settings",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", JSON, nullable=False),
)
