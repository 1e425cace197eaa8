"""Nothing private is left of jobs that were deleted earlier"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

EMPTY = {
    "command": "",
    **{name: [] for name in ("arguments", "gpu_ids", "mounts", "mail", "retry_on", "dependencies")},
}
AT_A_TIME = 1000

jobs = sa.table(
    "jobs",
    *(sa.column(name) for name in ("id", "array_id", "state", "name", "detail")),
    sa.column("spec", sa.JSON()),
    sa.column("wants", sa.JSON(none_as_null=True)),
)
attempts = sa.table("attempts", sa.column("job_id"), sa.column("detail"))
tasks = sa.table(
    "tasks",
    *(sa.column(name) for name in ("job_id", "stdout_path", "stderr_path")),
    sa.column("ending", sa.JSON(none_as_null=True)),
)
events = sa.table("events", sa.column("id"), sa.column("job_id"), sa.column("data", sa.JSON()))


def upgrade() -> None:
    deleted = sa.select(jobs.c.id).where(jobs.c.state == "deleted")
    gone = sa.or_(jobs.c.state == "deleted", jobs.c.array_id.in_(deleted))
    of_gone = sa.select(jobs.c.id).where(gone)
    op.execute(jobs.update().where(jobs.c.state == "deleted").values(spec=EMPTY))
    op.execute(attempts.update().where(attempts.c.job_id.in_(of_gone)).values(detail=""))
    op.execute(
        tasks.update()
        .where(tasks.c.job_id.in_(of_gone))
        .values(stdout_path="", stderr_path="", ending=sa.null())
    )
    op.execute(jobs.update().where(gone).values(name="", detail="", wants=sa.null()))
    _erase_names(deleted)


def _erase_names(deleted: Any) -> None:
    """In the events of the deleted jobs."""
    connection = op.get_bind()
    last = 0
    while rows := connection.execute(
        sa.select(events.c.id, events.c.data)
        .where(events.c.id > last, events.c.job_id.in_(deleted))
        .order_by(events.c.id)
        .limit(AT_A_TIME)
    ).all():
        for row in rows:
            if row.data.get("name"):
                values = {"data": {**row.data, "name": ""}}
                connection.execute(events.update().where(events.c.id == row.id).values(values))
        last = rows[-1].id
