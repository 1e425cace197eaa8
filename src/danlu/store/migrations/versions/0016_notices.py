"""Notices of admins, and which users dismissed them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("level", sa.String(16), nullable=False),
        sa.Column("text_en", sa.Text(), nullable=False),
        sa.Column("text_zh", sa.Text(), nullable=False),
        sa.Column("begins_at", sa.Float(), nullable=False),
        sa.Column("ends_at", sa.Float()),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "notice_dismissals",
        sa.Column("notice_id", sa.Integer(), nullable=False),
        sa.Column("user_name", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["notice_id"],
            ["notices.id"],
            name=op.f("fk_notice_dismissals_notice_id_notices"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_name"],
            ["users.name"],
            name=op.f("fk_notice_dismissals_user_name_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("notice_id", "user_name", name=op.f("pk_notice_dismissals")),
    )
