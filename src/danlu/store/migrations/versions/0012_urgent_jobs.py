"""The urgent jobs of the queue are found without reading the others"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_jobs_urgent",
        "jobs",
        ["state", "position", "id"],
        sqlite_where=sa.text("urgent = 1"),
        postgresql_where=sa.text("urgent"),
    )
