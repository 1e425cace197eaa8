"""Until when what was made with an expiring token may last"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("sessions", "login_links"):
        op.add_column(table, sa.Column("ceiling", sa.Float(), nullable=True))
