"""Arrays, sharing, rules for single GPUs, and ids of 64 bits"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ENDED_JOBS = "array_id IS NULL AND ended_at IS NOT NULL"
PRESENT_JOBS = "array_id IS NULL AND state != 'deleted'"
LISTED = {
    "ix_jobs_by_end": (["ended_at", "id", "name", "owner", "state"], ENDED_JOBS),
    "ix_jobs_by_owner": (["owner", "ended_at", "id", "name", "state"], ENDED_JOBS),
    "ix_jobs_by_id": (["id", "name", "owner"], PRESENT_JOBS),
    "ix_jobs_of_arrays": (["array_id", "state"], "array_id IS NOT NULL"),
}
WIDENED = {
    "allocations": ("job_id",),
    "attempts": ("job_id",),
    "dependencies": ("job_id", "predecessor_id"),
    "events": ("id", "job_id"),
    "jobs": ("id",),
    "tasks": ("job_id",),
}


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        # SQLite's integers have 64 bits already.
        for table, columns in WIDENED.items():
            for column in columns:
                op.alter_column(table, column, type_=sa.BigInteger())
        for table in ("events", "jobs"):
            op.execute(f"ALTER SEQUENCE {table}_id_seq AS bigint")
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", BIG_ID, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.execute("INSERT INTO counters (name, value) SELECT 'job', COALESCE(MAX(id), 0) FROM jobs")
    op.create_table(
        "arrays",
        sa.Column("job_id", BIG_ID, nullable=False),
        sa.Column("indices", sa.Text(), nullable=False),
        sa.Column("at_most", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("begun", sa.Integer(), nullable=False),
        sa.Column("active", sa.Integer(), nullable=False),
        sa.Column("succeeded", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_arrays_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_arrays")),
    )
    op.add_column("jobs", sa.Column("array_id", BIG_ID, nullable=True))
    op.drop_index(op.f("ix_jobs_ended_at_id"), "jobs")
    op.drop_index(op.f("ix_jobs_owner_ended_at_id"), "jobs")
    for name, (listed, which) in LISTED.items():
        op.create_index(name, "jobs", listed, sqlite_where=sa.text(which), postgresql_where=sa.text(which))
    active = sa.text("active > 0")
    op.create_index("ix_arrays_under_way", "arrays", ["job_id"], sqlite_where=active, postgresql_where=active)
    for table in ("jobs", "tasks"):
        op.add_column(table, sa.Column("share", sa.Boolean(), nullable=False, server_default=sa.false()))
        op.add_column(table, sa.Column("no_sharing", sa.Boolean(), nullable=False, server_default=sa.false()))
        op.add_column(table, sa.Column("gpu_memory_mb", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("allocations", sa.Column("memory_mb", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("nodes", sa.Column("gpu_rules", sa.JSON(), nullable=False, server_default="{}"))
