"""Whose turn it is: urgent jobs first, then by age (`fifo`) or by the users' shares (`balance`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heapreplace

from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.snapshot import Ordering, Policy


def by_age(job: WaitingJob) -> tuple[float, bool, int]:
    """The oldest first. An element of an array that waits by itself goes before those that have yet to
    begin."""
    return job.position, job.array is None, job.id


DEFAULT_PRIORITY = 1.0


def in_turn(
    jobs: Iterable[WaitingJob],
    policy: Policy,
    usage: Mapping[str, int],
    foreseen: Mapping[str, int],
    left: Mapping[int, int],
) -> Iterator[WaitingJob]:
    """The jobs in the order of their turns. `usage` (GPUs per user) is read anew before each turn, so that
    the caller may add what the last job was given; `foreseen` is the same with what GPU jobs that cannot
    start now will be given, and orders GPU jobs only. A job of which some are still `left` after its turn
    has another one."""
    urgent: list[WaitingJob] = []
    others: list[WaitingJob] = []
    for job in sorted(jobs, key=by_age):
        (urgent if job.urgent else others).append(job)
    for oldest_first in (urgent, others):
        if policy.ordering is Ordering.FIFO:
            for job in oldest_first:
                yield job
                while left.get(job.id, 0) > 0:
                    yield job
        else:
            yield from _balanced(oldest_first, policy.priorities, usage, foreseen, left)


def share_of(gpus: int, priority: float) -> tuple[int, float]:
    """Sorts users by what they have for what they may: smaller goes first. Priority 0 goes before every
    positive one, a negative one before that, the most negative first."""
    if priority > 0:
        return 1, gpus / priority
    return (0, 0.0) if priority == 0 else (-1, priority)


def _balanced(
    oldest_first: list[WaitingJob],
    priorities: Mapping[str, float],
    usage: Mapping[str, int],
    foreseen: Mapping[str, int],
    left: Mapping[int, int],
) -> Iterator[WaitingJob]:
    """By the users' shares, ties to the oldest job. A user's jobs that need no free GPU have a queue of their
    own: they do not wait behind GPU jobs that are held back, nor does what those will be given count against
    them."""
    queues: dict[tuple[str, bool], list[WaitingJob]] = {}
    for job in reversed(oldest_first):
        queues.setdefault((job.owner, job.ask.needs_free_gpus), []).append(job)

    def standing(queue: tuple[str, bool]) -> tuple[int, float, float, int, tuple[str, bool]]:
        user, with_gpus = queue
        next_job = queues[queue][-1]
        gpus = (foreseen if with_gpus else usage).get(user, 0)
        share = share_of(gpus, priorities.get(user, DEFAULT_PRIORITY))
        return *share, next_job.position, next_job.id, queue

    # A standing only ever gets worse, so an entry of the heap that is no longer true comes up too early,
    # never too late, and is put right then.
    turns = [standing(queue) for queue in queues]
    heapify(turns)
    while turns:
        queue = turns[0][-1]
        if not queues[queue]:
            heappop(turns)
        elif (true_standing := standing(queue)) != turns[0]:
            heapreplace(turns, true_standing)
        else:
            job = queues[queue][-1]
            yield job
            if left.get(job.id, 0) <= 0:
                queues[queue].pop()
