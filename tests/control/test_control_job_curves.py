"""The curve of a job keeps its shape in few points, and a time without readings stays empty."""

from __future__ import annotations

from danlu.control.telemetry.job_curves import MOST_POINTS, Curve, Point, join, pack, thin, unpack


def a_curve(begin: float, end: float, step_s: float = 5.0, load: int = 50, used_mb: int = 800) -> Curve:
    count = int((end - begin) / step_s)
    return [Point(begin + step_s * number, (load, None), (used_mb, 8)) for number in range(count)]


def gaps(curve: Curve) -> list[float]:
    return [point.at for point in curve if point.load == (None, None)]


def test_a_short_curve_is_kept_as_it_is() -> None:
    curve = a_curve(1000, 2000)
    assert thin(curve) == curve
    assert unpack(pack(curve)) == curve


def test_a_month_takes_no_more_points_than_an_hour() -> None:
    curve: Curve = []
    for hour in range(24 * 30):
        curve = thin(join(curve, a_curve(3600.0 * hour, 3600.0 * (hour + 1), load=hour % 24)))
        assert len(curve) <= MOST_POINTS
    assert gaps(curve) == []
    assert (curve[0].at, curve[-1].at > 3600 * (24 * 30 - 2)) == (0.0, True)
    told = [point.load[0] or 0 for point in curve]
    assert 11 <= sum(told) / len(told) <= 12, "each point is the mean of its time"
    assert {point.load[1] for point in curve} == {None}


def test_the_most_memory_is_never_thinned_away() -> None:
    curve = a_curve(0, 20_000)
    curve[1234] = curve[1234]._replace(used_mb=(24_000, 8))
    assert max(point.used_mb[0] or 0 for point in thin(curve)) == 24_000


def test_a_time_when_nobody_looked_stays_a_gap_however_often_it_is_thinned() -> None:
    curve = join(a_curve(0, 3000), a_curve(9000, 12_000))
    assert [3000 < at < 9000 for at in gaps(curve)] == [True]
    thinned = thin(join(thin(curve), a_curve(12_000, 16_000)))
    assert [2900 < at < 9000 for at in gaps(thinned)] == [True]
    assert len(thinned) < len(curve)


def test_what_follows_a_thinned_curve_at_once_leaves_no_gap() -> None:
    coarse = thin(a_curve(0, 500_000))
    assert gaps(join(coarse, a_curve(500_000, 500_500))) == []


def test_a_job_of_one_reading_and_one_of_none() -> None:
    one = a_curve(0, 5)
    assert (thin(one), join([], one), join(one, [])) == (one, one, one)
    assert thin([]) == []
