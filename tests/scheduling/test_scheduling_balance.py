"""Balance: the user with the smallest GPUs in use / priority goes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import pytest

from danlu.core.blockers import BehindInQueue
from danlu.core.waiting_job import WaitingJob
from danlu.scheduling.snapshot import Ordering, Policy
from danlu.wire.server import Ordering as OrderingWord
from tests.scheduling.builders import Outcome, a_job, a_node, run


def balance(
    gpus: int,
    jobs: Sequence[WaitingJob],
    priorities: Mapping[str, float] | None = None,
    in_use: Mapping[str, int] | None = None,
) -> Outcome:
    return run([a_node(gpus=gpus)], jobs, Ordering.BALANCE, priorities, in_use)


def one_each(*users: str) -> list[WaitingJob]:
    return [a_job(gpus=1, user=user) for user in users]


def test_every_policy_can_be_chosen() -> None:
    assert set(get_args(OrderingWord)) == {each.value for each in Ordering}


def test_who_uses_least_goes_first() -> None:
    assert balance(1, one_each("ann", "bo"), in_use={"ann": 3, "bo": 1}).started == [2]


def test_what_the_pass_has_just_given_counts() -> None:
    assert balance(3, one_each("ann", "ann", "ann", "bo")).started == [1, 4, 2]


def test_ties_go_to_the_oldest_job() -> None:
    assert balance(1, one_each("bo", "ann"), in_use={"ann": 2, "bo": 2}).started == [1]


def test_a_user_s_own_jobs_go_by_age() -> None:
    jobs = [a_job(gpus=1), a_job(gpus=1, position=0.5)]
    assert balance(1, jobs).started == [2]


def test_twice_the_priority_is_twice_the_gpus() -> None:
    jobs = one_each("ann", "ann", "ann", "bo", "bo", "bo")
    outcome = balance(3, jobs, priorities={"bo": 2.0})
    assert outcome.started == [1, 4, 5]


def test_priority_zero_beats_every_positive_one() -> None:
    jobs = one_each("ann", "zoe", "zoe")
    assert balance(2, jobs, priorities={"ann": 1e9, "zoe": 0.0}, in_use={"zoe": 50}).started == [2, 3]


def test_among_priority_zero_the_oldest_job_goes_first() -> None:
    outcome = balance(2, one_each("ann", "bo", "ann"), {"ann": 0.0, "bo": 0.0}, in_use={"ann": 5})
    assert outcome.started == [1, 2]


def test_negative_beats_zero_and_the_most_negative_goes_first() -> None:
    jobs = one_each("ann", "zoe", "max", "min")
    outcome = balance(4, jobs, {"zoe": 0.0, "max": -1.0, "min": -5.0}, in_use={"min": 9})
    assert outcome.started == [4, 3, 2, 1]


def test_urgent_goes_before_any_share() -> None:
    jobs = [a_job(gpus=1, user="min"), a_job(gpus=1, user="ann", urgent=True)]
    assert balance(1, jobs, {"min": -5.0}, in_use={"ann": 9}).started == [2]


def test_a_cpu_only_job_needs_no_turn_and_passes_the_head() -> None:
    jobs = [a_job(gpus=2), a_job(gpus=1, user="bo"), a_job(user="cy")]
    outcome = run([a_node(gpus=2, busy=[0])], jobs, Ordering.BALANCE, in_use={"cy": 9})
    assert outcome.started == [3]
    assert outcome.why(2) == (BehindInQueue(head=1, place=2),)


class TestCpuOnlyJobsHaveTurnsToo:
    """On a node of four CPUs, so that jobs with and without GPUs want the same ones."""

    node = a_node(gpus=4, cpus=4)

    def test_an_older_one_goes_before_gpu_jobs_of_the_same_share(self) -> None:
        jobs = [a_job(cpus=4), a_job(gpus=1, cpus=4, user="bo"), a_job(gpus=1, cpus=4)]
        assert run([self.node], jobs, Ordering.BALANCE).started == [1]

    def test_the_smaller_share_goes_first_whatever_the_age(self) -> None:
        jobs = [a_job(gpus=1, cpus=4), a_job(cpus=4, user="bo")]
        assert run([self.node], jobs, Ordering.BALANCE, in_use={"ann": 1}).started == [2]
        assert run([self.node], jobs, Ordering.BALANCE, in_use={"bo": 1}).started == [1]

    def test_shares_order_them_among_themselves(self) -> None:
        jobs = [a_job(cpus=4), a_job(cpus=4, user="bo")]
        assert run([self.node], jobs, Ordering.BALANCE, in_use={"ann": 1}).started == [2]

    @pytest.mark.parametrize(
        ("priorities", "first"), [({"bo": 0.0}, 2), ({"ann": 0.0, "bo": -1.0}, 2), ({}, 1)]
    )
    def test_priorities_count_as_for_all(self, priorities: dict[str, float], first: int) -> None:
        jobs = [a_job(gpus=1, cpus=4), a_job(cpus=4, user="bo")]
        assert run([self.node], jobs, Ordering.BALANCE, priorities, in_use={"bo": 9}).started == [first]

    def test_urgent_gpu_jobs_go_before_them(self) -> None:
        jobs = [a_job(cpus=4), a_job(gpus=1, cpus=4, user="bo", urgent=True)]
        assert run([self.node], jobs, Ordering.BALANCE, in_use={"bo": 9}).started == [2]

    def test_what_the_pass_has_just_given_their_user_counts(self) -> None:
        jobs = [a_job(gpus=1, cpus=2), a_job(cpus=2), a_job(gpus=1, cpus=2, user="bo")]
        assert run([self.node], jobs, Ordering.BALANCE).started == [1, 3]

    def test_they_cost_no_share(self) -> None:
        jobs = [a_job(cpus=2), a_job(gpus=1, cpus=2), a_job(gpus=1, cpus=2, user="bo")]
        assert run([self.node], jobs, Ordering.BALANCE).started == [1, 2]

    def test_one_that_does_not_fit_holds_back_nobody(self) -> None:
        jobs = [a_job(cpus=4), a_job(gpus=1, cpus=1, user="bo"), a_job(cpus=1, user="cy")]
        outcome = run([a_node(gpus=1, cpus=4, used_cpus=1)], jobs, Ordering.BALANCE)
        assert outcome.started == [2, 3]

    def test_a_user_s_own_head_does_not_hold_them_back(self) -> None:
        jobs = [a_job(gpus=2), a_job(gpus=1), a_job(cpus=4), a_job(cpus=4, user="bo")]
        outcome = run([a_node(gpus=2, busy=[0], cpus=4)], jobs, Ordering.BALANCE, in_use={"bo": 1})
        assert outcome.started == [3]
        assert outcome.why(2) == (BehindInQueue(head=1, place=2),)

    def test_only_gpus_in_use_count_against_them_not_those_their_user_waits_for(self) -> None:
        jobs = [a_job(gpus=4), *[a_job(gpus=4)] * 3, a_job(cpus=2), a_job(cpus=2), a_job(cpus=2, user="bo")]
        outcome = run([a_node(gpus=4, busy=[0], cpus=4)], jobs, Ordering.BALANCE, in_use={"bo": 1})
        assert outcome.started == [5, 6]


def test_places_behind_the_head_alternate_between_users() -> None:
    outcome = run([a_node(gpus=1, busy=[0])], one_each("ann", "ann", "ann", "bo", "bo"), Ordering.BALANCE)
    assert outcome.plan.order == (1, 4, 2, 5, 3)
    assert outcome.why(5) == (BehindInQueue(head=1, place=4),)


def test_a_user_whose_job_waits_for_exact_gpus_keeps_the_turn() -> None:
    node = a_node(gpus=2, busy=[0])
    jobs = [a_job(gpu_ids=(0,)), a_job(gpus=1, user="bo"), a_job(gpus=1)]
    assert run([node], jobs, Ordering.BALANCE, in_use={"bo": 1}).started == [3]


def test_a_priority_must_be_a_number() -> None:
    with pytest.raises(ValueError, match="ann"):
        Policy(priorities={"ann": float("nan")})
