"""Where jobs could not be set up, by no fault of their own"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("node_faults", sa.JSON(none_as_null=True), nullable=True))
