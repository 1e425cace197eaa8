"""The board, kept in memory: each pass reads only the jobs that something happened to since the last.

Every change leaves an event, so the committed events say which jobs those are. Now and then the whole is
read anew: a job that was overlooked would not be for long.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from danlu.codec import known_word
from danlu.control.event_bus import SCHEDULING_KINDS, EventBus
from danlu.control.running.closed_nodes import ClosedNodes
from danlu.control.running.hardware import Hardware
from danlu.control.running.latest_readings import LatestReadings
from danlu.control.running.node_view import view_node
from danlu.core.events import Event, EventKind
from danlu.core.holding import Holding
from danlu.core.job_id import job_of
from danlu.core.lab_settings import SchedulingSettings
from danlu.core.nodes.node import GpuReading, Node
from danlu.core.resources import Allocation
from danlu.core.states import ACTIVE
from danlu.core.waiting_job import ArrayRoom, WaitingJob
from danlu.scheduling.snapshot import NodeView, Ordering, Policy, Snapshot
from danlu.store.engine.database import Database
from danlu.store.jobs.board import (
    Board,
    JobsOnBoard,
    Rules,
    read_board,
    read_jobs_on_board,
    read_rules,
)

_UNDER_WAY = frozenset(state.value for state in ACTIVE)
"""What a job holds, it holds from its start to its end: nothing in between changes anything for others."""

_NodeFacts = tuple[Node, tuple[Holding, ...], Mapping[int, GpuReading], bool]


@dataclass(frozen=True, slots=True)
class Look:
    """What a pass works with."""

    snapshot: Snapshot
    policy: Policy
    boot_ids: Mapping[str, str]

    @property
    def versions(self) -> dict[int, int]:
        """Those of the jobs in the queue when they were read."""
        return {job.id: job.version for job in self.snapshot.waiting}


class LiveBoard:
    def __init__(
        self, database: Database, bus: EventBus, readings: LatestReadings, closed: ClosedNodes
    ) -> None:
        self._database = database
        self._readings = readings
        self._closed = closed
        self._one_at_a_time = asyncio.Lock()
        self._rules: Rules | None = None
        self._hardware = Hardware(())
        self._hardware_changed = True
        self._changed: set[int] = set()
        self._rules_changed = True
        self._everything_changed = True
        self._queue: dict[int, WaitingJob] = {}
        self._holdings: dict[int, list[Holding]] = {}
        self._rooms: dict[int, ArrayRoom] = {}
        self._successors: dict[int, set[int]] = defaultdict(set)
        self._elements: dict[int, set[int]] = defaultdict(set)
        self._seen: dict[str, tuple[_NodeFacts, NodeView]] = {}
        bus.project(SCHEDULING_KINDS, self._note)

    def _note(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.job_id is None:
                self._rules_changed = self._hardware_changed = True
            elif event.kind is EventKind.MOVED or event.kind is EventKind.EDITED or "edited" in event.data:
                # To make room for one, the positions of all may have changed.
                self._everything_changed = True
            elif not (event.data.get("after") in _UNDER_WAY and event.data.get("before") in _UNDER_WAY):
                self._changed |= {event.job_id, job_of(event.job_id)}

    def doubt(self) -> None:
        """Read everything anew at the next look."""
        self._everything_changed = self._rules_changed = self._hardware_changed = True

    def wants_memory(self) -> bool:
        """Whether a job in the queue waits for a part of a GPU's memory."""
        return any(job.ask.share or job.ask.gpu_memory_mb for job in self._queue.values())

    def held_by_elastic(self) -> dict[int, list[Allocation]]:
        """What the jobs have that might run on more nodes, or on fewer."""
        return {
            job_id: [each.allocation for each in holdings]
            for job_id, holdings in self._holdings.items()
            if holdings and holdings[0].elastic
        }

    async def refresh(self) -> None:
        """Take in what was committed since the last time; without a question if that is nothing."""
        async with self._one_at_a_time:
            # Who comes while another reads what has changed would take the old board for the new one.
            await self._refresh()

    def places(self) -> list[tuple[Node, tuple[Holding, ...]]]:
        """The nodes, and what is held of each, as of the last refresh."""
        held = self._held_by_node()
        return [(node, held.get(node.name, ())) for node in (self._rules.nodes if self._rules else ())]

    @property
    def scheduling(self) -> SchedulingSettings:
        """What people decided about the scheduler, as of the last refresh."""
        return self._rules.scheduling if self._rules else SchedulingSettings()

    @property
    def closed(self) -> frozenset[str]:
        """The nodes on which nothing starts for the moment."""
        return self._closed.names

    @property
    def readings(self) -> Mapping[str, Mapping[int, GpuReading]]:
        """What the GPUs of each node are doing, as far as is known."""
        return self._readings.gpus

    async def hardware(self) -> Hardware:
        """What there is, as of all that was committed until now; without a question if none of it is new."""
        if self._hardware_changed or self._database.in_doubt:
            await self.refresh()
        return self._hardware

    async def look(self, now: float) -> Look:
        await self.refresh()
        assert self._rules is not None  # noqa: S101 (read at the first look)
        nodes = self._view_nodes(self._rules)
        in_use: dict[str, int] = defaultdict(int)
        for holdings in self._holdings.values():
            for holding in holdings:
                in_use[holding.owner] += len(holding.allocation.gpu_ids)
        scheduling = self._rules.scheduling
        return Look(
            Snapshot(now, nodes, tuple(self._queue.values()), in_use, dict(self._rooms)),
            Policy(
                known_word(Ordering, scheduling.policy, Ordering.FIFO),
                self._rules.priorities,
                scheduling.paused,
                self._rules.locked,
                disk_full=self._database.is_disk_full,
            ),
            {node.name: node.facts.boot_id for node in self._rules.nodes},
        )

    async def _refresh(self) -> None:
        if self._database.in_doubt:
            # Something may have been stored that no event told of; and what is remembered of a database that
            # cannot be reached is no answer.
            self.doubt()
        everything, self._everything_changed = self._everything_changed, False
        rules, self._rules_changed = self._rules_changed, False
        changed, self._changed = self._changed, set()
        try:
            if everything:
                self._take_all(await self._database.read(read_board))
                return
            if rules:
                self._take_rules(await self._database.read(read_rules))
            if changed:
                # Who waits for one of them, and elements that wait by themselves and go by their array.
                changed |= {each for job_id in changed for each in self._successors.get(job_id, ())}
                changed |= {each for job_id in changed for each in self._elements.get(job_id, ())}
                self._take(
                    changed,
                    await self._database.read(lambda connection: read_jobs_on_board(connection, changed)),
                )
        except BaseException:
            self.doubt()
            raise

    def _take_rules(self, rules: Rules) -> None:
        self._rules = rules
        if rules.nodes != self._hardware.nodes:
            self._hardware = Hardware(rules.nodes)
        # Unless something was committed while they were read.
        self._hardware_changed = self._rules_changed

    def _take_all(self, board: Board) -> None:
        self._take_rules(board.rules)
        self._queue.clear()
        self._holdings.clear()
        self._rooms.clear()
        self._successors.clear()
        self._elements.clear()
        self._take((), board.jobs)

    def _take(self, changed: Iterable[int], jobs: JobsOnBoard) -> None:
        for job_id in changed:
            self._queue.pop(job_id, None)
            self._holdings.pop(job_id, None)
            self._rooms.pop(job_id, None)
        for job in jobs.queue:
            self._enqueue(job)
        for holding in jobs.holdings:
            self._holdings.setdefault(holding.job_id, []).append(holding)
        self._rooms.update(jobs.rooms)

    def _enqueue(self, job: WaitingJob) -> None:
        self._queue[job.id] = job
        if job.array is not None:
            self._elements[job.array].add(job.id)
        for predecessor in (*job.waits_for, *job.failed_predecessors):
            self._successors[predecessor].add(job.id)

    def _view_nodes(self, rules: Rules) -> tuple[NodeView, ...]:
        """A node is looked at anew only when something of it has changed."""
        held = self._held_by_node()
        readings, closed = self._readings.gpus, self._closed.names
        seen, self._seen = self._seen, {}
        for node in rules.nodes:
            facts = node, held.get(node.name, ()), readings.get(node.name, {}), node.name in closed
            before = seen.get(node.name)
            self._seen[node.name] = before if before and before[0] == facts else (facts, view_node(*facts))
        return tuple(view for _, view in self._seen.values())

    def _held_by_node(self) -> dict[str, tuple[Holding, ...]]:
        held: dict[str, tuple[Holding, ...]] = {}
        for holdings in self._holdings.values():
            for holding in holdings:
                held[holding.allocation.node] = (*held.get(holding.allocation.node, ()), holding)
        return held
