"""Jobs over several nodes, members of a cluster, locks and a key-value store"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for name in ("nodes", "nodes_min"):
        op.add_column("jobs", sa.Column(name, sa.Integer(), nullable=False, server_default="1"))
    op.add_column("jobs", sa.Column("wants", sa.JSON(), nullable=True))
    op.add_column("tasks", sa.Column("address", sa.String(length=200), nullable=False, server_default=""))
    op.add_column("tasks", sa.Column("port", sa.Integer(), nullable=True))
    op.add_column("tasks", sa.Column("second_port", sa.Integer(), nullable=True))
    op.add_column("tasks", sa.Column("leased", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tasks", sa.Column("started_at", sa.Float(), nullable=True))
    op.add_column("tasks", sa.Column("ending", sa.JSON(), nullable=True))
    op.add_column("nodes", sa.Column("role", sa.String(length=16), nullable=False, server_default="compute"))
    op.add_column("nodes", sa.Column("quarantine", sa.Text(), nullable=False, server_default=""))
    op.add_column("nodes", sa.Column("findings", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "members",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("node", sa.String(length=200), nullable=False),
        sa.Column("public_key", sa.String(length=64), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("invited_by", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("node", name=op.f("uq_members_node")),
        sa.UniqueConstraint("public_key", name=op.f("uq_members_public_key")),
    )
    op.create_table(
        "join_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_join_tokens")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_join_tokens_secret_hash")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "leadership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fence", BIG_ID, nullable=False),
        sa.Column("holder", sa.String(length=200), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("messages", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("renewed_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leadership")),
    )
    op.create_table(
        "servers",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("messages", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_servers")),
    )
    op.create_table(
        "call_pieces",
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "digest", "number", name=op.f("pk_call_pieces")),
    )
    op.create_table(
        "locks",
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("fence", BIG_ID, nullable=False),
        sa.Column("job_id", BIG_ID, nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=True),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("taken_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("owner", "name", name=op.f("pk_locks")),
    )
    op.create_table(
        "key_values",
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("revision", BIG_ID, nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_key_values")),
    )
