"""The tables of users and of what they sign in with."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKeyConstraint, Integer, String, Table, Text

from danlu.store.engine.metadata import metadata

users = Table(
    "users",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("role", String(16), nullable=False),
    Column("password_hash", Text),
    Column("must_change_password", Boolean, nullable=False, default=False),
    Column("locked", Boolean, nullable=False, default=False),
    Column("priority", Float, nullable=False, default=1.0),
    Column("unix_account", String(64)),
    Column("group_name", String(64), index=True),
    Column("full_name", String(200), nullable=False, default=""),
    Column("student_id", String(64), nullable=False, default=""),
    Column("email", String(254), nullable=False, default=""),
    Column("language", String(8)),
    Column("defaults", JSON, nullable=False, default=dict),
    Column("created_at", Float, nullable=False),
)

groups = Table(
    "groups",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("description", Text, nullable=False, default=""),
    Column("created_at", Float, nullable=False),
)
"""A user is in at most one, `users.group_name`."""

group_mentors = Table(
    "group_mentors",
    metadata,
    Column("group_name", String(64), primary_key=True),
    Column("user_name", String(64), primary_key=True, index=True),
    ForeignKeyConstraint(["group_name"], ["groups.name"], ondelete="CASCADE"),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("user_name", String(64), nullable=False, index=True),
    Column("csrf_token", String(64), nullable=False),
    Column("expires_at", Float, nullable=False),
    # When what it was made with ends; null for a password. Nothing that is made with it may last longer.
    Column("ceiling", Float),
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
    Column("ceiling", Float),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
)
