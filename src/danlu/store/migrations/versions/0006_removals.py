"""What nodes still have of deleted jobs"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "removals",
        sa.Column("node", sa.String(length=200), nullable=False),
        sa.Column("job_id", BIG_ID, nullable=False),
        sa.PrimaryKeyConstraint("node", "job_id", name=op.f("pk_removals")),
    )
