"""Everything a scheduling pass must know, read in one consistent look."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, and_, select

from danlu.core.job import DependencyKind
from danlu.core.node import Node
from danlu.core.resources import Allocation, Ask
from danlu.core.states import ACTIVE, GONE, IN_LINE, JobState
from danlu.store import schema
from danlu.store.nodes import list_nodes
from danlu.store.records import ask_from_row
from danlu.store.settings import Scheduling, read_scheduling

_J = schema.jobs.c
_T = schema.tasks.c
_D = schema.dependencies.c
_U = schema.users.c
_PREDECESSOR = schema.jobs.alias("predecessor").c

# A pass runs with every submission and every end: its questions are built once.
_IS_IN_LINE = _J.state.in_([state.value for state in IN_LINE])
_LINE = select(
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
).where(_IS_IN_LINE)
_DEPENDENCIES = (
    select(_D.job_id, _D.predecessor_id, _D.kind, _PREDECESSOR.state)
    .join_from(schema.dependencies, schema.jobs, _J.id == _D.job_id)
    .join(_PREDECESSOR.id.table, _PREDECESSOR.id == _D.predecessor_id)
    .where(_IS_IN_LINE)
    .order_by(_D.job_id, _D.predecessor_id)
)
_HOLDINGS = (
    select(_T.job_id, _J.owner, _T.node, _T.gpu_ids, _T.cpus, _T.memory_mb)
    .join_from(schema.tasks, schema.jobs, and_(_J.id == _T.job_id, _J.attempt == _T.attempt))
    .where(_J.state.in_([state.value for state in ACTIVE]))
    .order_by(_T.job_id, _T.rank)
)
_PRIORITIES = select(_U.name, _U.priority).where(_U.priority != 1.0)


@dataclass(frozen=True, slots=True)
class InLine:
    """A job that waits or is held. `waits_for` and `failed` are predecessors that stand in its way."""

    id: int
    owner: str
    version: int
    position: float
    urgent: bool
    held: bool
    not_before: float | None
    ask: Ask
    waits_for: tuple[int, ...]
    failed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """What a task of an active job holds."""

    job_id: int
    owner: str
    allocation: Allocation


@dataclass(frozen=True, slots=True)
class Board:
    nodes: list[Node]
    line: list[InLine]
    holdings: list[Holding]
    priorities: dict[str, float]
    scheduling: Scheduling


def read_board(connection: Connection) -> Board:
    return Board(
        nodes=list_nodes(connection),
        line=_read_line(connection),
        holdings=read_holdings(connection),
        priorities=_read_priorities(connection),
        scheduling=read_scheduling(connection),
    )


def read_holdings(connection: Connection) -> list[Holding]:
    return [
        Holding(row.job_id, row.owner, Allocation(row.node, tuple(row.gpu_ids), row.cpus, row.memory_mb))
        for row in connection.execute(_HOLDINGS)
    ]


def _read_line(connection: Connection) -> list[InLine]:
    waits_for, failed = _read_dependencies(connection)
    return [
        InLine(
            row.id,
            row.owner,
            row.version,
            row.position,
            row.urgent,
            row.state == JobState.HELD.value,
            row.not_before,
            ask_from_row(row),
            tuple(waits_for.get(row.id, ())),
            tuple(failed.get(row.id, ())),
        )
        for row in connection.execute(_LINE)
    ]


def _read_dependencies(connection: Connection) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """For each job in line: the predecessors not yet ended, and those that ended without a needed success."""
    waits_for: dict[int, list[int]] = {}
    failed: dict[int, list[int]] = {}
    for row in connection.execute(_DEPENDENCIES):
        state = JobState(row.state)
        if state not in GONE:
            waits_for.setdefault(row.job_id, []).append(row.predecessor_id)
        elif row.kind == DependencyKind.OK.value and state in (JobState.FAILED, JobState.CANCELLED):
            failed.setdefault(row.job_id, []).append(row.predecessor_id)
    return waits_for, failed


def _read_priorities(connection: Connection) -> dict[str, float]:
    return {row.name: row.priority for row in connection.execute(_PRIORITIES)}
