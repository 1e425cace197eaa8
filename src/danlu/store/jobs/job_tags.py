"""The tags of jobs, kept beside their specs so that lists can be searched for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, select

from danlu.store.engine import schema
from danlu.store.engine.bulk_rows import insert_rows
from danlu.store.engine.database import Transaction, in_parts

_T = schema.job_tags.c
_GET_TAGS = (
    select(_T.job_id, _T.key, _T.value)
    .where(_T.job_id.in_(bindparam("wanted", expanding=True)))
    .order_by(_T.job_id, _T.key)
)


class TagQuery(NamedTuple):
    """Jobs with this key; with this very value, unless it is None."""

    key: str
    value: str | None


def parse_tag(text: str) -> TagQuery:
    """What `project=vit`, or `project`, means."""
    key, equals, value = text.partition("=")
    return TagQuery(key.strip(), value.strip() if equals else None)


def set_tags(tx: Transaction, job_id: int, tags: Mapping[str, str]) -> None:
    tx.connection.execute(delete(schema.job_tags).where(_T.job_id == job_id))
    insert_tags(tx, [(job_id, tags)])


def insert_tags(tx: Transaction, many: Iterable[tuple[int, Mapping[str, str]]]) -> None:
    """Those of jobs that have none yet."""
    rows = [(job_id, key, value) for job_id, tags in many for key, value in tags.items()]
    insert_rows(tx.connection, schema.job_tags, ("job_id", "key", "value"), rows)


def tags_of(connection: Connection, job_ids: Iterable[int]) -> dict[int, dict[str, str]]:
    """Of those that have any."""
    found: dict[int, dict[str, str]] = {}
    for part in in_parts(job_ids):
        for row in connection.execute(_GET_TAGS, {"wanted": part}):
            found.setdefault(row.job_id, {})[row.key] = row.value
    return found


def is_tagged(tag: TagQuery) -> list[ColumnElement[bool]]:
    """What holds for the rows of a tag, and of no other."""
    same = [_T.key == tag.key]
    return same if tag.value is None else [*same, _T.value == tag.value]


def has_tag(tag: TagQuery) -> ColumnElement[Any]:
    """A condition on jobs, looked up for each that a list comes by."""
    return exists().where(_T.job_id == schema.jobs.c.id, *is_tagged(tag))
