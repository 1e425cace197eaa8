"""An index for each order in which the history is listed"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ENDED_JOBS = "array_id IS NULL AND ended_at IS NOT NULL"
REPLACED = ("ix_jobs_by_end", "ix_jobs_by_owner")


def upgrade() -> None:
    # Texts are compared by their code points, whatever the language of a PostgreSQL database.
    collated = ' COLLATE "C"' if op.get_bind().dialect.name == "postgresql" else ""
    owner = f"(owner{collated})" if collated else "owner"
    for name in REPLACED:
        op.drop_index(name, "jobs")
    for name, columns in {
        "ix_jobs_by_end": "ended_at, id, owner, state, end_reason, name",
        "ix_jobs_by_owner": f"{owner}, ended_at DESC, id DESC, state, end_reason, name",
        "ix_jobs_by_name": f"lower(name{collated}), ended_at DESC, id DESC, owner, state, end_reason, name",
        "ix_jobs_by_duration": (
            "(ended_at - coalesce(started_at, ended_at)), id, owner, state, end_reason, name"
        ),
        "ix_jobs_ended_by_id": "id, owner, state, end_reason, name",
    }.items():
        op.execute(f"CREATE INDEX {name} ON jobs ({columns}) WHERE {ENDED_JOBS}")
