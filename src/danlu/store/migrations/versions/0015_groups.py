"""Users are in groups that mentors lead, and have a name, a student id, an address and a language"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "groups",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_groups"),
    )
    op.create_table(
        "group_mentors",
        sa.Column("group_name", sa.String(length=64), nullable=False),
        sa.Column("user_name", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_name"], ["groups.name"], name="fk_group_mentors_group_name_groups", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_name"], ["users.name"], name="fk_group_mentors_user_name_users", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("group_name", "user_name", name="pk_group_mentors"),
    )
    op.create_index("ix_group_mentors_user_name", "group_mentors", ["user_name"])
    # No version could set it.
    op.drop_column("users", "mentor")
    op.add_column("users", sa.Column("group_name", sa.String(length=64), nullable=True))
    for name, length in (("full_name", 200), ("student_id", 64), ("email", 254)):
        op.add_column("users", sa.Column(name, sa.String(length=length), nullable=False, server_default=""))
    op.add_column("users", sa.Column("language", sa.String(length=8), nullable=True))
    op.create_index("ix_users_group_name", "users", ["group_name"])
