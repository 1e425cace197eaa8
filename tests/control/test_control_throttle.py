"""A client that guesses passwords waits longer and longer; a user who mistypes hardly notices."""

from __future__ import annotations

import pytest

from danlu.control.identity.throttle import FREE_TRIES, LONGEST_FOR_A_NAME_S, LONGEST_WAIT_S, Throttle
from danlu.core.errors import TooMany
from tests.store.builders import HandClock

HERE, ELSEWHERE = "1.1.1.1", "2.2.2.2"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def throttle(clock: HandClock) -> Throttle:
    return Throttle(clock)


def wait_s(throttle: Throttle, name: str = "ann", address: str = HERE) -> float:
    try:
        throttle.check(name, address)
    except TooMany as refusal:
        return float(refusal.facts["wait_s"])
    return 0.0


def fail(throttle: Throttle, times: int, name: str = "ann", address: str = HERE) -> int:
    """Try at once, and be wrong; how many were even looked at."""
    looked_at = 0
    for _ in range(times):
        try:
            throttle.take(name, address)
        except TooMany:
            continue
        looked_at += 1
    return looked_at


def insist(throttle: Throttle, clock: HandClock, times: int, **who: str) -> None:
    """Fail so often, each time as soon as one may."""
    for _ in range(times):
        clock.advance(wait_s(throttle, **who))
        assert fail(throttle, 1, **who) == 1


def test_a_few_mistakes_are_free(throttle: Throttle) -> None:
    fail(throttle, FREE_TRIES - 1)
    assert wait_s(throttle) == 0


def test_sixty_at_once_are_five(throttle: Throttle) -> None:
    assert fail(throttle, 60) == FREE_TRIES


def test_then_each_further_one_doubles_the_wait(throttle: Throttle, clock: HandClock) -> None:
    fail(throttle, FREE_TRIES)
    waits = []
    for _ in range(5):
        waits.append(wait_s(throttle))
        insist(throttle, clock, 1)
    assert waits == [2, 3, 5, 9, 17]  # 1, 2, 4, 8, 16 seconds, told as whole seconds that surely suffice


def test_but_nobody_waits_longer_than_a_quarter_of_an_hour(throttle: Throttle, clock: HandClock) -> None:
    insist(throttle, clock, 40)
    assert wait_s(throttle) == LONGEST_WAIT_S + 1
    clock.advance(LONGEST_WAIT_S)
    assert wait_s(throttle) == 0


def test_the_right_password_forgives_everything(throttle: Throttle, clock: HandClock) -> None:
    insist(throttle, clock, 20)
    throttle.forgive("ann", HERE)
    fail(throttle, FREE_TRIES - 1)
    assert wait_s(throttle) == 0


def test_but_not_what_was_tried_with_other_names(throttle: Throttle) -> None:
    """Else a member could sign in between the guesses and begin anew each time."""
    for number in range(FREE_TRIES * 10 - 1):
        throttle.take(f"user{number}", HERE)
    throttle.take("ann", HERE)
    throttle.forgive("ann", HERE)
    throttle.take("one-more", HERE)
    assert wait_s(throttle, name="ann") > 0


def test_after_an_hour_of_peace_all_is_forgotten(throttle: Throttle, clock: HandClock) -> None:
    insist(throttle, clock, 20)
    clock.advance(3_601)
    fail(throttle, 1)
    assert wait_s(throttle) == 0


def test_one_name_that_is_guessed_does_not_shut_out_another(throttle: Throttle) -> None:
    fail(throttle, 20)
    assert wait_s(throttle, name="bo") == 0


def test_who_is_guessed_at_signs_in_from_elsewhere(throttle: Throttle, clock: HandClock) -> None:
    insist(throttle, clock, 20)
    assert wait_s(throttle, address=ELSEWHERE) == 0


def test_a_name_that_many_addresses_guess_is_slowed_down_for_those_who_are_new(
    throttle: Throttle, clock: HandClock
) -> None:
    throttle.take("ann", ELSEWHERE)
    throttle.forgive("ann", ELSEWHERE)
    for number in range(5_000):
        fail(throttle, 1, address=f"10.0.{number // 250}.{number % 250}")
        clock.advance(0.1)
    assert 0 < wait_s(throttle, address="3.3.3.3") <= LONGEST_FOR_A_NAME_S + 1
    assert wait_s(throttle, address=ELSEWHERE) == 0, "they have signed in from there before"


def test_an_address_that_tries_many_names_is_slowed_down_but_later_than_a_name(throttle: Throttle) -> None:
    for number in range(FREE_TRIES * 10 - 1):
        fail(throttle, 1, name=f"user{number}", address="6.6.6.6")
    assert wait_s(throttle, name="fresh", address="6.6.6.6") == 0
    fail(throttle, 1, name="one-more", address="6.6.6.6")
    assert wait_s(throttle, name="fresh", address="6.6.6.6") > 0
    assert wait_s(throttle, name="fresh", address="7.7.7.7") == 0


def test_links_have_no_name_so_the_address_alone_counts(throttle: Throttle) -> None:
    fail(throttle, FREE_TRIES, name="")
    assert wait_s(throttle, name="") == 0
    fail(throttle, FREE_TRIES * 10, name="")
    assert wait_s(throttle, name="") > 0
