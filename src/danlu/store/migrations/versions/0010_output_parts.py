"""Where the output of each task begins in a file that its user named"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "output_parts",
        sa.Column("job_id", BIG_ID, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("stream", sa.String(length=8), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("inode", sa.String(length=20), nullable=False),
        sa.Column("filesystem", sa.String(length=40), nullable=False),
        sa.Column("begins_at", BIG_ID, nullable=False),
        sa.Column("began_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id", "attempt"],
            ["attempts.job_id", "attempts.number"],
            name=op.f("fk_output_parts_job_id_attempt_attempts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("job_id", "attempt", "rank", "stream", name=op.f("pk_output_parts")),
    )
    op.create_index(op.f("ix_output_parts_inode"), "output_parts", ["inode"])
