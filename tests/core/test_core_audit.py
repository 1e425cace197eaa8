"""Which events are acts that the audit log keeps, and what it keeps of them."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.core.audit import RULES, Kept, action_of, entry_of, is_kept
from danlu.core.events import Event, EventKind
from danlu.core.origin import Origin, Via
from danlu.wording.catalogue import knows

HERE = Origin(Via.TOKEN, "10.0.0.7")


def an_event(kind: EventKind, *, actor: str | None = "ann", **said: Any) -> Event:
    columns = {name: said.pop(name, None) for name in ("job_id", "node")}
    return Event(0, 1.0, kind, actor=actor, **columns, data=said)


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (an_event(EventKind.SETTINGS_CHANGED), True),
        (an_event(EventKind.NODE_REMOVED, node="forge", actor=None), False),
        (an_event(EventKind.NODE_LOST, node="forge"), False),
        (an_event(EventKind.SIGN_IN_FAILED, actor=None), True),
        (an_event(EventKind.STATE, job_id=3, owner="ann", before="waiting", after="cancelled"), False),
        (an_event(EventKind.STATE, job_id=3, owner="bo", before="waiting", after="cancelled"), True),
        (an_event(EventKind.STATE, job_id=3, owner="ann", before="failed", after="deleted"), True),
        (an_event(EventKind.STATE, job_id=3, actor=None, owner="bo", before="a", after="deleted"), False),
        (an_event(EventKind.EDITED, job_id=3, owner="bo"), True),
        (an_event(EventKind.USER_CHANGED, user="ann", change=["defaults"]), False),
        (an_event(EventKind.USER_CHANGED, user="ann", change=["role"]), True),
    ],
)
def test_acts_of_users_are_kept_and_what_the_cluster_does_is_not(event: Event, kept: bool) -> None:
    assert is_kept(event) is kept


def test_an_entry_says_who_where_what_and_the_difference() -> None:
    event = an_event(
        EventKind.GPU_SLOTS, node="forge", gpu=2, slots=3, before={"slots": 1}, after={"slots": 3}
    )
    entry = entry_of(event, HERE)
    assert (entry.actor, entry.via, entry.address) == ("ann", "token", "10.0.0.7")
    assert (entry.action, entry.target_kind, entry.target) == ("gpu.slots", "gpu", "forge/2")
    assert (entry.before, entry.after, entry.details) == ({"slots": 1}, {"slots": 3}, {"slots": 3})


def test_nothing_of_a_jobs_content_is_kept() -> None:
    event = an_event(EventKind.EDITED, job_id=3, owner="bo", name="secret plan", array="1-3")
    entry = entry_of(event, HERE)
    assert (entry.target_kind, entry.target) == ("job", "3")
    assert entry.details == {"owner": "bo"}


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ({"after": "deleted"}, "job.deleted"),
        ({"after": "stopping", "intent": "cancel"}, "job.cancelled"),
        ({"after": "stopping", "intent": "requeue"}, "job.state"),
        ({"after": "held"}, "job.held"),
    ],
)
def test_an_act_on_a_job_is_named_by_what_became_of_it(data: dict[str, str], action: str) -> None:
    assert action_of(an_event(EventKind.STATE, job_id=3, **data)) == action


def test_every_action_that_is_kept_has_words() -> None:
    kept = [kind for kind in EventKind if RULES.get(kind) is not Kept.NEVER]
    assert [kind for kind in kept if not knows(f"audit.{kind}")] == []
