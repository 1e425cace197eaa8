"""Whoever guesses passwords waits longer and longer; whoever mistypes hardly notices."""

from __future__ import annotations

import pytest

from danlu.control.throttle import FREE_TRIES, LONGEST_WAIT_S, Throttle
from danlu.core.errors import TooMany
from tests.store.builders import HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def throttle(clock: HandClock) -> Throttle:
    return Throttle(clock)


def fail(throttle: Throttle, times: int, name: str = "ann", address: str = "1.1.1.1") -> None:
    for _ in range(times):
        throttle.note_failure(name, address)


def wait_s(throttle: Throttle, name: str = "ann", address: str = "2.2.2.2") -> float:
    try:
        throttle.check(name, address)
    except TooMany as refusal:
        return float(refusal.facts["wait_s"])
    return 0.0


def test_a_few_mistakes_are_free(throttle: Throttle) -> None:
    fail(throttle, FREE_TRIES - 1)
    assert wait_s(throttle) == 0


def test_then_each_further_one_doubles_the_wait(throttle: Throttle, clock: HandClock) -> None:
    fail(throttle, FREE_TRIES)
    waits = []
    for _ in range(5):
        waits.append(wait_s(throttle))
        clock.advance(waits[-1])
        assert wait_s(throttle) == 0
        fail(throttle, 1)
    assert waits == [2, 3, 5, 9, 17]  # 1, 2, 4, 8, 16 seconds, told as whole seconds that surely suffice


def test_but_nobody_waits_longer_than_a_quarter_of_an_hour(throttle: Throttle, clock: HandClock) -> None:
    fail(throttle, 60)
    assert wait_s(throttle) == LONGEST_WAIT_S + 1
    clock.advance(LONGEST_WAIT_S)
    assert wait_s(throttle) == 0


def test_not_even_after_thousands_of_failures_at_once(throttle: Throttle, clock: HandClock) -> None:
    """A crowd of requests passes the check together before the first of them has failed."""
    fail(throttle, 5_000)
    assert wait_s(throttle) == LONGEST_WAIT_S + 1
    clock.advance(LONGEST_WAIT_S)
    assert wait_s(throttle) == 0


def test_the_right_password_forgives_everything(throttle: Throttle) -> None:
    fail(throttle, 50)
    throttle.forget("ann", "1.1.1.1")
    fail(throttle, FREE_TRIES - 1)
    assert wait_s(throttle) == 0


def test_after_an_hour_of_peace_all_is_forgotten(throttle: Throttle, clock: HandClock) -> None:
    fail(throttle, 50)
    clock.advance(3_601)
    fail(throttle, 1)
    assert wait_s(throttle) == 0


def test_one_name_that_is_guessed_does_not_shut_out_another(throttle: Throttle) -> None:
    fail(throttle, 20)
    assert wait_s(throttle, name="bo") == 0


def test_an_address_that_tries_many_names_is_slowed_down_but_later_than_a_name(throttle: Throttle) -> None:
    for number in range(FREE_TRIES * 10 - 1):
        fail(throttle, 1, name=f"user{number}", address="6.6.6.6")
    assert wait_s(throttle, name="fresh", address="6.6.6.6") == 0
    fail(throttle, 1, name="one-more", address="6.6.6.6")
    assert wait_s(throttle, name="fresh", address="6.6.6.6") > 0
    assert wait_s(throttle, name="fresh", address="7.7.7.7") == 0


def test_links_have_no_name_so_the_address_alone_counts(throttle: Throttle) -> None:
    fail(throttle, FREE_TRIES, name="")
    assert wait_s(throttle, name="", address="1.1.1.1") == 0
    fail(throttle, FREE_TRIES * 10, name="")
    assert wait_s(throttle, name="", address="1.1.1.1") > 0
