"""The tables of nodes, of a cluster's members and of its servers."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, Integer, String, Table, Text

from danlu.store.engine.metadata import BigId, metadata

nodes = Table(
    "nodes",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("facts", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("since", Float, nullable=False),
    Column("drained", Boolean, nullable=False, default=False),
    Column("drained_gpus", JSON, nullable=False, default=list),
    Column("gpu_rules", JSON, nullable=False, default=dict),
    Column("role", String(16), nullable=False, default="compute"),
    Column("quarantine", Text, nullable=False, default=""),
    Column("findings", JSON, nullable=False, default=list),
    Column("losses", Text, nullable=False, default=""),
)
"""`losses`: when it was lost lately, in seconds with commas between. Who takes over must know it."""

members = Table(
    "members",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("node", String(200), nullable=False, unique=True),
    Column("public_key", String(64), nullable=False, unique=True),
    Column("joined_at", Float, nullable=False),
    Column("invited_by", String(64), nullable=False),
)
"""The machines that may speak for a node: `public_key` is what their messages' server knows them by."""

join_tokens = Table(
    "join_tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("created_by", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("revoked_at", Float),
    Column("uses", Integer, nullable=False, default=0),
    Column("role", String(16), nullable=False, default="compute"),
    sqlite_autoincrement=True,
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What only the servers of an installation know: the key and certificate of its messages."""

leadership = Table(
    "leadership",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fence", BigId, nullable=False),
    Column("holder", String(200), nullable=False),
    Column("url", Text, nullable=False),
    Column("messages", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("renewed_at", Float, nullable=False),
)
"""One row: which server acts. `fence` grows with every change of hands."""

servers = Table(
    "servers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("url", Text, nullable=False),
    Column("messages", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
)
"""The servers that are up, each in a row that it keeps fresh itself, by the clock of the database."""
