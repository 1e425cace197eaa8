"""The tables. Written for SQLite and PostgreSQL alike; changed only through a migration."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)

from danlu.store.engine.account_tables import group_mentors, groups, login_links, sessions, tokens, users
from danlu.store.engine.metadata import BigId, metadata
from danlu.store.engine.node_tables import join_tokens, leadership, members, nodes, secrets, servers
from danlu.store.engine.notice_tables import notice_dismissals, notices
from danlu.store.engine.sql_functions import ascii_lower

__all__ = [
    "group_mentors",
    "groups",
    "join_tokens",
    "leadership",
    "login_links",
    "members",
    "metadata",
    "nodes",
    "notice_dismissals",
    "notices",
    "secrets",
    "servers",
    "sessions",
    "tokens",
    "users",
]
"""What is declared beside, of the same metadata."""

jobs = Table(
    "jobs",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("array_id", BigId),
    Column("owner", String(64), nullable=False),
    Column("name", String(200), nullable=False),
    Column("queue", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("position", Float, nullable=False),
    Column("spec", JSON, nullable=False),
    Column("urgent", Boolean, nullable=False),
    Column("gpus", Integer, nullable=False),
    Column("gpu_ids", JSON, nullable=False),
    Column("cpus", Integer, nullable=False),
    Column("memory_mb", Integer, nullable=False),
    Column("node", String(200)),
    Column("share", Boolean, nullable=False, default=False),
    Column("no_sharing", Boolean, nullable=False, default=False),
    Column("gpu_memory_mb", Integer, nullable=False, default=0),
    Column("nodes", Integer, nullable=False, default=1),
    Column("nodes_min", Integer, nullable=False, default=1),
    Column("wants", JSON(none_as_null=True)),
    Column("submitted_at", Float, nullable=False),
    Column("attempt", Integer, nullable=False, default=0),
    Column("retries_used", Integer, nullable=False, default=0),
    Column("not_before", Float),
    Column("stop_intent", String(16)),
    Column("placed", JSON),
    Column("started_at", Float),
    Column("ended_at", Float),
    Column("end_reason", String(32)),
    Column("exit_code", Integer),
    Column("signal", Integer),
    Column("detail", Text, nullable=False, default=""),
    Column("node_faults", JSON(none_as_null=True)),
    Column("idempotency_key", String(200)),
    Column("request_digest", String(64)),
    UniqueConstraint("owner", "idempotency_key"),
    Index(None, "state", "position", "id"),
)
"""Ids are never reused, and a deleted job stays as a row in state `deleted`.

An element of an array is a row of its own once it has started (or was cancelled before it could); `array_id`
is its array then, and its id is made of the array's and its index (`core.job_id`).

`urgent` to `node` repeat the ask of `spec`: the scheduler and the lists read thousands of rows and must not
parse a script for each. `ended_at` is null unless the job is in the history.
"""

arrays = Table(
    "arrays",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("indices", Text, nullable=False),
    Column("at_most", Integer),
    Column("total", Integer, nullable=False),
    Column("begun", Integer, nullable=False, default=0),
    Column("active", Integer, nullable=False, default=0),
    Column("succeeded", Integer, nullable=False, default=0),
    Column("failed", Integer, nullable=False, default=0),
    Column("cancelled", Integer, nullable=False, default=0),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
)
"""What a job that is an array has beside its row: `begun` counts the indices that were started or given
up, the others how its tasks fare. An index from there on has no row yet, so that ten thousand cost as little
to submit as one."""

ENDED_JOBS = "array_id IS NULL AND ended_at IS NOT NULL"
PRESENT_JOBS = "array_id IS NULL AND state != 'deleted'"


_J = jobs.c
DURATION = _J.ended_at - func.coalesce(_J.started_at, _J.ended_at)
"""How long a job of the history ran; one that never began took no time."""
_NARROW = (_J.owner, _J.state, _J.end_reason, _J.name)
LISTED: dict[str, tuple[tuple[Any, ...], str]] = {
    "ix_jobs_by_end": ((_J.ended_at, _J.id, *_NARROW), ENDED_JOBS),
    # PostgreSQL has the owner in the collation C there, as `by_code` asks for it.
    "ix_jobs_by_owner": ((_J.owner, _J.ended_at.desc(), _J.id.desc(), *_NARROW[1:]), ENDED_JOBS),
    "ix_jobs_by_name": ((ascii_lower(_J.name), _J.ended_at.desc(), _J.id.desc(), *_NARROW), ENDED_JOBS),
    "ix_jobs_by_duration": ((DURATION, _J.id, *_NARROW), ENDED_JOBS),
    "ix_jobs_ended_by_id": ((_J.id, *_NARROW), ENDED_JOBS),
    "ix_jobs_by_id": ((_J.id, _J.name, _J.owner), PRESENT_JOBS),
    "ix_jobs_of_arrays": ((_J.array_id, _J.state), "array_id IS NOT NULL"),
}
"""The indexes of lists, and of the elements of arrays: one for each order. They have what a list can be
narrowed by, so that a history of any length is walked through without its wide rows; and they leave out what
they can, so that a job on its way from submission to its end touches none of them."""
for index, (columns, which) in LISTED.items():
    Index(index, *columns, sqlite_where=text(which), postgresql_where=text(which))
Index(
    "ix_jobs_urgent",
    _J.state,
    _J.position,
    _J.id,
    sqlite_where=text("urgent = 1"),
    postgresql_where=text("urgent"),
)
"""Leads the list of the waiting jobs; no other job touches it."""
Index(
    "ix_arrays_under_way",
    arrays.c.job_id,
    sqlite_where=arrays.c.active > 0,
    postgresql_where=arrays.c.active > 0,
)

counters = Table(
    "counters",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", BigId, nullable=False),
)
"""The last id given out, per kind of thing: what is deleted for good never gives its id to another."""

dependencies = Table(
    "dependencies",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("predecessor_id", BigId, primary_key=True, index=True),
    Column("kind", String(8), nullable=False),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["predecessor_id"], ["jobs.id"], ondelete="CASCADE"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("started_at", Float),
    Column("ended_at", Float),
    Column("end_reason", String(32)),
    Column("exit_code", Integer),
    Column("signal", Integer),
    Column("detail", Text, nullable=False, default=""),
    Column("cpu_s", Float),
    Column("peak_memory_mb", Integer),
    Column("gpu_s", Float),
    Column("gpu_load", Float),
    Column("gpu_load_peak", Integer),
    Column("gpu_memory_mb", Integer),
    Column("gpu_memory_peak_mb", Integer),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
)
"""From `cpu_s` on: what it used. That of the GPUs is known a while after its end."""

tasks = Table(
    "tasks",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("node", String(200), nullable=False),
    Column("gpu_ids", JSON, nullable=False),
    Column("cpus", Integer, nullable=False),
    Column("memory_mb", Integer, nullable=False),
    Column("share", Boolean, nullable=False, default=False),
    Column("no_sharing", Boolean, nullable=False, default=False),
    Column("gpu_memory_mb", Integer, nullable=False, default=0),
    Column("stdout_path", Text, nullable=False),
    Column("stderr_path", Text, nullable=False),
    Column("boot_id", String(64), nullable=False),
    Column("address", String(200), nullable=False, default=""),
    Column("port", Integer),
    Column("second_port", Integer),
    Column("leased", Boolean, nullable=False, default=False),
    Column("started_at", Float),
    Column("ending", JSON(none_as_null=True)),
    ForeignKeyConstraint(["job_id", "attempt"], ["attempts.job_id", "attempts.number"], ondelete="CASCADE"),
)

output_parts = Table(
    "output_parts",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("stream", String(8), primary_key=True),
    Column("path", Text, nullable=False),
    Column("inode", String(20), nullable=False),
    Column("filesystem", String(40), nullable=False),
    Column("begins_at", BigId, nullable=False),
    Column("began_at", Float, nullable=False),
    ForeignKeyConstraint(["job_id", "attempt"], ["attempts.job_id", "attempts.number"], ondelete="CASCADE"),
    Index(None, "inode"),
)
"""Only of output that goes to files which the user named. An inode may have 64 bits, and no sign."""

job_usage = Table(
    "job_usage",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("until", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["job_id", "attempt"], ["attempts.job_id", "attempts.number"], ondelete="CASCADE"),
)
"""What the GPUs of a task did, up to `until`; what came later is in `node_readings`."""

job_tags = Table(
    "job_tags",
    metadata,
    Column("job_id", BigId, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("value", String(200), nullable=False),
    ForeignKeyConstraint(["job_id"], ["jobs.id"], ondelete="CASCADE"),
    Index("ix_job_tags_key_value_job_id", "key", "value", "job_id"),
)
"""The tags of jobs as their specs have them, to be searched; a deleted job has none, and an element of an
array those of the array."""

node_readings = Table(
    "node_readings",
    metadata,
    Column("until", Float, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""What all nodes were doing in the last hour, in stretches: how the next server knows it."""

allocations = Table(
    "allocations",
    metadata,
    Column("node", String(200), primary_key=True),
    Column("gpu_index", Integer, primary_key=True),
    Column("slot", Integer, primary_key=True, default=0),
    Column("job_id", BigId, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("memory_mb", Integer, nullable=False, default=0),
    Index(None, "job_id", "attempt"),
)
"""One row for each GPU slot a task holds now: its primary key is why no slot is ever given twice.

`memory_mb` is what the holder was promised of the card. Slots from `SHARED` on are those of jobs that share.
"""

SHARED = 1000

events = Table(
    "events",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("at", Float, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("job_id", BigId, index=True),
    Column("attempt", Integer),
    Column("node", String(200)),
    Column("actor", String(64)),
    Column("data", JSON, nullable=False),
    sqlite_autoincrement=True,
)

audit = Table(
    "audit",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("at", Float, nullable=False),
    Column("actor", String(200)),
    Column("via", String(16), nullable=False),
    Column("address", String(64), nullable=False),
    Column("action", String(32), nullable=False),
    Column("target_kind", String(32), nullable=False),
    Column("target", String(200), nullable=False),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
    Column("details", JSON(none_as_null=True)),
    Index(None, "at"),
    Index(None, "actor", "id"),
    Index(None, "target_kind", "target", "id"),
    sqlite_autoincrement=True,
)
"""Who did what, from where. Triggers of the database refuse to change an entry, and to remove one that is not
older than the setting `audit_kept_from` says."""

call_pieces = Table(
    "call_pieces",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("of", Integer, nullable=False),
    Column("content", Text, nullable=False),
)
"""What jobs that are functions call, in base64, where several servers must have it: `of` so many pieces."""

locks = Table(
    "locks",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("fence", BigId, nullable=False),
    Column("job_id", BigId),
    Column("attempt", Integer),
    Column("holder", String(64), nullable=False),
    Column("taken_at", Float, nullable=False),
    Column("expires_at", Float),
)
"""Named locks of a user's jobs, while they are held. `holder` is what who asked calls itself: who asks again
under the same name gets the same grant. `fence` is taken from `counters`: it only ever grows."""

key_values = Table(
    "key_values",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("value", Text, nullable=False),
    Column("revision", BigId, nullable=False),
    Column("changed_at", Float, nullable=False),
)

removals = Table(
    "removals",
    metadata,
    Column("node", String(200), primary_key=True),
    Column("job_id", BigId, primary_key=True),
)
"""What is still to be removed: `node` has files of `job_id`, which is deleted."""

settings = Table(
    "settings",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", JSON, nullable=False),
)
