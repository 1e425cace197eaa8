"""The elements of arrays: rows of their own once they begin, thought of before that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from danlu.core.array import Indices, parse_array
from danlu.core.job import Job, JobSpec
from danlu.core.job_id import element_id, index_of, job_of
from danlu.core.states import ACTIVE, IN_QUEUE, EndReason, JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.records import SELECT_JOBS, job_from_row, spec_columns
from danlu.store.jobs.transitions import settle_array

_J = schema.jobs.c
_N = schema.arrays.c
_IS_OPEN = _J.state.in_([state.value for state in IN_QUEUE | ACTIVE])
_WITHOUT_ROW = frozenset({JobState.WAITING, JobState.HELD, JobState.CANCELLED})
"""The states in which an element may be that has no row."""

MOST_LOOKED_AT = 5_000
"""How many indices one look at an array's elements goes through, whatever it finds among them."""

_INSERT_ARRAY = insert(schema.arrays)
_INSERT_ELEMENTS = insert(schema.jobs)
_GET_ARRAY = SELECT_JOBS.where(_J.id == bindparam("wanted"), _J.state != JobState.DELETED.value)
_BEGUN = (
    update(schema.arrays)
    .where(_N.job_id == bindparam("array"))
    .values(begun=bindparam("up_to"), cancelled=_N.cancelled + bindparam("given_up"))
)
_ROWS_FROM = select(func.count()).where(_J.array_id == bindparam("array"), _J.id >= bindparam("first"))
_FIRST_START = (
    update(schema.jobs)
    .where(_J.id == bindparam("array"))
    .values(started_at=func.coalesce(_J.started_at, bindparam("at")))
)


def insert_arrays(tx: Transaction, arrays: Iterable[tuple[int, JobSpec]]) -> None:
    """What arrays have beside their rows as jobs."""
    rows = [array_row(job_id, parse_array(spec.array or "")) for job_id, spec in arrays]
    if rows:
        tx.connection.execute(_INSERT_ARRAY, rows)


def replace_array(tx: Transaction, job_id: int, spec: JobSpec) -> None:
    """A job in the queue, none of whose elements has begun, becomes another array, or none."""
    tx.connection.execute(delete(schema.arrays).where(_N.job_id == job_id))
    if spec.array is not None:
        insert_arrays(tx, [(job_id, spec)])


def array_row(job_id: int, indices: Indices) -> dict[str, Any]:
    row = dict.fromkeys(("begun", "active", "succeeded", "failed", "cancelled"), 0)
    return {
        "job_id": job_id,
        "indices": str(replace(indices, at_most=None)),
        "at_most": indices.at_most,
        "total": len(indices),
        **row,
    }


def next_elements(connection: Connection, array: Job, number: int) -> tuple[list[Job], int]:
    """The next elements of an array that may begin, at most `number`, and how many of its indices are begun
    once they are. An index that has a row already is none of them: it was cancelled, or waits by itself."""
    if array.counts is None:
        return [], 0
    indices = parse_array(array.spec.array or "")
    elements: list[Job] = []
    place = array.counts.begun
    while place < len(indices) and len(elements) < number:
        places = range(place, min(place + number - len(elements), len(indices)))
        wanted = [element_id(array.id, indices.at(each)) for each in places]
        known = set(connection.execute(select(_J.id).where(_J.id.in_(wanted))).scalars())
        elements += [untouched_element(array, each) for each in wanted if each not in known]
        place = places.stop
    return elements, place


def untouched_element(array: Job, job_id: int) -> Job:
    """An element that has no row yet, as it would be shown. Its version is 0."""
    return Job(
        id=job_id,
        owner=array.owner,
        spec=array.spec,
        state=array.state if array.state in IN_QUEUE else JobState.WAITING,
        version=0,
        position=array.position,
        submitted_at=array.submitted_at,
    )


def find_element(connection: Connection, job_id: int) -> Job | None:
    """An element without a row: one that has not begun, or was given up with its array. None: there is no
    such index, or the array is deleted."""
    index = index_of(job_id)
    row = connection.execute(_GET_ARRAY, {"wanted": job_of(job_id)}).one_or_none()
    if row is None or index is None or row.array_total is None:
        return None
    array = job_from_row(row)
    indices = parse_array(array.spec.array or "")
    return _without_row(array, indices, job_id) if index in indices else None


def _without_row(array: Job, indices: Indices, job_id: int) -> Job:
    """An element that has not begun; given up, if its array is beyond it."""
    element = untouched_element(array, job_id)
    begun = array.counts.begun if array.counts else 0
    if indices.place_of(index_of(job_id) or 0) >= begun:
        return element
    return replace(element, state=JobState.CANCELLED, ended_at=array.ended_at, end_reason=EndReason.CANCELLED)


def insert_elements(tx: Transaction, elements: Iterable[Job]) -> list[Job]:
    """Rows for elements that have none: they wait, about to begin or to be cancelled."""
    fresh = [replace(element, version=1, state=JobState.WAITING) for element in elements]
    if fresh:
        tx.connection.execute(_INSERT_ELEMENTS, [_element_row(element) for element in fresh])
    return fresh


def note_begun(tx: Transaction, array: Job, begun: int) -> None:
    """The indices up to there are begun."""
    this = {"array": array.id}
    tx.connection.execute(_BEGUN, {**this, "up_to": begun, "given_up": 0})
    tx.connection.execute(_FIRST_START, {**this, "at": tx.now})
    settle_array(tx, array.id)


def give_up_rest(tx: Transaction, array: Job) -> None:
    """None of the indices that are left will begin: they count as cancelled. One with a row of its own is
    not among them."""
    if array.counts is None or array.counts.begun == array.counts.total:
        return
    first = element_id(array.id, parse_array(array.spec.array or "").at(array.counts.begun))
    own = tx.connection.execute(_ROWS_FROM, {"array": array.id, "first": first}).scalar_one()
    left = array.counts.total - array.counts.begun - own
    tx.connection.execute(_BEGUN, {"array": array.id, "up_to": array.counts.total, "given_up": left})


def open_elements(connection: Connection, array_id: int) -> list[Job]:
    """The elements of an array that have rows and have not ended."""
    found = connection.execute(SELECT_JOBS.where(_J.array_id == array_id, _IS_OPEN).order_by(_J.id))
    return [job_from_row(row) for row in found]


def has_rows(connection: Connection, array_id: int) -> bool:
    """Whether any of its elements has begun, or was cancelled by itself."""
    return connection.execute(select(_J.id).where(_J.array_id == array_id).limit(1)).first() is not None


def list_array(
    connection: Connection, array: Job, start: int, limit: int, state: JobState | None
) -> tuple[list[Job], int | None]:
    """Elements of an array from the index `start` on, with or without rows, and the index where the next page
    begins (None at the end). A page may be short, or empty, and yet not the last."""
    indices = parse_array(array.spec.array or "")
    if state is not None and state not in _WITHOUT_ROW:
        return _list_rows(connection, array, start, limit, state)
    elements: list[Job] = []
    place = indices.place_from(start)
    last = min(place + MOST_LOOKED_AT, len(indices))
    while place < last and len(elements) <= limit:
        ids = [element_id(array.id, indices.at(each)) for each in range(place, min(place + 500, last))]
        rows = connection.execute(SELECT_JOBS.where(_J.id.in_(ids)))
        known = {row.id: job_from_row(row) for row in rows}
        for job_id in ids:
            element = known.get(job_id) or _without_row(array, indices, job_id)
            if state is None or element.state is state:
                elements.append(element)
        place += len(ids)
    if len(elements) > limit:
        return elements[:limit], index_of(elements[limit].id)
    return elements, indices.at(place) if place < len(indices) else None


def _list_rows(
    connection: Connection, array: Job, start: int, limit: int, state: JobState
) -> tuple[list[Job], int | None]:
    wanted = SELECT_JOBS.where(
        _J.array_id == array.id, _J.state == state.value, _J.id >= element_id(array.id, start)
    )
    rows = connection.execute(wanted.order_by(_J.id).limit(limit + 1)).all()
    following = index_of(rows[limit].id) if len(rows) > limit else None
    return [job_from_row(row) for row in rows[:limit]], following


def _element_row(element: Job) -> dict[str, Any]:
    """The spec stays with the array; the columns beside it are what lists and the scheduler read."""
    return {
        "id": element.id,
        "array_id": job_of(element.id),
        "owner": element.owner,
        "state": element.state.value,
        "version": element.version,
        "position": element.position,
        "submitted_at": element.submitted_at,
        "attempt": 0,
        "retries_used": 0,
        "detail": "",
        **spec_columns(element.spec),
        "spec": {},
    }
