"""The one table: every reason leads somewhere, every edge can happen, nothing else may."""

from __future__ import annotations

from itertools import product

import pytest

from danlu.core.job_id import element_id
from danlu.core.states import (
    ACTIVE,
    AREAS,
    DEFAULT_RETRY_ON,
    ENDED,
    GONE,
    IN_QUEUE,
    RETRYABLE,
    STATE_AFTER,
    TRANSITIONS,
    EndReason,
    IllegalTransition,
    JobState,
    area_of,
    check_transition,
)

ILLEGAL = [edge for edge in product(JobState, JobState) if edge not in TRANSITIONS]


@pytest.mark.parametrize("reason", EndReason)
def test_every_reason_of_an_end_leads_to_a_state(reason: EndReason) -> None:
    assert STATE_AFTER[reason] in ENDED | {JobState.WAITING}


def test_where_each_reason_leads() -> None:
    leading_to = {
        state: {reason for reason in EndReason if STATE_AFTER[reason] is state} for state in JobState
    }
    assert leading_to[JobState.SUCCEEDED] == {EndReason.COMPLETED}
    assert leading_to[JobState.WAITING] == {EndReason.REQUEUED, EndReason.RESIZED, EndReason.NOT_STARTED}
    assert leading_to[JobState.CANCELLED] == {EndReason.CANCELLED}
    assert leading_to[JobState.FAILED] == RETRYABLE | {EndReason.ELEMENTS_FAILED}


@pytest.mark.parametrize("edge", TRANSITIONS)
def test_every_legal_edge_passes_and_tells_its_story(edge: tuple[JobState, JobState]) -> None:
    check_transition(1, *edge)
    assert TRANSITIONS[edge].strip()


@pytest.mark.parametrize("edge", ILLEGAL, ids=lambda edge: f"{edge[0]}-{edge[1]}")
def test_every_other_edge_raises_with_the_job_and_both_states(edge: tuple[JobState, JobState]) -> None:
    with pytest.raises(IllegalTransition) as refused:
        check_transition(42, *edge)
    for part in ("42", *edge):
        assert part in str(refused.value)


def test_a_task_of_an_array_is_named_as_people_know_it() -> None:
    with pytest.raises(IllegalTransition, match=r"^job 12\[3\]: "):
        check_transition(element_id(12, 3), JobState.DELETED, JobState.RUNNING)


def test_every_state_can_be_reached_from_a_submission() -> None:
    reached = {JobState.WAITING, JobState.HELD}
    while more := {after for before, after in TRANSITIONS if before in reached} - reached:
        reached |= more
    assert reached == set(JobState)


def test_from_every_state_but_deleted_there_is_a_way_to_an_end() -> None:
    can_end = set(ENDED)
    while more := {before for before, after in TRANSITIONS if after in can_end} - can_end:
        can_end |= more
    assert can_end == set(JobState) - {JobState.DELETED}


def test_nothing_leaves_deleted_and_nothing_active_is_deleted() -> None:
    assert not [edge for edge in TRANSITIONS if edge[0] is JobState.DELETED]
    assert {before for before, after in TRANSITIONS if after is JobState.DELETED} == IN_QUEUE | ENDED


def test_an_attempt_begins_only_with_a_waiting_job() -> None:
    entering = {before for before, after in TRANSITIONS if after in ACTIVE and before not in ACTIVE}
    assert entering == {JobState.WAITING}


def test_every_state_but_deleted_is_in_exactly_one_area() -> None:
    for state in JobState:
        areas = [name for name, states in AREAS.items() if state in states]
        assert areas == ([] if state is JobState.DELETED else [area_of(state)])
    assert area_of(JobState.DELETED) is None


def test_a_deleted_job_counts_as_ended_for_its_successors() -> None:
    assert ENDED | {JobState.DELETED} == GONE


def test_what_would_fail_the_same_way_again_is_not_retried_unless_asked() -> None:
    assert DEFAULT_RETRY_ON < RETRYABLE
    assert EndReason.EXIT_CODE in DEFAULT_RETRY_ON
    assert EndReason.NODE_REBOOTED in DEFAULT_RETRY_ON
    assert EndReason.TIME_LIMIT not in DEFAULT_RETRY_ON
    assert EndReason.DIRECTORY_MISSING not in DEFAULT_RETRY_ON
