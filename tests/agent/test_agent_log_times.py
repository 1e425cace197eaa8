"""When a log grew is written down beside it: little of it, and nothing in the folders of users."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.agent.keeper import log_times
from danlu.agent.keeper.log_times import NEWEST, LogTimeKeeper, thinned
from danlu.core.logs import log_times as core
from danlu.core.logs.log_times import LogMoment, between, parse_times


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_times, "_PAUSES_S", (0.0, 0.0))


def grow(log: Path, text: str, at: float) -> None:
    with log.open("a") as file:
        file.write(text)
    os.utime(log, (at, at))


def look(times: LogTimeKeeper) -> None:
    """Once at each: without a pause the next look is always due."""
    pending, times._next = times._next, []
    for watched in pending:
        times._next.append(watched)
        log = times._logs.get(watched.key)
        if log is not None:
            log_times._look(log)


def written(log: Path) -> list[LogMoment]:
    return parse_times(Path(f"{log}{core.SUFFIX}").read_bytes())


def test_both_sides_call_the_file_the_same() -> None:
    assert core.SUFFIX == log_times.SUFFIX


def test_each_length_is_kept_with_the_time_at_which_it_was_reached(tmp_path: Path) -> None:
    log, times = tmp_path / "1.log", LogTimeKeeper()
    times.watch("1-1-0", str(log))
    look(times)
    assert not list(tmp_path.iterdir()), "there is nothing to tell of a log that is not there"
    grow(log, "one\n", 1000.0)
    look(times)
    look(times)
    grow(log, "two\n", 1060.5)
    look(times)
    assert written(log) == [(4, 1000.0), (8, 1060.5)]

    # A keeper that comes after goes on where this one stopped; what comes last is seen at the end.
    later = LogTimeKeeper()
    later.watch("1-1-0", str(log))
    look(later)
    grow(log, "three\n", 1100.0)
    later.leave("1-1-0")
    assert written(log) == [(4, 1000.0), (8, 1060.5), (14, 1100.0)]


def test_a_time_that_cannot_be_is_not_believed(tmp_path: Path) -> None:
    log, times = tmp_path / "1.log", LogTimeKeeper()
    times.watch("1-1-0", str(log))
    grow(log, "one\n", 5000.0)
    look(times)
    for strange in (10.0, 1e10):
        grow(log, "more\n", strange)
        look(times)
        assert 5000.0 < written(log)[-1].at < 1e10


def test_a_task_that_ends_at_once_leaves_nothing_behind(tmp_path: Path) -> None:
    log, times = tmp_path / "1.log", LogTimeKeeper()
    times.watch("1-1-0", str(log))
    grow(log, "one\n", 1000.0)
    times.leave("1-1-0")
    times.look()
    assert [path.name for path in tmp_path.iterdir()] == ["1.log"]
    assert times.look_at is None


def test_a_long_life_costs_no_more_than_some_thousand_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_times, "MOST_SAMPLES", 64)
    monkeypatch.setattr(log_times, "NEWEST", 16)
    log, times = tmp_path / "1.log", LogTimeKeeper()
    times.watch("1-1-0", str(log))
    for n in range(1, 500):
        grow(log, "x", 1000.0 + n)
        look(times)
    kept = written(log)
    assert len(kept) < 64
    assert kept[-16:] == [(n, 1000.0 + n) for n in range(484, 500)]
    assert kept[0].offset < 100, "the beginning is told more coarsely, but it is told"
    assert all(at == 1000.0 + offset for offset, at in kept)


@pytest.mark.parametrize("many", [1, NEWEST, NEWEST + 1, NEWEST + 2, NEWEST + 501])
@pytest.mark.parametrize("pace", [0.0, 1.0, 60.0])
def test_about_half_of_the_older_ones_go_and_the_last_of_them_stays(many: int, pace: float) -> None:
    samples = [b"%d %f\n" % (n, n * pace) for n in range(many)]
    kept = thinned(samples)
    assert kept[-NEWEST:] == samples[-NEWEST:]
    older = many - NEWEST
    assert len(kept) <= NEWEST + max(0, older) // 2 + 1
    assert older <= 0 or samples[older - 1] in kept


def test_what_a_node_has_written_is_believed_where_it_makes_sense() -> None:
    told = (
        b"10 100.5\nnonsense\n20 nan\n-1 101\n30 90\n30 101\n30 102\n99999999999999999999999 103\n40 104\n50"
    )
    assert parse_times(told) == [(10, 100.5), (30, 101.0), (40, 104.0)]
    assert parse_times(b"10 1\n500 2\n200 3\n300 4\n") == [(10, 1.0), (200, 3.0), (300, 4.0)], "truncated"


def test_the_times_around_some_bytes_are_told() -> None:
    times = [LogMoment(0, 1.0), LogMoment(10, 2.0), LogMoment(20, 3.0), LogMoment(30, 4.0)]
    assert between(times, 12, 18, 100) == times[1:3]
    assert between(times, 0, 1000, 100) == times
    assert between(times, 0, 1000, 2) == [times[1], times[3]]
    assert between([], 0, 10, 5) == []
