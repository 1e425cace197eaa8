"""Durations and sizes as people write and read them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.wire.units import parse_duration, parse_memory_mb, show_duration, show_memory, write_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("0", 0),
        ("1.5", 1.5),
        ("45s", 45),
        ("2h", 7_200),
        ("1.5h", 5_400),
        ("1d12h", 129_600),
        ("1w", 604_800),
        ("1h30m5s", 5_405),
        (" 2H ", 7_200),
        ("10:30", 630),
        ("1:00:00", 3_600),
        ("300:00:00", 1_080_000),
        ("2-00:00:00", 172_800),
        ("2-12:30", 217_800),
    ],
)
def test_durations_in_every_way_people_write_them(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "written"),
    [("10:30", "10m30s"), ("90", "1m30s"), ("1.5h", "1h30m"), ("2-12:30", "2d12h30m"), ("0.25", "0.25s")],
)
def test_a_duration_is_written_as_it_was_meant(text: str, written: str) -> None:
    assert write_duration(parse_duration(text)) == written


@given(st.one_of(st.integers(0, 2**31).map(float), st.integers(0, 10**9).map(lambda ms: ms / 1000)))
def test_what_is_written_is_read_back_the_same(seconds: float) -> None:
    assert parse_duration(write_duration(seconds)) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "h",
        "2x",
        "2 h",
        "-5",
        "-1h",
        "1h-",
        "1e3",
        "inf",
        "nan",
        "1:2:3:4",
        "1-",
        "2-3",
        ":30",
        "1:",
        "1h 30",
        "0x10",
        "一小时",
    ],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [
        ("2048", 2_048),
        ("500M", 500),
        ("16G", 16_384),
        ("16g", 16_384),
        ("16GB", 16_384),
        ("16GiB", 16_384),
        ("1.5G", 1_536),
        ("2T", 2_097_152),
        ("1P", 1_073_741_824),
        ("2048K", 2),
        (" 16 G ", 16_384),
        ("1K", 1),
        ("0", 1),
    ],
)
def test_sizes_in_every_way_people_write_them(text: str, megabytes: int) -> None:
    assert parse_memory_mb(text) == megabytes


@pytest.mark.parametrize(
    "text", ["", "G", "-1G", "1E", "1GG", "1,5G", "1e3M", "inf", "nan", "16 Gibi", "十G"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_memory_mb(text)


@pytest.mark.parametrize("text", ["9" * 400, "9" * 400 + "K"])
def test_an_absurd_size_is_refused_like_any_other(text: str) -> None:
    with pytest.raises(ValueError):
        parse_memory_mb(text)


@pytest.mark.parametrize("text", ["9" * 400, "9" * 400 + "h", "9" * 400 + ":00"])
def test_an_absurd_duration_is_refused_like_any_other(text: str) -> None:
    with pytest.raises(ValueError):
        parse_duration(text)


@given(st.text(alphabet="0123456789.:-smhdwKMGTPiBb ", max_size=12))
def test_whatever_is_written_gives_a_number_or_a_refusal(text: str) -> None:
    for parse in (parse_duration, parse_memory_mb):
        with suppress(ValueError):
            assert parse(text) >= 0


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0s"),
        (8.9, "9s"),
        (59, "59s"),
        (60, "1m00s"),
        (599, "9m59s"),
        (600, "10m"),
        (3_599, "59m"),
        (3_600, "1h00m"),
        (11_100, "3h05m"),
        (86_399, "23h59m"),
        (86_400, "1d0h"),
        (187_200, "2d4h"),
    ],
)
def test_durations_are_shown_short(seconds: float, shown: str) -> None:
    assert show_duration(seconds) == shown


@pytest.mark.parametrize("seconds", [0, 59, 60, 599, 3_600, 11_100, 86_400, 187_200])
def test_what_is_shown_can_be_read_again(seconds: int) -> None:
    assert parse_duration(show_duration(seconds)) == seconds


@pytest.mark.parametrize(
    ("megabytes", "shown"),
    [
        (0, "0 MB"),
        (1, "1 MB"),
        (1_023, "1023 MB"),
        (1_024, "1 GB"),
        (1_536, "1.5 GB"),
        (16_384, "16 GB"),
        (515_000, "503 GB"),
        (1_048_576, "1 TB"),
        (2_621_440, "2.5 TB"),
    ],
)
def test_sizes_are_shown_short(megabytes: float, shown: str) -> None:
    assert show_memory(megabytes) == shown


@pytest.mark.parametrize(
    ("megabytes", "shown"), [(1_031_168, "1007 GB"), (1_024_000, "1000 GB"), (1_073_741_824, "1024 TB")]
)
def test_a_size_is_never_shown_with_an_exponent(megabytes: float, shown: str) -> None:
    assert show_memory(megabytes) == shown
