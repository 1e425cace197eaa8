"""What an attempt has used is kept with it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("cpu_s", "gpu_s", "gpu_load"):
        op.add_column("attempts", sa.Column(name, sa.Float()))
    for name in ("peak_memory_mb", "gpu_load_peak", "gpu_memory_mb", "gpu_memory_peak_mb"):
        op.add_column("attempts", sa.Column(name, sa.Integer()))
