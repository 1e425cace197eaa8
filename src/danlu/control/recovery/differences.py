"""Compare what should run with what does. Pure and level-triggered: recovery is the normal path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey


@dataclass(frozen=True, slots=True)
class Desired:
    """A task of an active job that has not ended, as the store has it. `boot_id` is the node's when the task
    was placed; a task that has started by itself counts as running, though others of its job may not.
    """

    key: TaskKey
    node: str
    state: JobState
    boot_id: str
    leased: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    key: TaskKey


@dataclass(frozen=True, slots=True)
class Stop:
    key: TaskKey
    node: str


@dataclass(frozen=True, slots=True)
class Report:
    """Take this fact as if its node had just told it."""

    fact: TaskFact


@dataclass(frozen=True, slots=True)
class Forget:
    key: TaskKey
    node: str


Action = Launch | Stop | Report | Forget


def reconcile(
    before: Iterable[Desired],
    observed: Iterable[TaskFact],
    after: Iterable[Desired],
    boot_ids: Mapping[str, str],
    now: float,
) -> list[Action]:
    """What to do about every difference.

    The store was read `before` and `after` the agents were asked: only a task that was desired both times
    can be missing, and only one desired neither time can be an orphan. What changed in between is in
    other hands already. `boot_ids` names the nodes that answered.

    A task is one only with its node: a restored database gives numbers once more that a task elsewhere has.
    """
    facts = {(fact.key, fact.node): fact for fact in observed}
    known_before = {_place(each) for each in before}
    settled = [each for each in after if _place(each) in known_before]
    known = known_before | {_place(each) for each in after}
    actions: list[Action] = []
    for desired in settled:
        if desired.node in boot_ids:
            actions += _for_desired(desired, facts.get(_place(desired)), boot_ids[desired.node], now)
    for (key, node), fact in facts.items():
        if (key, node) not in known:
            actions.append(Forget(key, node) if fact.end else Stop(key, node))
    return actions


def _place(desired: Desired) -> tuple[TaskKey, str]:
    return desired.key, desired.node


def _for_desired(desired: Desired, fact: TaskFact | None, boot_id: str, now: float) -> list[Action]:
    if fact is None and desired.boot_id != boot_id:
        return [Report(_lost_in_reboot(desired, now))]
    if fact is None:
        # A stop also settles what never began: the node then refuses a launch still under way.
        starting = desired.state is JobState.STARTING
        return [Launch(desired.key) if starting else Stop(desired.key, desired.node)]
    if fact.end is not None:
        return [Report(fact)]
    actions: list[Action] = []
    if fact.started_at is not None and desired.state is JobState.STARTING:
        actions.append(Report(fact))
    if desired.state is JobState.STOPPING:
        actions.append(Stop(desired.key, desired.node))
    return actions


def _lost_in_reboot(desired: Desired, now: float) -> TaskFact:
    return TaskFact(desired.key, desired.node, end=TaskEnd(TaskEnding.REBOOTED, now))
