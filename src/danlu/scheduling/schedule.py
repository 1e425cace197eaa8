"""The scheduling pass. Pure: the same snapshot and policy always give the same plan."""

from __future__ import annotations

from collections import Counter

from danlu.core.blockers import ArrayFull, BehindInLine, Blocker, ExactGpusBusy, SchedulingPaused
from danlu.core.resources import Ask
from danlu.scheduling.capacity import find_obstacles
from danlu.scheduling.explain import why_not_in_line, why_not_now
from danlu.scheduling.ordering import by_age, in_turn
from danlu.scheduling.placement import FreeNodes
from danlu.scheduling.plan import Decision, Plan
from danlu.scheduling.snapshot import Policy, Snapshot, WaitingJob

Blockers = dict[int, tuple[Blocker, ...]]


def schedule(snapshot: Snapshot, policy: Policy) -> Plan:
    """Give what is free to the waiting jobs, each in its turn.

    The line is strict: the first GPU job that does not fit is its head and holds back every GPU job behind
    it, unless the head waits for exact GPUs: then any job that fits may start. A job that needs no free GPU,
    because it is CPU-only or shares, holds back nobody, and nobody holds it back.

    An array has a turn for each of its tasks, until one of them does not fit.
    """
    with_memory = any(job.ask.share or job.ask.gpu_memory_mb for job in snapshot.waiting)
    free = FreeNodes(snapshot.nodes, with_memory=with_memory)
    in_line, outside, blockers = _sort_out(snapshot, free)
    if policy.paused:
        return _pause(snapshot, policy, in_line, outside, blockers)

    usage = Counter(snapshot.gpus_in_use)
    foreseen = usage.copy()  # as if GPU jobs behind the head were given theirs: their places follow the turns
    lacking: dict[Ask, tuple[Blocker, ...]] = {}
    left = {job.id: job.left for job in in_line if job.left != 1}
    room = {array: limit.at_most - limit.active for array, limit in snapshot.arrays.items()}
    decisions: list[Decision] = []
    order: list[int] = []
    head: int | None = None
    open_line = True
    place = 0
    for job in in_turn(in_line, policy, usage, foreseen, left):
        if not order or order[-1] != job.id:
            order.append(job.id)
        ask = job.ask
        array = job.array if job.array is not None else job.id
        if room and room.get(array, 1) <= 0:
            blockers[job.id] = (ArrayFull(snapshot.arrays[array].at_most),)
            left[job.id] = 0
            continue
        if head is not None and not open_line and ask.needs_free_gpus:
            place += 1
            blockers[job.id] = (BehindInLine(head, place),)
            foreseen[job.user] += ask.gpus
            left[job.id] = 0
            continue
        lacks = lacking.get(ask)
        if lacks is None:
            allocation = free.place(ask)
            if allocation is not None:
                decisions.append(Decision(job.id, allocation))
                usage[job.user] += ask.gpus
                foreseen[job.user] += ask.gpus
                if array in room:
                    room[array] -= 1
                if job.id in left:
                    left[job.id] -= 1
                continue
            lacks = lacking[ask] = (why_not_now(ask, free),)
        blockers[job.id] = lacks
        left[job.id] = 0
        if ask.needs_free_gpus:
            place += 1
            if head is None:
                head = job.id
                open_line = isinstance(lacks[0], ExactGpusBusy)
                foreseen[job.user] += 0 if open_line else ask.gpus

    return Plan(tuple(decisions), blockers, (*dict.fromkeys(order), *outside))


def _sort_out(snapshot: Snapshot, free: FreeNodes) -> tuple[list[WaitingJob], list[int], Blockers]:
    """Part the jobs that may start from those outside the line, which hold back nobody: their ids, oldest
    first, and their blockers."""
    now = snapshot.now
    obstacles: dict[Ask, tuple[Blocker, ...]] = {}
    shared: dict[tuple[Blocker, ...], tuple[Blocker, ...]] = {}
    in_line: list[WaitingJob] = []
    outside: list[WaitingJob] = []
    blockers: Blockers = {}
    for job in snapshot.waiting:
        in_the_way = obstacles.get(job.ask)
        if in_the_way is None:
            in_the_way = () if free.could_ever_place(job.ask) else find_obstacles(job.ask, snapshot.nodes)
            obstacles[job.ask] = in_the_way
        reasons = why_not_in_line(job, now, in_the_way)
        if reasons:
            blockers[job.id] = reasons if reasons is in_the_way else shared.setdefault(reasons, reasons)
            outside.append(job)
        else:
            in_line.append(job)
    outside.sort(key=lambda job: (not job.urgent, by_age(job)))
    return in_line, [job.id for job in outside], blockers


def _pause(
    snapshot: Snapshot, policy: Policy, in_line: list[WaitingJob], outside: list[int], blockers: Blockers
) -> Plan:
    """Start nothing, and say so in front of every job's own blockers."""
    paused = (SchedulingPaused(),)
    usage = Counter(snapshot.gpus_in_use)
    order: list[int] = []
    for job in in_turn(in_line, policy, usage, usage, {}):
        order.append(job.id)
        usage[job.user] += job.ask.gpus
    said = {reasons: paused + reasons for reasons in blockers.values()}
    return Plan(
        (),
        dict.fromkeys(order, paused) | {job_id: said[blockers[job_id]] for job_id in outside},
        (*order, *outside),
    )
