"""Which elements an array has, and the state of the whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.core.array import MOST_ELEMENTS, ArrayCounts, BadArray, array_state, parse_array, shown_state
from danlu.core.job_id import LARGEST_INDEX
from danlu.core.states import ENDED, JobState

S = JobState
steps = st.tuples(st.integers(0, 400), st.integers(0, 60), st.integers(1, 9))


@pytest.mark.parametrize(
    ("text", "indices", "at_most"),
    [
        ("0-3", [0, 1, 2, 3], None),
        ("7", [7], None),
        ("1,3,5-7", [1, 3, 5, 6, 7], None),
        ("0-100:25", [0, 25, 50, 75, 100], None),
        ("0-9%3", list(range(10)), 3),
        (" 2, 1 ,2-3 ", [1, 2, 3], None),
        ("5-9,0-6", list(range(10)), None),
        ("0-10:5,1-9:4", [0, 1, 5, 9, 10], None),
    ],
)
def test_what_an_array_names(text: str, indices: list[int], at_most: int | None) -> None:
    found = parse_array(text)
    assert (list(found), found.at_most) == (indices, at_most)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "%",
        "a",
        "3-1",
        "1-",
        "-1",
        "1,,2",
        "0-9%0",
        "0-9%",
        "0-9%x",
        "0-9:0",
        "1-2-3",
        "０-９",
        "0-9%-1",
        f"0-{LARGEST_INDEX + 1}",
        str(LARGEST_INDEX + 1),
        f"0-{MOST_ELEMENTS}",
        "0-9999999999",
    ],
)
def test_what_is_no_array(text: str) -> None:
    with pytest.raises(BadArray):
        parse_array(text)


@given(st.lists(steps, min_size=1, max_size=6), st.none() | st.integers(1, 50))
def test_places_and_indices_agree_and_the_text_says_it_all(
    parts: list[tuple[int, int, int]], at_most: int | None
) -> None:
    wanted = sorted(
        {index for start, length, step in parts for index in range(start, start + length + 1, step)}
    )
    text = ",".join(f"{start}-{start + length}:{step}" for start, length, step in parts)
    found = parse_array(text + (f"%{at_most}" if at_most else ""))
    assert list(found) == wanted
    assert len(found) == len(wanted)
    assert [found.at(place) for place in range(len(wanted))] == wanted
    assert [found.place_of(index) for index in wanted] == list(range(len(wanted)))
    assert all(index in found for index in wanted)
    assert -1 not in found
    assert parse_array(str(found)) == found


class TestTheStateOfTheWhole:
    def test_it_stands_in_the_queue_while_it_has_elements_to_begin(self) -> None:
        counts = ArrayCounts(10, begun=4, active=2, succeeded=2)
        assert array_state(counts, S.WAITING) is S.WAITING
        assert array_state(counts, S.HELD) is S.HELD
        assert shown_state(S.WAITING, counts) is S.RUNNING
        assert shown_state(S.HELD, counts) is S.HELD

    def test_then_it_runs_until_its_last_element_has_ended(self) -> None:
        assert array_state(ArrayCounts(10, begun=10, active=1, succeeded=9), S.WAITING) is S.RUNNING
        assert array_state(ArrayCounts(10, begun=10, succeeded=10), S.RUNNING) is S.SUCCEEDED
        assert array_state(ArrayCounts(10, begun=10, succeeded=9, failed=1), S.RUNNING) is S.FAILED
        assert array_state(ArrayCounts(10, begun=10, succeeded=9, cancelled=1), S.RUNNING) is S.CANCELLED

    def test_one_that_was_cancelled_is_cancelled_whatever_failed_before(self) -> None:
        counts = ArrayCounts(10, begun=10, failed=1, cancelled=9)
        assert array_state(counts, S.STOPPING) is S.CANCELLED
        assert array_state(counts, S.RUNNING) is S.FAILED

    @given(st.integers(1, 20), st.data())
    def test_it_ends_exactly_when_all_have_ended(self, total: int, data: st.DataObject) -> None:
        numbers = [data.draw(st.integers(0, total)) for _ in range(4)]
        if sum(numbers) > total:
            return
        active, succeeded, failed, cancelled = numbers
        begun = data.draw(st.integers(sum(numbers), total))
        counts = ArrayCounts(total, begun, active, succeeded, failed, cancelled)
        for now in (S.WAITING, S.HELD, S.RUNNING, S.STOPPING):
            assert (array_state(counts, now) in ENDED) == (succeeded + failed + cancelled == total)
