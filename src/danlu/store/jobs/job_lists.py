"""Lists of jobs, page by page: every order has an index, or is over few jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import islice
from typing import Any, Literal

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    false,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    tuple_,
)

from danlu.core.errors import Invalid
from danlu.core.job import JobSummary
from danlu.core.job_id import LARGEST_JOB, job_of, parse_label
from danlu.core.states import ACTIVE, ENDED, IN_QUEUE, EndReason, JobState
from danlu.store.engine import schema, sql_functions
from danlu.store.engine.database import in_parts
from danlu.store.engine.records import ARRAY_COUNTS, summary_from_row
from danlu.store.jobs.job_tags import TagQuery, has_tag, is_tagged, tags_of
from danlu.store.jobs.queue_order import URGENT_FIRST

_J = schema.jobs.c
_SUMMARY = (
    _J.id,
    _J.owner,
    _J.name,
    _J.queue,
    _J.state,
    _J.position,
    _J.urgent,
    _J.gpus,
    _J.gpu_ids,
    _J.cpus,
    _J.memory_mb,
    _J.node,
    _J.submitted_at,
    _J.attempt,
    _J.not_before,
    _J.started_at,
    _J.ended_at,
    _J.end_reason,
    _J.exit_code,
    _J.signal,
    _J.placed,
    _J.share,
    _J.no_sharing,
    _J.gpu_memory_mb,
    _J.nodes,
    _J.nodes_min,
    _J.wants,
)
_GET_SUMMARIES = (
    select(*_SUMMARY, *ARRAY_COUNTS)
    .outerjoin_from(schema.jobs, schema.arrays, schema.arrays.c.job_id == _J.id)
    .where(_J.id.in_(bindparam("wanted", expanding=True)))
)
_UNDER_WAY = select(schema.arrays.c.job_id).where(schema.arrays.c.active > 0)
_PRESENT = _J.state != literal_column("'deleted'")
"""As an index of lists has it: a database uses that only for a query that says the very same."""

_FOREVER = 1e12
"""Later than any time."""
_RUNNING_FOR = case(
    (_J.state.in_(sorted(ACTIVE)), func.coalesce(_FOREVER - _J.started_at, 0.0)), else_=literal(0.0)
)
"""Orders what runs by how long it has, without asking what time it is. What waits has not run at all."""
_ENDLESS = literal(_FOREVER)
_NAME, _OWNER = sql_functions.ascii_lower(_J.name), sql_functions.by_code(_J.owner)

Cursor = tuple[float | str, ...]
Column = ColumnElement[Any]
Group = tuple[tuple[Column, ...], bool]
"""Columns, and whether they go down."""
Kind = Literal["queue", "urgent", "others", "active", "live", "ended", "present"]
"""What a part of a list is made of: those in the queue, the urgent ones of them, the others of them; those
with an attempt under way; in the queue or under way; those in history; all."""

_STATES: dict[Kind, frozenset[JobState]] = {
    "queue": IN_QUEUE,
    "urgent": IN_QUEUE,
    "others": IN_QUEUE,
    "active": ACTIVE,
    "live": IN_QUEUE | ACTIVE,
    "ended": ENDED,
    "present": IN_QUEUE | ACTIVE | ENDED,
}
_FEW: frozenset[Kind] = frozenset({"queue", "urgent", "others", "active", "live"})
_KINDS: dict[str, Kind] = {"waiting": "queue", "running": "active", "history": "ended"}


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which jobs, and from where. A cursor is the place in the order of the last row of the page before.

    `ids` are the jobs that `name`, `search` and `tag` mean, and `owners` those whose name has `search` in it,
    where that is known; else it is looked for. `among`: only jobs of these owners.
    """

    area: str | None = None
    owner: str | None = None
    among: Sequence[str] | None = None
    state: JobState | None = None
    end_reason: EndReason | None = None
    name: str | None = None
    search: str | None = None
    tag: TagQuery | None = None
    ids: Sequence[int] | None = None
    owners: Sequence[str] | None = None
    sort: str | None = None
    cursor: Cursor | None = None
    limit: int = 100

    @property
    def all_owners(self) -> frozenset[str] | None:
        """Whose jobs it is of; None: of all."""
        if self.owner is None:
            return None if self.among is None else frozenset(self.among)
        return frozenset({self.owner} if self.among is None or self.owner in self.among else ())


class _Order:
    """Columns in groups. A group goes up or down as a whole, so that it can be compared as a whole; the id is
    the last column of all."""

    def __init__(self, *groups: Group) -> None:
        self.groups = groups
        self.columns = [column for columns, _ in groups for column in columns]
        self._downs = [down for columns, down in groups for _ in columns]

    @property
    def clauses(self) -> list[Column]:
        directed = zip(self.columns, self._downs, strict=True)
        # What is the same for a whole part orders nothing there.
        moving = [each for each in directed if not isinstance(each[0], BindParameter)]
        return [column.desc() if down else column.asc() for column, down in moving]

    def key(self, place: Sequence[Any]) -> list[Any]:
        """Sorts here as the database does there."""
        return [-value if down else value for value, down in zip(place, self._downs, strict=True)]

    def steps(self, cursor: Cursor | None) -> Iterator[Column | None]:
        """What comes behind the cursor, in steps: each is one walk along an index."""
        if cursor is None:
            yield None
            return
        for number in range(len(self.groups) - 1, -1, -1):
            columns, down = self.groups[number]
            before = [column for earlier, _ in self.groups[:number] for column in earlier]
            same = [column == value for column, value in zip(before, cursor, strict=False)]
            here = cursor[len(before) : len(before) + len(columns)]
            left, right = (tuple_(*columns), tuple_(*here)) if len(columns) > 1 else (columns[0], here[0])
            yield and_(*same, left < right if down else left > right)

    def check(self, cursor: Cursor) -> None:
        """Raises Invalid for one that was not made by this order."""
        texts = [isinstance(column, sql_functions.ComparedText) for column in self.columns]
        if [isinstance(value, str) for value in cursor] != texts:
            raise Invalid("bad_cursor", field="cursor")


def _up(*columns: Column) -> Group:
    return columns, False


def _down(*columns: Column) -> Group:
    return columns, True


_ID_OF_FEW = _J.id + literal_column("0")
"""Of those that have not ended, who are found by their states. No database shall look for them among all
others because these are in the order of their ids."""
_USUAL: dict[Kind, Group] = {
    "queue": _up(URGENT_FIRST, _J.position, _J.id),
    "urgent": _up(_J.position, _J.id),
    "others": _up(_J.position, _J.id),
    "active": _down(_ID_OF_FEW),
    "live": _down(_ID_OF_FEW),
    "ended": _down(_J.ended_at, _J.id),
    "present": _down(_J.id),
}
_RANKS: dict[Kind, Column] = {"urgent": literal(0), "others": literal(1)}
"""Before the usual order: the first page of a long queue is two short walks along indexes, not a sort."""
_LONGEST: dict[Kind, Group] = {
    "queue": _up(_J.submitted_at, _J.id),
    "active": _down(_RUNNING_FOR, _J.id),
    "live": _down(_RUNNING_FOR, _J.id),
    "ended": _down(schema.DURATION, _J.id),
}


def list_jobs(connection: Connection, query: ListQuery) -> tuple[list[JobSummary], Cursor | None]:
    """One page of jobs and the cursor of the next (None at the end).

    Unless sorted otherwise, waiting jobs come in queue order (urgent ones lead), ended ones latest end
    first, everything else newest first. Jobs of one name or one owner come in that order among themselves.
    """
    if query.ids is not None and not query.ids:
        return [], None
    parts = [(kind, _order(query, kind)) for kind in _parts(query)]
    order = parts[0][1]
    if query.cursor is not None:
        order.check(query.cursor)
    # First the ids: a narrow index answers that, and a long history is searched without its wide rows.
    walks = [_walk(connection, query, kind, each) for kind, each in parts]
    places: list[Any] = list(islice(merge(*walks, key=order.key), query.limit + 1))
    found = {
        row.id: summary_from_row(row)
        for part in in_parts(place[-1] for place in places)
        for row in connection.execute(_GET_SUMMARIES, {"wanted": part})
    }
    for job_id, tags in tags_of(connection, found).items():
        found[job_id] = replace(found[job_id], tags=tags)
    rows = [found[place[-1]] for place in places[: query.limit]]
    return rows, tuple(places[query.limit - 1]) if len(places) > query.limit else None


def _parts(query: ListQuery) -> list[Kind]:
    """A list of everything is put together from two, where no index has all that is asked for; and so is
    the queue, whose urgent jobs lead."""
    if query.area == "waiting" and query.sort is None:
        return ["urgent", "others"]
    if query.area is not None:
        return [_KINDS[query.area]]
    if query.state is not None:
        return ["ended" if query.state in ENDED else "live"]
    by_id = query.sort in (None, "newest", "oldest")
    return ["present"] if by_id and query.end_reason is None else ["live", "ended"]


def _order(query: ListQuery, kind: Kind) -> _Order:
    everything = query.area is None
    usual = _USUAL[kind]
    number = _ID_OF_FEW if kind in _FEW else _J.id
    match query.sort:
        case "newest":
            return _Order(_down(number))
        case "oldest":
            return _Order(_up(number))
        case "longest":
            return _Order(_LONGEST[kind])
        case "name" | "owner":
            first = _NAME if query.sort == "name" else _OWNER
            if everything:
                # What has not ended stands before what has.
                usual = _down(_J.ended_at if kind == "ended" else _ENDLESS, _J.id)
            return _Order(_up(first), usual) if usual[1] else _Order(_up(first, *usual[0]))
        case _ if kind in _RANKS:
            return _Order(_up(_RANKS[kind]), usual)
        case _:
            return _Order(_down(number) if everything else usual)


def _walk(connection: Connection, query: ListQuery, kind: Kind, order: _Order) -> Iterator[Sequence[Any]]:
    """Where the jobs of one part stand in the order, up to as many as a page can show."""
    statement = select(*order.columns).where(*_conditions(connection, query, kind))
    if query.ids is not None:
        # Few: sorted here, so that no index seems better than the one of the ids.
        few = sorted(connection.execute(statement), key=order.key)
        passed = order.key(query.cursor) if query.cursor is not None else None
        yield from (place for place in few if passed is None or order.key(place) > passed)
        return
    if connection.dialect.name == "postgresql":
        # It takes a text for rarer than it is, and would rather sort a whole history. Few can be sorted.
        connection.exec_driver_sql(f"SET LOCAL enable_sort = {'on' if kind in _FEW else 'off'}")
    left = query.limit + 1
    for step in order.steps(query.cursor):
        behind = statement if step is None else statement.where(step)
        for place in connection.execute(behind.order_by(*order.clauses).limit(left)).all():
            left -= 1
            yield place
        if not left:
            return


def _conditions(connection: Connection, query: ListQuery, kind: Kind) -> list[Column]:
    states = _STATES[kind] if query.state is None else _STATES[kind] & {query.state}
    # Of two indexes the one of the order is taken, so that a page is a walk along it and never a sort.
    by_owner = kind == "ended" and query.sort in (None, "owner")
    found: list[Column] = [_in_states(connection, query, kind, states), _J.array_id.is_(None)]
    if kind in _RANKS:
        found.append(_J.urgent == (true() if kind == "urgent" else false()))
    if kind == "present":
        # The elements of arrays are beyond: the query need not walk past them.
        found.append(_J.id <= LARGEST_JOB)
    if query.owner is not None:
        found.append((_OWNER if by_owner else sql_functions.unindexed(_OWNER)) == query.owner)
    if query.among is not None:
        found.append(sql_functions.unindexed(_OWNER).in_(query.among))
    if query.end_reason is not None:
        found.append(_J.end_reason == query.end_reason.value)
    if query.ids is not None:
        found.append(_J.id.in_(bindparam("ids", list(query.ids), expanding=True, literal_execute=True)))
        return found
    if query.tag is not None:
        found.append(has_tag(query.tag))
    return [*found, *_texts(connection, query)]


def tagged_jobs(connection: Connection, query: ListQuery, most: int) -> list[tuple[int, JobState]]:
    """The jobs that a list with a tag is of, whatever their states; no more than `most`."""
    assert query.tag is not None  # noqa: S101 - callers have one
    tags = schema.job_tags
    statement = (
        select(_J.id, _J.state)
        .join_from(tags, schema.jobs, tags.c.job_id == _J.id)
        .where(*is_tagged(query.tag), *_texts(connection, query))
        .limit(most)
    )
    if query.owner is not None:
        statement = statement.where(sql_functions.unindexed(_OWNER) == query.owner)
    if query.among is not None:
        statement = statement.where(sql_functions.unindexed(_OWNER).in_(query.among))
    return [(row.id, JobState(row.state)) for row in connection.execute(statement)]


def _texts(connection: Connection, query: ListQuery) -> list[Column]:
    found: list[Column] = []
    if query.name:
        found.append(_has_text(connection, query.name, [_J.name]))
    if query.search:
        by_owner_too = [_J.name, _J.owner] if query.owners is None else [_J.name]
        searched = _has_text(connection, query.search, by_owner_too)
        found.append(or_(searched, _OWNER.in_(query.owners)) if query.owners else searched)
    return found


def _in_states(connection: Connection, query: ListQuery, kind: Kind, states: frozenset[JobState]) -> Column:
    named = sorted(state.value for state in states)
    if kind == "ended":
        ended = _J.ended_at.is_not(None)
        return ended if query.state is None else and_(ended, sql_functions.unindexed(_J.state).in_(named))
    if kind == "present":
        return _PRESENT
    wanted: Column = _J.state.in_(named)
    if JobState.RUNNING in states and JobState.WAITING not in states:
        # An array stands in the queue until its last element has begun; people see it run from the first.
        under_way = list(connection.execute(_UNDER_WAY).scalars())
        if under_way:
            wanted = or_(wanted, and_(_J.state == JobState.WAITING.value, _J.id.in_(under_way)))
    return wanted


def _has_text(connection: Connection, text: str, columns: Sequence[Column]) -> Column:
    """Jobs with the text in one of the columns, whatever the case of Latin letters; and the job of that
    number."""
    # SQLite's LIKE minds no case by itself; to lower every name of a long history would cost most of all.
    minds_case = connection.dialect.name != "sqlite"
    compared = [sql_functions.ascii_lower(column) if minds_case else column for column in columns]
    matches: list[Column] = [column.contains(ascii_folded(text), autoescape=True) for column in compared]
    if (number := number_in(text)) is not None:
        matches.append(_J.id == number)
    return or_(*matches)


def ascii_folded(text: str) -> str:
    """As texts are compared: the case of Latin letters means nothing."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def number_in(text: str) -> int | None:
    """The job that a text means by its number, if any: `12`, and the array of `12[3]`."""
    try:
        return job_of(parse_label(text))
    except ValueError:
        return None
