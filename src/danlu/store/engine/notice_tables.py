"""The tables of notices."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKeyConstraint, Integer, String, Table, Text

from danlu.store.engine.metadata import metadata

notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("level", String(16), nullable=False),
    Column("text_en", Text, nullable=False),
    Column("text_zh", Text, nullable=False),
    Column("begins_at", Float, nullable=False),
    Column("ends_at", Float),
    Column("roles", JSON, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created_by", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    sqlite_autoincrement=True,
)
"""`roles` are whom a notice is for; an empty list means all users."""

notice_dismissals = Table(
    "notice_dismissals",
    metadata,
    Column("notice_id", Integer, primary_key=True),
    Column("user_name", String(64), primary_key=True),
    ForeignKeyConstraint(["notice_id"], ["notices.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["user_name"], ["users.name"], ondelete="CASCADE"),
)
"""Who does not want to see which notice any more."""
