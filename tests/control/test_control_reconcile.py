"""What should run and what does: every difference has its answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from danlu.control.recovery.differences import Action, Desired, Forget, Launch, Report, Stop, reconcile
from danlu.core.states import JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey

NOW = 1_000.0
KEY = TaskKey(7, 2, 0)
S = JobState


def wanted(state: JobState, boot_id: str = "boot-1") -> Desired:
    return Desired(KEY, "forge", state, boot_id)


FRESH = TaskFact(KEY, "forge")
RUNNING = TaskFact(KEY, "forge", started_at=990.0)
ENDED = TaskFact(KEY, "forge", started_at=990.0, end=TaskEnd(TaskEnding.EXITED, 995.0, wait_status=0))
LOST_IN_REBOOT = TaskFact(KEY, "forge", end=TaskEnd(TaskEnding.REBOOTED, NOW))


@dataclass(frozen=True)
class Story:
    name: str
    desired: Desired | None
    observed: TaskFact | None
    then: tuple[Action, ...]


STORIES = [
    Story("starting, and its node never heard of it", wanted(S.STARTING), None, (Launch(KEY),)),
    Story("running, and its node does not know it", wanted(S.RUNNING), None, (Stop(KEY, "forge"),)),
    Story("stopping, and its node does not know it", wanted(S.STOPPING), None, (Stop(KEY, "forge"),)),
    Story("starting, its node has it but it has not begun", wanted(S.STARTING), FRESH, ()),
    Story("starting, and it has begun", wanted(S.STARTING), RUNNING, (Report(RUNNING),)),
    Story("running, and it does", wanted(S.RUNNING), RUNNING, ()),
    Story("stopping, but it runs", wanted(S.STOPPING), RUNNING, (Stop(KEY, "forge"),)),
    Story("stopping, but it is about to begin", wanted(S.STOPPING), FRESH, (Stop(KEY, "forge"),)),
    Story("starting, but it has ended", wanted(S.STARTING), ENDED, (Report(ENDED),)),
    Story("running, but it has ended", wanted(S.RUNNING), ENDED, (Report(ENDED),)),
    Story("stopping, and it has ended", wanted(S.STOPPING), ENDED, (Report(ENDED),)),
    Story("its node restarted", wanted(S.RUNNING, "boot-0"), None, (Report(LOST_IN_REBOOT),)),
    Story(
        "its node restarted before it began", wanted(S.STARTING, "boot-0"), None, (Report(LOST_IN_REBOOT),)
    ),
    Story(
        "its node restarted while it was stopped",
        wanted(S.STOPPING, "boot-0"),
        None,
        (Report(LOST_IN_REBOOT),),
    ),
    Story("its node restarted but knows how it ended", wanted(S.RUNNING, "boot-0"), ENDED, (Report(ENDED),)),
    Story("no job wants it, and it runs", None, RUNNING, (Stop(KEY, "forge"),)),
    Story("no job wants it, and it is about to begin", None, FRESH, (Stop(KEY, "forge"),)),
    Story("no job wants it, and it has ended", None, ENDED, (Forget(KEY, "forge"),)),
    Story("nothing is wanted and nothing is there", None, None, ()),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_difference_that_stood_still_is_settled(story: Story) -> None:
    desired = [story.desired] if story.desired else []
    observed = [story.observed] if story.observed else []
    assert reconcile(desired, observed, desired, {"forge": "boot-1"}, NOW) == list(story.then)


@pytest.mark.parametrize("fact", [None, FRESH, RUNNING, ENDED])
def test_what_became_wanted_while_we_looked_is_in_somebodys_hands(fact: TaskFact | None) -> None:
    after = [wanted(S.STARTING)]
    assert reconcile([], [fact] if fact else [], after, {"forge": "boot-1"}, NOW) == []


@pytest.mark.parametrize("fact", [None, FRESH, RUNNING, ENDED])
def test_what_was_settled_while_we_looked_is_not_settled_again(fact: TaskFact | None) -> None:
    before = [wanted(S.RUNNING)]
    assert reconcile(before, [fact] if fact else [], [], {"forge": "boot-1"}, NOW) == []


def test_the_later_look_at_its_state_counts() -> None:
    before, after = [wanted(S.RUNNING)], [wanted(S.STOPPING)]
    assert reconcile(before, [RUNNING], after, {"forge": "boot-1"}, NOW) == [Stop(KEY, "forge")]


@pytest.mark.parametrize("state", [S.STARTING, S.RUNNING, S.STOPPING])
def test_nothing_is_concluded_about_a_node_that_cannot_be_asked(state: JobState) -> None:
    desired = [wanted(state)]
    assert reconcile(desired, [], desired, {"other": "boot-1"}, NOW) == []


def test_an_older_attempt_that_still_runs_is_an_orphan_and_its_successor_is_not_touched() -> None:
    old = replace(RUNNING, key=TaskKey(7, 1, 0))
    desired = [wanted(S.RUNNING)]
    actions = reconcile(desired, [old, RUNNING], desired, {"forge": "boot-1"}, NOW)
    assert actions == [Stop(old.key, "forge")]


def test_the_same_key_on_another_node_is_an_orphan() -> None:
    """As after a restore of the database: the numbers are given once more."""
    desired = [wanted(S.RUNNING)]
    twin = replace(RUNNING, node="other")
    boots = {"forge": "boot-1", "other": "boot-9"}
    assert reconcile(desired, [RUNNING, twin], desired, boots, NOW) == [Stop(KEY, "other")]
    assert reconcile(desired, [twin, RUNNING], desired, boots, NOW) == [Stop(KEY, "other")]


def test_the_end_of_the_same_key_on_another_node_is_none_of_ours() -> None:
    desired = [wanted(S.STARTING)]
    twin = replace(ENDED, node="other")
    boots = {"forge": "boot-1", "other": "boot-9"}
    assert reconcile(desired, [twin], desired, boots, NOW) == [Launch(KEY), Forget(KEY, "other")]


def test_two_nodes_are_judged_each_by_its_own_boot() -> None:
    here = Desired(TaskKey(1, 1, 0), "a", S.RUNNING, "a-1")
    there = Desired(TaskKey(2, 1, 0), "b", S.RUNNING, "b-1")
    actions = reconcile([here, there], [], [here, there], {"a": "a-1", "b": "b-2"}, NOW)
    assert actions == [
        Stop(here.key, "a"),
        Report(TaskFact(there.key, "b", end=TaskEnd(TaskEnding.REBOOTED, NOW))),
    ]


def test_a_second_look_at_a_settled_world_finds_nothing() -> None:
    desired = [wanted(S.RUNNING)]
    assert reconcile(desired, [RUNNING], desired, {"forge": "boot-1"}, NOW) == []
