"""`12` and `12[3]`: one integer inside, one text outside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.core.job_id import (
    LARGEST_INDEX,
    LARGEST_JOB,
    element_id,
    index_of,
    is_element,
    job_of,
    label_of,
    parse_label,
)

jobs = st.integers(1, LARGEST_JOB)
indices = st.integers(0, LARGEST_INDEX)


@given(jobs)
def test_a_job_is_itself(job: int) -> None:
    assert (job_of(job), index_of(job), is_element(job)) == (job, None, False)
    assert parse_label(label_of(job)) == job == int(label_of(job))


@given(jobs, indices)
def test_a_element_knows_its_array_and_its_index(job: int, index: int) -> None:
    element = element_id(job, index)
    assert (job_of(element), index_of(element), is_element(element)) == (job, index, True)
    assert label_of(element) == f"{job}[{index}]"
    assert parse_label(label_of(element)) == element
    assert element < 2**53, "every JSON reader keeps it exact"


@given(jobs, st.lists(indices, min_size=2, max_size=2, unique=True))
def test_elements_are_in_the_order_of_their_indices(job: int, two: list[int]) -> None:
    low, high = sorted(two)
    assert job < element_id(job, low) < element_id(job, high)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "012",
        "12[",
        "12[]",
        "12[-1]",
        "12]3[",
        "[3]",
        "12[3]x",
        "1 2",
        "１２",
        "12[3][4]",
        str(LARGEST_JOB + 1),
        f"12[{LARGEST_INDEX + 1}]",
        "9" * 30,
    ],
)
def test_what_is_no_job(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_label(text)
