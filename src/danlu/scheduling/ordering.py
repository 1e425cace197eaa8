"""Whose turn it is: urgent jobs first, then by age (`fifo`) or by the users' shares (`balance`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heapreplace
from operator import attrgetter

from danlu.scheduling.snapshot import Ordering, Policy, WaitingJob

by_age = attrgetter("position", "id")
DEFAULT_PRIORITY = 1.0


def in_turn(jobs: Iterable[WaitingJob], policy: Policy, usage: Mapping[str, int]) -> Iterator[WaitingJob]:
    """The jobs in the order of their turns. `usage` (GPUs per user) is read anew before each turn, so that
    the caller may count what the last job was given."""
    urgent: list[WaitingJob] = []
    others: list[WaitingJob] = []
    for job in sorted(jobs, key=by_age):
        (urgent if job.urgent else others).append(job)
    for oldest_first in (urgent, others):
        if policy.ordering is Ordering.FIFO:
            yield from oldest_first
        else:
            yield from _balanced(oldest_first, policy.priorities, usage)


def share_of(gpus: int, priority: float) -> tuple[int, float]:
    """Sorts users by what they have for what they may: smaller goes first. Priority 0 goes before every
    positive one, a negative one before that, the most negative first."""
    if priority > 0:
        return 1, gpus / priority
    return (0, 0.0) if priority == 0 else (-1, priority)


def _balanced(
    oldest_first: list[WaitingJob], priorities: Mapping[str, float], usage: Mapping[str, int]
) -> Iterator[WaitingJob]:
    """GPU jobs by their users' shares, ties to the oldest job; behind them the CPU-only ones by age, which
    need no turn because nothing that is shared out here is given to them."""
    lines: dict[str, list[WaitingJob]] = {}
    for job in reversed(oldest_first):
        if job.ask.gpus:
            lines.setdefault(job.user, []).append(job)

    def standing(user: str) -> tuple[int, float, float, int, str]:
        next_job = lines[user][-1]
        share = share_of(usage.get(user, 0), priorities.get(user, DEFAULT_PRIORITY))
        return *share, next_job.position, next_job.id, user

    # A user's share changes only by the user's own turn, so the other entries of the heap stay true.
    users = [standing(user) for user in lines]
    heapify(users)
    while users:
        user = users[0][-1]
        yield lines[user].pop()
        if lines[user]:
            heapreplace(users, standing(user))
        else:
            heappop(users)

    yield from (job for job in oldest_first if not job.ask.gpus)
