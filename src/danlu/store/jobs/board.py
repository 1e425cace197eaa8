"""Everything a scheduling pass must know, read in one consistent look: the whole, or what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, select

from danlu.core.holding import Holding
from danlu.core.job import is_failed_need, is_still_to_end
from danlu.core.job_id import job_of
from danlu.core.lab_settings import SchedulingSettings
from danlu.core.nodes.node import Node
from danlu.core.nodes.node_fault import avoided
from danlu.core.states import ACTIVE, IN_QUEUE, JobState
from danlu.core.waiting_job import ArrayRoom, WaitingJob
from danlu.store.engine import schema
from danlu.store.engine.database import in_parts
from danlu.store.engine.records import (
    ARRAY_COUNTS,
    allocation_from_row,
    ask_from_row,
    counts_from_row,
    kind_of_need,
    node_faults_from_json,
)
from danlu.store.nodes.node_rows import list_nodes
from danlu.store.settings import read_scheduling
from danlu.store.users import locked_users

_J = schema.jobs.c
_T = schema.tasks.c
_D = schema.dependencies.c
_U = schema.users.c
_N = schema.arrays.c
_PREDECESSOR = schema.jobs.alias("predecessor").c

# A pass runs with every submission and every end: its questions are built once.
_IS_IN_QUEUE = _J.state.in_([state.value for state in IN_QUEUE])
_WHOLE = schema.jobs.alias("whole").c
_ELEMENT = schema.jobs.alias("element").c
# Elements of an array that wait by themselves: they are not among those that it has yet to begin.
_OWN_QUEUE = (
    select(func.count())
    .where(_ELEMENT.array_id == _J.id, _ELEMENT.state.in_([state.value for state in IN_QUEUE]))
    .correlate(schema.jobs)
    .scalar_subquery()
)
_ROWS = (
    select(
        _J.id,
        _J.owner,
        _J.version,
        _J.position,
        _J.urgent,
        _J.state,
        _J.not_before,
        _J.gpus,
        _J.gpu_ids,
        _J.cpus,
        _J.memory_mb,
        _J.node,
        _J.share,
        _J.no_sharing,
        _J.gpu_memory_mb,
        _J.nodes,
        _J.nodes_min,
        _J.wants,
        _J.node_faults,
        _J.array_id,
        _WHOLE.state.label("whole_state"),
        _OWN_QUEUE.label("in_queue"),
        *ARRAY_COUNTS,
    )
    .outerjoin_from(schema.jobs, schema.arrays, schema.arrays.c.job_id == _J.id)
    .outerjoin(_WHOLE.id.table, _WHOLE.id == _J.array_id)
)
_QUEUE = _ROWS.where(_IS_IN_QUEUE)
_DEPENDENCIES = (
    select(_D.job_id, _D.predecessor_id, _D.kind, _PREDECESSOR.state)
    .join_from(schema.dependencies, schema.jobs, _J.id == _D.job_id)
    .join(_PREDECESSOR.id.table, _PREDECESSOR.id == _D.predecessor_id)
    .where(_IS_IN_QUEUE)
    .order_by(_D.job_id, _D.predecessor_id)
)
_HOLDINGS = (
    select(
        _T.job_id,
        _J.owner,
        _T.node,
        _T.gpu_ids,
        _T.cpus,
        _T.memory_mb,
        _T.share,
        _T.no_sharing,
        _T.gpu_memory_mb,
        (_J.nodes_min < _J.nodes).label("elastic"),
    )
    .join_from(schema.tasks, schema.jobs, and_(_J.id == _T.job_id, _J.attempt == _T.attempt))
    .where(_J.state.in_([state.value for state in ACTIVE]))
    .order_by(_T.job_id, _T.rank)
)
_LIMITED = (
    select(_N.job_id, _N.at_most, _N.active)
    .join_from(schema.arrays, schema.jobs, _J.id == _N.job_id)
    .where(_N.at_most.is_not(None), _J.state.in_([state.value for state in IN_QUEUE | ACTIVE]))
)
# Of some jobs only. Built once as well: to build one costs more than to run it.
_THESE = _J.id.in_(bindparam("ids", expanding=True))
_QUEUE_OF, _DEPENDENCIES_OF, _HOLDINGS_OF, _LIMITED_OF = (
    each.where(_THESE) for each in (_QUEUE, _DEPENDENCIES, _HOLDINGS, _LIMITED)
)
_PRIORITIES = select(_U.name, _U.priority).where(_U.priority != 1.0)


@dataclass(frozen=True, slots=True)
class Rules:
    """What seldom changes: the nodes, and what people decided."""

    nodes: list[Node]
    priorities: dict[str, float]
    scheduling: SchedulingSettings
    locked: frozenset[str] = frozenset()
    """The users whose accounts are locked."""


@dataclass(frozen=True, slots=True)
class JobsOnBoard:
    """Of all jobs, or of those asked for: who is in the queue, who holds what, which arrays have a limit."""

    queue: list[WaitingJob]
    holdings: list[Holding]
    rooms: dict[int, ArrayRoom]


@dataclass(frozen=True, slots=True)
class Board:
    """All of it."""

    rules: Rules
    jobs: JobsOnBoard


def read_board(connection: Connection) -> Board:
    return Board(read_rules(connection), read_jobs_on_board(connection))


def read_rules(connection: Connection) -> Rules:
    return Rules(
        list_nodes(connection),
        _read_priorities(connection),
        read_scheduling(connection),
        locked_users(connection),
    )


def read_jobs_on_board(connection: Connection, ids: Iterable[int] | None = None) -> JobsOnBoard:
    """Every job that concerns a pass, or those of these that do."""
    if ids is None:
        return JobsOnBoard(_read_queue(connection), read_holdings(connection), _read_rooms(connection))
    found = JobsOnBoard([], [], {})
    for part in in_parts(ids):
        these = {"ids": part}
        arrays = {"ids": list({job_of(job_id) for job_id in part})}
        found.queue.extend(_read_queue(connection, these, arrays))
        found.holdings.extend(_holdings(connection.execute(_HOLDINGS_OF, these)))
        found.rooms.update(_rooms(connection.execute(_LIMITED_OF, arrays)))
    return found


def read_holdings(connection: Connection) -> list[Holding]:
    return _holdings(connection.execute(_HOLDINGS))


def _holdings(rows: Iterable[Any]) -> list[Holding]:
    return [Holding(row.job_id, row.owner, allocation_from_row(row), bool(row.elastic)) for row in rows]


def _read_rooms(connection: Connection) -> dict[int, ArrayRoom]:
    return _rooms(connection.execute(_LIMITED))


def _rooms(rows: Iterable[Any]) -> dict[int, ArrayRoom]:
    return {row.job_id: ArrayRoom(row.at_most, row.active) for row in rows}


def _read_queue(
    connection: Connection,
    these: Mapping[str, list[int]] | None = None,
    wholes: Mapping[str, list[int]] | None = None,
) -> list[WaitingJob]:
    """`wholes` are `these`, with its array for each element."""
    queue, dependencies = (_QUEUE_OF, _DEPENDENCIES_OF) if these else (_QUEUE, _DEPENDENCIES)
    waits_for, failed = _sort_dependencies(connection.execute(dependencies, wholes))
    found = (_in_queue(row, waits_for, failed) for row in connection.execute(queue, these))
    return [job for job in found if job.left > 0]


def _in_queue(row: Any, waits_for: dict[int, list[int]], failed: dict[int, list[int]]) -> WaitingJob:
    counts = counts_from_row(row)
    return WaitingJob(
        row.id,
        row.owner,
        ask_from_row(row),
        row.position,
        row.urgent,
        # An element that waits by itself is on hold, and waits for predecessors, with its array.
        JobState.HELD.value in (row.state, row.whole_state),
        row.not_before,
        tuple(waits_for.get(row.array_id or row.id, ())),
        tuple(failed.get(row.array_id or row.id, ())),
        counts.waiting - row.in_queue if counts else 1,
        row.array_id,
        tuple(avoided(node_faults_from_json(row.node_faults)).items()) if row.node_faults else (),
        row.version,
    )


def _sort_dependencies(rows: Iterable[Any]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """For each job in the queue: the predecessors not yet ended, and those that ended without a needed
    success."""
    waits_for: dict[int, list[int]] = {}
    failed: dict[int, list[int]] = {}
    for row in rows:
        state = JobState(row.state)
        if is_still_to_end(state):
            waits_for.setdefault(row.job_id, []).append(row.predecessor_id)
        elif is_failed_need(kind_of_need(row.kind), state):
            failed.setdefault(row.job_id, []).append(row.predecessor_id)
    return waits_for, failed


def _read_priorities(connection: Connection) -> dict[str, float]:
    return {row.name: row.priority for row in connection.execute(_PRIORITIES)}
