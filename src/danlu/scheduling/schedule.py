"""The scheduling pass. Pure: the same snapshot and policy always give the same plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from danlu.core.blockers import (
    ArrayFull,
    BehindInQueue,
    Blocker,
    DiskFull,
    ExactGpusBusy,
    ExactGpusBusyOnNodes,
    GpusBusy,
    SchedulingPaused,
)
from danlu.core.resources import Allocation, Ask
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.capacity import find_obstacles
from danlu.scheduling.explain import avoid_nodes, why_not_in_queue, why_not_now
from danlu.scheduling.ordering import by_age, in_turn
from danlu.scheduling.placement import FreeNodes
from danlu.scheduling.plan import Decision, Plan
from danlu.scheduling.snapshot import Policy, Snapshot

MOST_STARTS = 500

Blockers = dict[int, tuple[Blocker, ...]]


def schedule(snapshot: Snapshot, policy: Policy, most_starts: int | None = MOST_STARTS) -> Plan:
    """Give what is free to the waiting jobs, each in its turn.

    The queue is strict: the first GPU job that does not fit is its head and holds back every GPU job behind
    it, unless the head waits for exact GPUs: then any job that fits may start, and just those GPUs are kept
    for the head. A job that needs no free GPU, because it is CPU-only or shares, holds back no other job, and
    none holds it back; but it joins no GPU that is kept.

    A job for several nodes is given all of them or none: two of them never wait for each other's halves.

    An array has a turn for each of its elements, until one of them does not fit. A pass begins no more jobs
    once it has started something on `most_starts` nodes: applying that must not hold up other work for long.
    """
    with_memory = any(job.ask.share or job.ask.gpu_memory_mb for job in snapshot.waiting)
    free = FreeNodes(snapshot.nodes, with_memory=with_memory)
    in_queue, outside, blockers = _sort_out(snapshot, policy, free)
    if policy.paused or policy.disk_full:
        return _pause(snapshot, policy, in_queue, outside, blockers)
    turns = _Turns(snapshot, free, in_queue, blockers)
    order: list[int] = []
    more = False
    for job in in_turn(in_queue, policy, turns.usage, turns.foreseen, turns.left):
        if most_starts is not None and turns.started >= most_starts:
            more = True
            break
        order.append(job.id)
        turns.take(job)
    return Plan(tuple(turns.decisions), blockers, (*dict.fromkeys(order), *outside), turns.places, more)


class _Turns:
    """What became of the jobs whose turn it was. `foreseen` is `usage` as if GPU jobs behind the head had
    been given theirs: their places follow the turns."""

    def __init__(
        self, snapshot: Snapshot, free: FreeNodes, in_queue: list[WaitingJob], blockers: Blockers
    ) -> None:
        self.usage = Counter(snapshot.gpus_in_use)
        self.foreseen = self.usage.copy()
        self.left = {job.id: job.left for job in in_queue if job.left != 1}
        self.decisions: list[Decision] = []
        self.started = 0
        self._arrays = snapshot.arrays
        self._room = {array: limit.at_most - limit.active for array, limit in snapshot.arrays.items()}
        self._free = free
        self._blockers = blockers
        self._lacking: dict[Ask, tuple[Blocker, ...]] = {}
        self._head: int | None = None
        self._is_passable = True
        self.places: dict[int, int] = {}

    def take(self, job: WaitingJob) -> None:
        """It is this job's turn: it starts, or it is told why not."""
        ask = job.ask
        array = job.array if job.array is not None else job.id
        if self._room and self._room.get(array, 1) <= 0:
            self._block(job, (ArrayFull(self._arrays[array].at_most),))
            return
        if self._head is not None and not self._is_passable and ask.needs_free_gpus:
            self._block(job, (BehindInQueue(self._head, self._enqueue(job)),))
            self.foreseen[job.owner] += ask.all_gpus
            return
        lacks = self._lacking.get(ask)
        if lacks is None:
            allocations = self._free.place(ask)
            if allocations:
                self._start(job, array, allocations)
                return
            lacks = self._lacking[ask] = (self._why_not(ask),)
        self._block(job, lacks)
        if ask.needs_free_gpus:
            self._enqueue(job)
            if self._head is None:
                self._head = job.id
                self._is_passable = isinstance(lacks[0], ExactGpusBusy | ExactGpusBusyOnNodes)
                self.foreseen[job.owner] += 0 if self._is_passable else ask.all_gpus
                if ask.gpu_ids:
                    self._free.keep(job.id, ask)

    def _enqueue(self, job: WaitingJob) -> int:
        """Its place among those that wait for free GPUs."""
        return self.places.setdefault(job.id, len(self.places) + 1)

    def _why_not(self, ask: Ask) -> Blocker:
        lack = why_not_now(ask, self._free)
        if isinstance(lack, GpusBusy) and self._head is not None:
            return replace(lack, first=False)
        return lack

    def _start(self, job: WaitingJob, array: int, allocations: tuple[Allocation, ...]) -> None:
        self.decisions.append(Decision(job.id, allocations))
        self.started += len(allocations)
        gpus = job.ask.gpus * len(allocations)
        self.usage[job.owner] += gpus
        self.foreseen[job.owner] += gpus
        if array in self._room:
            self._room[array] -= 1
        if job.id in self.left:
            self.left[job.id] -= 1

    def _block(self, job: WaitingJob, reasons: tuple[Blocker, ...]) -> None:
        self._blockers[job.id] = reasons
        if job.id in self.left:
            # The others of it would fare no better.
            self.left[job.id] = 0


def _sort_out(
    snapshot: Snapshot, policy: Policy, free: FreeNodes
) -> tuple[list[WaitingJob], list[int], Blockers]:
    """Part the jobs that may start from those outside the queue, which hold back no other: their ids, oldest
    first, and their blockers."""
    now = snapshot.now
    obstacles: dict[Ask, tuple[Blocker, ...]] = {}
    shared: dict[tuple[Blocker, ...], tuple[Blocker, ...]] = {}
    in_queue: list[WaitingJob] = []
    outside: list[WaitingJob] = []
    blockers: Blockers = {}
    for job in snapshot.waiting:
        in_the_way = obstacles.get(job.ask)
        if in_the_way is None:
            in_the_way = () if free.could_ever_place(job.ask) else find_obstacles(job.ask, snapshot.nodes)
            obstacles[job.ask] = in_the_way
        if job.avoids and not in_the_way:
            job, in_the_way = avoid_nodes(job, now, free)  # noqa: PLW2901 - as it stands in the queue now
        reasons = why_not_in_queue(job, now, in_the_way, locked=job.owner in policy.locked)
        if reasons:
            blockers[job.id] = reasons if reasons is in_the_way else shared.setdefault(reasons, reasons)
            outside.append(job)
        else:
            in_queue.append(job)
    outside.sort(key=lambda job: (not job.urgent, by_age(job)))
    return in_queue, [job.id for job in outside], blockers


def _pause(
    snapshot: Snapshot, policy: Policy, in_queue: list[WaitingJob], outside: list[int], blockers: Blockers
) -> Plan:
    """Start nothing, and say so in front of every job's own blockers."""
    paused: tuple[Blocker, ...] = (DiskFull(),) if policy.disk_full else (SchedulingPaused(),)
    usage = Counter(snapshot.gpus_in_use)
    order: list[int] = []
    places: dict[int, int] = {}
    for job in in_turn(in_queue, policy, usage, usage, {}):
        order.append(job.id)
        usage[job.owner] += job.ask.all_gpus
        if job.ask.needs_free_gpus:
            places[job.id] = len(places) + 1
    said = {reasons: paused + reasons for reasons in blockers.values()}
    return Plan(
        (),
        dict.fromkeys(order, paused) | {job_id: said[blockers[job_id]] for job_id in outside},
        (*order, *outside),
        places,
        paused=True,
    )
